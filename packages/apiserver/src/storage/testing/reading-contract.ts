import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FutureRevisionError } from '../errors.ts';
import type { Store } from '../store.ts';
import type { ContractHarness } from './contract-harness.ts';
import { keysOf, valueOf, write } from './objects.ts';

const PODS = ['/core/pods/a/1', '/core/pods/a/2', '/core/pods/a/3', '/core/pods/b/1', '/core/pods/b/2'];

async function filled(store: Store): Promise<Store> {
  // Not in the order of the keys, and with neighbours on both sides of the prefix.
  for (const key of ['/core/podsx/a/1', ...PODS.toReversed(), '/core/pod/a/1']) await write(store, key, key);
  return store;
}

export function readingContract(harness: ContractHarness): void {
  void describe('reading', () => {
    void test('a list is in the order of the keys, and has only those of its prefix', async (context) => {
      const store = await filled(await harness.open(context));
      const list = await store.list('/core/pods/');
      assert.deepEqual(keysOf(list.items), PODS);
      assert.equal(list.revision, store.revision);
      assert.equal(list.remaining, 0);
      assert.deepEqual(keysOf((await store.list('/core/pods/b/')).items), PODS.slice(3));
      assert.deepEqual(keysOf((await store.list('/core/none/')).items), []);
      assert.equal((await store.list('')).items.length, 7);
    });

    void test('pages follow on one another and say how many are left', async (context) => {
      const store = await filled(await harness.open(context));
      const pages: { keys: string[]; remaining: number }[] = [];
      let startKey = '';
      for (;;) {
        const page = await store.list('/core/pods/', { startKey, limit: 2 });
        pages.push({ keys: keysOf(page.items), remaining: page.remaining });
        if (page.remaining === 0) break;
        startKey = `${page.items.at(-1)?.key ?? ''}\0`;
      }
      assert.deepEqual(pages, [
        { keys: PODS.slice(0, 2), remaining: 3 },
        { keys: PODS.slice(2, 4), remaining: 1 },
        { keys: PODS.slice(4), remaining: 0 },
      ]);
    });

    const starts = [
      { startKey: '/core/pods/a/2', keys: PODS.slice(1) },
      { startKey: '/core/pods/a/2\0', keys: PODS.slice(2) },
      { startKey: '/a', keys: PODS },
      { startKey: '/core/pods/zzz', keys: [] },
      { startKey: '/core/podsx/a/1', keys: [] },
    ];
    for (const { startKey, keys } of starts) {
      void test(`a list from ${JSON.stringify(startKey)}`, async (context) => {
        const store = await filled(await harness.open(context));
        const { revision } = store;
        assert.deepEqual(keysOf((await store.list('/core/pods/', { startKey })).items), keys);
        await store.delete('/core/pods/a/3', (await store.get('/core/pods/a/3'))?.revision ?? 0);
        const past = await store.list('/core/pods/', { startKey, revision });
        assert.deepEqual(keysOf(past.items), keys);
      });
    }

    void test('every past state can be read again, whole and in pages', async (context) => {
      const store = await harness.open(context);
      const states: Map<string, string | undefined>[] = [new Map()];
      const step = async (key: string, value: string | undefined): Promise<void> => {
        if (value !== undefined) await write(store, key, value);
        else await store.delete(key, (await store.get(key))?.revision ?? 0);
        const state = new Map(states.at(-1));
        if (value === undefined) state.delete(key);
        else state.set(key, value);
        states.push(state);
      };
      await step('/core/pods/a/1', 'created');
      await step('/core/pods/b/1', 'created');
      await step('/core/pods/a/1', 'updated');
      await step('/core/pods/a/2', 'created');
      await step('/core/pods/a/1', undefined);
      await step('/apps/pods/a/1', 'elsewhere');
      await step('/core/pods/a/1', 'again');
      await step('/core/pods/b/1', undefined);
      for (const [revision, state] of states.entries()) {
        for (const prefix of ['/core/pods/', '/core/pods/a/', '/', '']) {
          const expected = [...state]
            .filter(([key]) => key.startsWith(prefix))
            .sort(([a], [b]) => (a < b ? -1 : 1));
          const list = await store.list(prefix, { revision });
          assert.equal(list.revision, revision);
          assert.deepEqual(
            list.items.map((item) => [item.key, valueOf(item)]),
            expected,
            `${prefix} at ${revision}`,
          );
          const page = await store.list(prefix, { revision, limit: 1 });
          assert.deepEqual(
            keysOf(page.items),
            expected.slice(0, 1).map(([key]) => key),
          );
          assert.equal(page.remaining, Math.max(0, expected.length - 1));
        }
        for (const key of ['/core/pods/a/1', '/core/pods/b/1', '/core/pods/a/2']) {
          const stored = await store.get(key, { revision });
          assert.equal(valueOf(stored), state.get(key));
          assert.ok((stored?.revision ?? 0) <= revision);
        }
      }
    });

    void test('a past read of a key is not confused by keys that begin with it', async (context) => {
      const store = await harness.open(context);
      await write(store, '/core/pods/a/1', 'one');
      await write(store, '/core/pods/a/10', 'ten');
      await write(store, '/core/pods/a/10', 'ten again');
      assert.equal(valueOf(await store.get('/core/pods/a/1', { revision: 2 })), 'one');
      assert.equal(valueOf(await store.get('/core/pods/a/10', { revision: 2 })), 'ten');
      assert.equal(await store.get('/core/pods/a/10', { revision: 1 }), undefined);
    });

    void test('the future cannot be read', async (context) => {
      const store = await filled(await harness.open(context));
      const revision = store.revision + 1;
      await assert.rejects(store.get('/core/pods/a/1', { revision }), FutureRevisionError);
      await assert.rejects(store.list('/core/pods/', { revision }), FutureRevisionError);
    });

    void test('a thousand keys, in any order of creation, list in order', async (context) => {
      const store = await harness.open(context);
      const keys = Array.from({ length: 1200 }, (_, index) => `/core/pods/a/${(index * 7919) % 1200}`);
      await Promise.all(keys.map((key) => write(store, key, key)));
      assert.deepEqual(keysOf((await store.list('/core/pods/')).items), keys.toSorted());
      const page = await store.list('/core/pods/', { limit: 700 });
      assert.equal(page.remaining, 500);
    });
  });
}
