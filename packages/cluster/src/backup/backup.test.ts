import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { openSqliteStore, REVISIONS_AFTER_RESTORE } from '@windlass/apiserver';
import { createClient, loadConfig } from '@windlass/client';
import { type RunningCluster, startCluster } from '../start-cluster.ts';
import { backupCluster } from './backup.ts';
import { readBackup } from './backup-file.ts';
import { restoreCluster } from './restore.ts';

let folder = '';
const inFolder = (name: string): string => join(folder, name);

/** Every object as it is stored. */
async function stored(dataDir: string): Promise<{ revision: number; objects: unknown[] }> {
  await using store = await openSqliteStore(join(dataDir, 'state'), {
    markPath: join(dataDir, 'state.mark'),
  });
  const { items, revision } = await store.list('/');
  return { revision, objects: items.map(({ key, revision: at, object }) => ({ key, revision: at, object })) };
}

async function write(cluster: RunningCluster, count: number, from = 0): Promise<void> {
  const client = createClient({ transport: cluster.transport() });
  const maps = client.resource(ConfigMap).namespace('default');
  for (let number = from; number < from + count; number++)
    await maps.create({ metadata: { name: `map-${number}` }, data: { line: '\u2028 é\n' } });
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-backup-'));
});
after(() => rm(folder, { recursive: true, force: true }));

describe('a backup', () => {
  it('of a cluster that is written to shows one moment, and restores with every object at its revision', async () => {
    const dataDir = inFolder('running');
    const cluster = await startCluster({ dataDir, port: 0 });
    await write(cluster, 50);
    const writing = write(cluster, 50, 50);
    const header = await backupCluster(dataDir, inFolder('online.backup'));
    await writing;
    await cluster.stop();
    assert.equal((await stat(inFolder('online.backup'))).mode & 0o777, 0o600);

    const restored = inFolder('restored');
    assert.deepEqual(await restoreCluster(inFolder('online.backup'), restored), header);
    const [original, copy] = [await stored(dataDir), await stored(restored)];
    // What was written after the backup is not in it, and nothing else is missing.
    const atBackup = original.objects.filter(
      (one) => (one as { revision: number }).revision <= header.revision,
    );
    assert.deepEqual(copy.objects, atBackup);
    assert.equal(copy.objects.length, header.objects);
    assert.ok(copy.objects.length >= 50 && copy.objects.length <= original.objects.length);
    assert.equal(copy.revision, header.revision + REVISIONS_AFTER_RESTORE);
  });

  it('of a stopped cluster is whole, and what it restores is the same cluster to its clients', async () => {
    const dataDir = inFolder('stopped');
    const first = await startCluster({ dataDir, port: 0 });
    await write(first, 3);
    const kubeconfig = first.kubeconfig;
    await first.stop();
    await backupCluster(dataDir, inFolder('offline.backup'));
    const restored = inFolder('again');
    await restoreCluster(inFolder('offline.backup'), restored);
    assert.deepEqual((await stored(restored)).objects, (await stored(dataDir)).objects);
    const port = Number(new URL(first.server ?? '').port);
    await using _again = await startCluster({ dataDir: restored, port });
    await writeFile(inFolder('old-kubeconfig'), kubeconfig);
    await using client = createClient({ config: await loadConfig({ path: inFolder('old-kubeconfig') }) });
    const { items } = await client.resource(ConfigMap).namespace('default').list();
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['kube-root-ca.crt', 'map-0', 'map-1', 'map-2'],
    );
  });

  it('that is damaged anywhere is refused, and leaves nothing', async () => {
    const good = await readFile(inFolder('offline.backup'));
    const lines = gunzipSync(good).toString('utf8').split('\n');
    const zipped = (...text: string[]): Buffer => gzipSync(text.join('\n'));
    const without = (index: number): string[] => lines.toSpliced(index, 1);
    const changed = (from: string, to: string): string[] => lines.map((line) => line.replace(from, to));
    const rows: [what: string, bytes: Buffer][] = [
      ['empty', Buffer.alloc(0)],
      ['another file', Buffer.from('apiVersion: v1\nkind: Config\n')],
      ['another gzip', gzipSync('{"kind":"List"}\n')],
      ['cut off', good.subarray(0, good.length >> 1)],
      ['cut off before its end', zipped(...lines.slice(0, -2), '')],
      ['cut off within a line', zipped(...lines.slice(0, -3), lines.at(-3)?.slice(0, 20) ?? '')],
      ['without one object', zipped(...without(lines.length - 4))],
      ['without one key', zipped(...without(2))],
      ['with another value', zipped(...changed('map-1', 'map-9'))],
      ['with another revision', zipped(...changed('"revision":', '"revision":1'))],
      ['of a later format', zipped(...changed('"format":1', '"format":2'))],
      ['with a path that leads out', zipped(...changed('pki/ca.crt', 'pki/../../ca.crt'))],
      ['with something behind it', zipped(...lines.slice(0, -1), '{}', '')],
    ];
    // Bits that flip: gzip notices most, and the checksum the rest.
    for (let at = 5; at < good.length; at += Math.ceil(good.length / 40)) {
      const flipped = Buffer.from(good);
      flipped[at] = (flipped[at] ?? 0) ^ 0x10;
      if (at > 9) rows.push([`with byte ${at} changed`, flipped]);
    }
    for (const [what, bytes] of rows) {
      await writeFile(inFolder('bad.backup'), bytes);
      await assert.rejects(
        restoreCluster(inFolder('bad.backup'), inFolder('never')),
        { code: 'BACKUP_DAMAGED' },
        what,
      );
      await assert.rejects(readdir(inFolder('never')), { code: 'ENOENT' }, what);
    }
    await writeFile(inFolder('bad.backup'), good);
    for await (const _entry of readBackup(inFolder('bad.backup')));
  });

  it('is restored only where there is no cluster, and what is there stays', async () => {
    const before = await stored(inFolder('again'));
    await assert.rejects(restoreCluster(inFolder('offline.backup'), inFolder('again')), {
      code: 'NOT_EMPTY',
    });
    assert.deepEqual(await stored(inFolder('again')), before);
    await mkdir(inFolder('with-notes'));
    await writeFile(join(inFolder('with-notes'), 'notes'), '');
    await writeFile(inFolder('bad.backup'), (await readFile(inFolder('offline.backup'))).subarray(0, 400));
    await assert.rejects(restoreCluster(inFolder('bad.backup'), inFolder('with-notes')));
    assert.deepEqual(await readdir(inFolder('with-notes')), ['notes']);
  });

  it('is not made where there is none to make, nor over another file', async () => {
    await assert.rejects(backupCluster(inFolder('nowhere'), inFolder('x.backup')), /there is no cluster in/);
    await assert.rejects(backupCluster(inFolder('again'), inFolder('offline.backup')), /is there already/);
    assert.ok(!(await readdir(folder)).some((name) => name.startsWith('x.') || name.endsWith('.new')));
  });
});
