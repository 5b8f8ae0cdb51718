import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { withTable } from './readme-table.ts';
import { recorded } from './record.ts';

const readme = (): Promise<string> => readFile(new URL('../../README.md', import.meta.url), 'utf8');

test('the table of README.md is what is recorded: `npm run bench -- --readme` writes it', async () => {
  const text = await readme();
  assert.equal(withTable(text, await recorded()), text);
});

test('a figure that was measured anew changes it, and one that never was is not in it', async () => {
  const entries = await recorded();
  const create = entries.find(({ bench }) => bench === 'apiserver/create');
  assert.ok(create);
  const changed = withTable(await readme(), [{ ...create, ours: 12_345, peer: 1000, ratio: 12.345 }]);
  assert.match(
    changed,
    /creates, durable, over HTTPS +\| 12,345 \/ s +\| kube-apiserver \+ etcd: 1,000 \/ s +\| 12.3x/,
  );
  assert.doesNotMatch(changed, /memory with 20,000 objects/);
});

test('without its places there is nowhere to write it', () => {
  assert.throws(() => withTable('# Windlass', []), /README\.md has no table of benchmarks/);
});
