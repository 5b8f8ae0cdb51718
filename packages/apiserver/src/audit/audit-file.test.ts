import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createLogger, type LogRecord, MetricsRegistry } from '@windlass/base';
import { AuditFile } from './audit-file.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-audit-'));
});
after(() => rm(folder, { recursive: true, force: true }));

describe('the audit file', () => {
  it('keeps every line in order, over a restart too, for its owner only', async () => {
    const path = join(folder, 'new', 'audit.log');
    for (const start of [0, 500]) {
      await using file = await AuditFile.open({ path });
      for (let index = start; index < start + 500; index++) await file.write(`{"line":${index}}`);
    }
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { line: number }).line),
      Array.from({ length: 1000 }, (_, index) => index),
    );
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it('makes whoever writes wait when it is behind', async () => {
    await using file = await AuditFile.open({ path: join(folder, 'slow.log'), maxBufferedBytes: 10 });
    assert.equal(file.write('short'), undefined);
    const behind = file.write('a longer line');
    assert.ok(behind instanceof Promise);
    await behind;
    assert.equal(await readFile(join(folder, 'slow.log'), 'utf8'), 'short\na longer line\n');
    assert.equal(file.write('short'), undefined);
  });

  it('begins a new file before it grows too large, and keeps so many old ones', async () => {
    const path = join(folder, 'turning', 'audit.log');
    await using file = await AuditFile.open({ path, maxBytes: 20, maxBackups: 2, maxBufferedBytes: 0 });
    for (const line of ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'])
      await file.write(line);
    await file.close();
    assert.deepEqual((await readdir(join(folder, 'turning'))).toSorted(), [
      'audit.log',
      'audit.log.1',
      'audit.log.2',
    ]);
    assert.equal(await readFile(path, 'utf8'), 'seventh\neighth\n');
    assert.equal(await readFile(`${path}.1`, 'utf8'), 'fourth\nfifth\nsixth\n');
    assert.equal(await readFile(`${path}.2`, 'utf8'), 'first\nsecond\nthird\n');
  });

  it('counts and reports what it could not write, and goes on', async () => {
    const metrics = new MetricsRegistry();
    const records: LogRecord[] = [];
    const logger = createLogger((record) => void records.push(record));
    const path = join(folder, 'gone', 'audit.log');
    await using file = await AuditFile.open({ path, maxBytes: 1, maxBufferedBytes: 0, metrics, logger });
    await file.write('kept');
    // It cannot turn to a new file any more.
    await rm(join(folder, 'gone'), { recursive: true });
    await file.write('lost');
    assert.match(metrics.expose(), /apiserver_audit_error_total\{plugin="log"\} 1/);
    assert.equal(records[0]?.message, 'audit events were lost: the audit log cannot be written');
    assert.equal(records[0]?.fields['events'], 1);
  });
});
