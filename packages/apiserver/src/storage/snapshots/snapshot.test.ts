import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { KubeObject } from '@windlass/apimachinery';
import * as fc from 'fast-check';
import { createMemoryStore } from '../memory-store.ts';
import { REVISIONS_AFTER_RESTORE, restoreSqliteStore } from '../sqlite/restore-store.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import type { Store } from '../store.ts';
import { parseSnapshotLine, type SnapshotObject, type StoreSnapshot, snapshotOf } from './snapshot.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-snapshot-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function objectsOf({ chunks }: StoreSnapshot): Promise<SnapshotObject[]> {
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString('utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => parseSnapshotLine(line) ?? assert.fail(line));
}

/** An object with fields that only its kind has. */
const withData = (data: Readonly<Record<string, string>>): KubeObject & { readonly data: object } => ({
  data,
});

const contents = async (store: Store): Promise<unknown> =>
  (await store.list('/')).items.map(({ key, revision, object }) => ({ key, revision, object }));

describe('a snapshot', () => {
  it('shows one moment, whatever is written while it is read', async () => {
    await using store = createMemoryStore();
    for (let number = 1; number <= 2000; number++)
      await store.put(`/core/configmaps/default/${number}`, withData({ number: 'x'.repeat(100) }), 0);
    const snapshot = await snapshotOf(store);
    const before = await contents(store);
    await store.put('/core/configmaps/default/1', withData({}), 1);
    await store.delete('/core/configmaps/default/2', 2);
    await store.put('/core/configmaps/default/new', {}, 0);
    const objects = await objectsOf(snapshot);
    assert.deepEqual([snapshot.revision, snapshot.count, objects.length], [2000, 2000, 2000]);
    assert.deepEqual(
      objects.map(({ key, revision, json }) => ({ key, revision, object: JSON.parse(json) as unknown })),
      before,
    );
  });

  it('becomes a store with every object at its revision, which goes on far above', async () => {
    await using store = createMemoryStore();
    const wide = { kind: 'Wide', apiVersion: 'example.com/v1', spec: { number: 9007199254740993n } };
    await store.put('/a', withData({ key: '","object":\u2028\n' }), 0);
    await store.put('/b', wide, 0);
    await store.put('/a', withData({}), 1);
    await store.put('/gone', {}, 0);
    await store.delete('/gone', 4);
    const snapshot = await snapshotOf(store);
    const { revision } = snapshot;
    await restoreSqliteStore(folder, { revision, objects: await objectsOf(snapshot) });
    await using restored = await openSqliteStore(folder);
    assert.deepEqual(await contents(restored), await contents(store));
    assert.equal(restored.revision, 5 + REVISIONS_AFTER_RESTORE);
    assert.equal(restored.compactedRevision, restored.revision, 'who watches from before must list again');
    const written = await restored.put('/c', {}, 0);
    assert.equal(written.revision, 6 + REVISIONS_AFTER_RESTORE);
    await assert.rejects(restoreSqliteStore(folder, { revision, objects: [] }), /locked/);
  });

  it('leaves nothing when it breaks off, and a store that is there alone', async () => {
    async function* broken(): AsyncGenerator<SnapshotObject> {
      yield { key: '/a', revision: 1, json: '{"metadata":{"resourceVersion":"1"}}' };
      throw new Error('the rest is missing');
    }
    const directory = join(folder, 'state');
    await assert.rejects(
      restoreSqliteStore(directory, { revision: 1, objects: broken() }),
      /rest is missing/,
    );
    assert.deepEqual(await readdir(folder), []);
    const store = await openSqliteStore(directory);
    await store.put('/a', {}, 0);
    await store.close();
    await assert.rejects(restoreSqliteStore(directory, { revision: 1, objects: [] }), {
      code: 'STORE_EXISTS',
    });
    await using again = await openSqliteStore(directory);
    assert.equal(again.revision, 1);
  });

  it('has lines that any key comes back from', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (key, revision) => {
        const line = `{"key":${JSON.stringify(key)},"revision":${revision},"object":{"object":1}}`;
        assert.deepEqual(parseSnapshotLine(line), { key, revision, json: '{"object":1}' });
      }),
    );
    for (const line of ['', '{}', '{"key":1,"revision":1,"object":{}}', '{"key":"/a","object":{}}'])
      assert.equal(parseSnapshotLine(line), undefined, line);
  });
});
