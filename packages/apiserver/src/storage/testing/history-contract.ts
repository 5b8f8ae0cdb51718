import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CompactedError, FutureRevisionError } from '../errors.ts';
import { bytesOf } from '../states/stored-state.ts';
import type { ContractHarness } from './contract-harness.ts';
import { keysOf, take, valueOf, write } from './objects.ts';

export function historyContract(harness: ContractHarness): void {
  void describe('compaction', () => {
    void test('the past before it is gone; the state at it and what came after are not', async (context) => {
      const store = await harness.open(context);
      for (let value = 1; value <= 5; value++) await write(store, '/core/pods/a/1', String(value));
      await store.compact(3);
      assert.equal(store.compactedRevision, 3);
      await assert.rejects(store.get('/core/pods/a/1', { revision: 2 }), (error) => {
        assert.ok(error instanceof CompactedError);
        assert.deepEqual([error.requested, error.compacted], [2, 3]);
        return true;
      });
      await assert.rejects(store.list('/core/pods/', { revision: 2 }), CompactedError);
      await assert.rejects(store.watch('/core/pods/', { fromRevision: 2 }).next(), CompactedError);
      assert.equal(valueOf(await store.get('/core/pods/a/1', { revision: 3 })), '3');
      assert.equal(valueOf(await store.get('/core/pods/a/1', { revision: 4 })), '4');
      const events = await take(store.watch('/core/pods/', { fromRevision: 3 }), 2);
      assert.deepEqual(
        events.map((event) => valueOf(event.previous)),
        ['3', '4'],
      );
    });

    void test('it can be repeated, goes only forward, and never into the future', async (context) => {
      const store = await harness.open(context);
      for (let value = 1; value <= 3; value++) await write(store, '/core/pods/a/1', String(value));
      await store.compact(2);
      await store.compact(2);
      await store.compact(1);
      assert.equal(store.compactedRevision, 2);
      await assert.rejects(store.compact(4), FutureRevisionError);
      await store.compact(3);
      assert.equal(valueOf(await store.get('/core/pods/a/1')), '3');
    });

    void test('everything can be compacted, deletions too, and life goes on', async (context) => {
      const store = await harness.open(context);
      await write(store, '/core/pods/a/1', 'stays');
      await write(store, '/core/pods/a/2', 'goes');
      await store.delete('/core/pods/a/2', 2);
      await store.compact(store.revision);
      assert.deepEqual(keysOf((await store.list('/core/pods/')).items), ['/core/pods/a/1']);
      const watch = store.watch('/core/pods/', { fromRevision: store.revision });
      await write(store, '/core/pods/a/2', 'back');
      const [event] = await take(watch, 1);
      assert.equal(event?.previous, undefined);
      assert.equal(event?.revision, 4);
      assert.deepEqual(keysOf((await store.list('/core/pods/', { revision: 3 })).items), ['/core/pods/a/1']);
    });

    void test('a compaction of many events, while others write', async (context) => {
      const store = await harness.open(context);
      const pods = Array.from({ length: 50 }, (_, index) => `/core/pods/a/${index}`);
      for (let round = 0; round < 50; round++) {
        await Promise.all(pods.map((key) => write(store, key, String(round))));
      }
      const compacting = store.compact(2400);
      await Promise.all(pods.map((key) => write(store, key, 'last')));
      await compacting;
      assert.equal(store.compactedRevision, 2400);
      const { items } = await store.list('/core/pods/');
      assert.deepEqual(
        items.map(valueOf),
        items.map(() => 'last'),
      );
      const before = await store.list('/core/pods/', { revision: 2500 });
      assert.deepEqual(
        before.items.map(valueOf),
        items.map(() => '49'),
      );
    });

    void test('what was written thousands of writes ago is as it was written', async (context) => {
      const store = await harness.open(context);
      const key = (index: number): string => `/core/pods/a/${index % 7}`;
      for (let index = 1; index <= 2500; index++) await write(store, key(index), `${index}`);
      await store.delete(key(3), 2495);
      const { items } = await store.list('/core/pods/', { revision: 100 });
      assert.deepEqual(items.map(valueOf), ['98', '99', '100', '94', '95', '96', '97']);
      const events = await take(store.watch('/core/pods/', { fromRevision: 0 }), 2501);
      for (const [index, { stored, previous, revision }] of events.entries()) {
        assert.equal(revision, index + 1);
        assert.equal(stored.object.metadata?.resourceVersion, String(revision));
        if (index < 2500) assert.equal(valueOf(stored), `${index + 1}`);
        assert.equal(valueOf(previous), index < 7 ? undefined : `${index === 2500 ? 2495 : index - 6}`);
        assert.equal(JSON.parse(String(bytesOf(stored))).metadata.resourceVersion, String(revision));
      }
    });

    void test('a watch that is up to date does not notice; one that reads the past does', async (context) => {
      const store = await harness.open(context);
      for (let value = 1; value <= 3; value++) await write(store, '/core/pods/a/1', String(value));
      const live = store.watch('/core/pods/', { fromRevision: 3 });
      const late = store.watch('/core/pods/', { fromRevision: 1 });
      const next = live.next();
      await store.compact(3);
      await assert.rejects(late.next(), CompactedError);
      assert.equal((await late.next()).done, true);
      await write(store, '/core/pods/a/1', '4');
      assert.equal((await next).value?.[0]?.revision, 4);
    });

    void test('a watch that has read its past to the end is up to date, though it asks for no more', async (context) => {
      const store = await harness.open(context);
      for (let value = 1; value <= 3; value++) await write(store, '/core/pods/a/1', String(value));
      const watch = store.watch('/core/pods/', { fromRevision: 0 });
      await take(watch, 3);
      const quiet = store.watch('/core/none/', { fromRevision: 0 });
      await write(store, '/core/pods/a/1', '4');
      await store.compact(4);
      assert.equal((await take(watch, 1))[0]?.revision, 4);
      await write(store, '/core/none/a/1', '');
      assert.equal((await take(quiet, 1))[0]?.revision, 5);
    });
  });
}
