import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CompactedError } from '../errors.ts';
import type { Store } from '../store.ts';
import type { ContractHarness } from './contract-harness.ts';
import { keysOf, take, valueOf, write } from './objects.ts';

export function restartContract(harness: ContractHarness): void {
  const { reopen } = harness;
  if (reopen === undefined) return;
  const contents = async (store: Store): Promise<unknown> =>
    (await store.list('')).items.map((item) => [item.key, item.revision, item.object]);

  void describe('restarting', () => {
    void test('an empty store stays itself', async (context) => {
      const store = await harness.open(context);
      const again = await reopen(context, store);
      assert.equal(again.id, store.id);
      assert.equal(again.revision, 0);
      assert.deepEqual(await contents(again), []);
    });

    void test('state, revision and history are there again', async (context) => {
      const store = await harness.open(context);
      await write(store, '/core/pods/a/1', 'one');
      await write(store, '/core/pods/a/2', 'ümläut 漢字 🙂');
      await write(store, '/core/pods/a/1', 'two');
      await store.delete('/core/pods/a/2', 2);
      const before = await contents(store);
      const events = await take(store.watch('/core/pods/', { fromRevision: 1 }), 3);

      const again = await reopen(context, store);
      assert.equal(again.id, store.id);
      assert.equal(again.revision, 4);
      assert.deepEqual(await contents(again), before);
      assert.equal(valueOf(await again.get('/core/pods/a/2', { revision: 3 })), 'ümläut 漢字 🙂');
      const replayed = await take(again.watch('/core/pods/', { fromRevision: 1 }), 3);
      for (const [index, event] of events.entries()) {
        const { type, key, revision, stored, previous } = replayed[index] ?? {};
        assert.deepEqual([type, key, revision], [event.type, event.key, event.revision]);
        assert.deepEqual(stored?.object, event.stored.object);
        assert.deepEqual(previous?.object, event.previous?.object);
        assert.equal(previous?.revision, event.previous?.revision);
      }
      assert.equal((await write(again, '/core/pods/a/3', '')).revision, 5);
      assert.ok(Object.isFrozen((await again.get('/core/pods/a/1'))?.object.metadata));
    });

    void test('what was compacted stays so, and the rest can be read', async (context) => {
      const store = await harness.open(context);
      for (let value = 1; value <= 6; value++) await write(store, `/core/pods/a/${value % 2}`, String(value));
      await store.delete('/core/pods/a/0', 6);
      await write(store, '/core/pods/a/2', 'late');
      await store.compact(5);
      const again = await reopen(context, store);
      assert.equal(again.compactedRevision, 5);
      assert.equal(again.revision, 8);
      await assert.rejects(again.list('/core/pods/', { revision: 4 }), CompactedError);
      const at5 = await again.list('/core/pods/', { revision: 5 });
      assert.deepEqual(
        at5.items.map((item) => [item.key, valueOf(item), item.revision]),
        [
          ['/core/pods/a/0', '4', 4],
          ['/core/pods/a/1', '5', 5],
        ],
      );
      assert.deepEqual(keysOf((await again.list('/core/pods/')).items), ['/core/pods/a/1', '/core/pods/a/2']);
      const events = await take(again.watch('/core/pods/', { fromRevision: 5 }), 3);
      assert.deepEqual(
        events.map((event) => event.type),
        ['put', 'delete', 'put'],
      );
      await again.compact(8);
      const third = await reopen(context, again);
      assert.deepEqual(keysOf((await third.list('/core/pods/')).items), ['/core/pods/a/1', '/core/pods/a/2']);
      assert.equal(third.compactedRevision, 8);
    });
  });
}
