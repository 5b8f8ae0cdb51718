import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import type { Payload } from '../pod-local/payload.ts';
import { writePayload } from './payload-writer.ts';

const payload = (files: Record<string, string>): Payload =>
  new Map(Object.entries(files).map(([path, data]) => [path, { data: Buffer.from(data), mode: 0o640 }]));

it('shows all of the old or all of the new', async (t) => {
  const directory = join(await mkdtemp(join(tmpdir(), 'payload-')), 'volume');
  t.after(() => rm(directory, { recursive: true }));
  const visible = async () => (await readdir(directory)).filter((name) => !name.startsWith('..')).sort();
  assert.ok(await writePayload(directory, payload({ a: '1', 'in/b': '2' }), '1'));
  assert.deepEqual(await visible(), ['a', 'in']);
  assert.equal(await readFile(join(directory, 'in/b'), 'utf8'), '2');
  assert.equal((await stat(join(directory, 'a'))).mode & 0o777, 0o640);
  assert.equal(await writePayload(directory, payload({ a: '1', 'in/b': '2' }), '2'), false, 'nothing is new');
  assert.equal(await readlink(join(directory, '..data')), '..1');
  assert.ok(await writePayload(directory, payload({ a: '3', c: '' }), '3'));
  assert.deepEqual(await visible(), ['a', 'c']);
  assert.equal(await readFile(join(directory, 'a'), 'utf8'), '3');
  assert.deepEqual((await readdir(directory)).filter((name) => name.startsWith('..')).sort(), [
    '..3',
    '..data',
  ]);
  assert.ok(await writePayload(directory, payload({}), '4'));
  assert.deepEqual(await visible(), []);
});
