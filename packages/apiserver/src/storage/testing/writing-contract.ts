import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InvalidArgumentError } from '@windlass/base';
import { RevisionConflictError } from '../errors.ts';
import { bytesOf } from '../states/stored-state.ts';
import type { ContractHarness } from './contract-harness.ts';
import { configMap, valueOf, write } from './objects.ts';

export function writingContract(harness: ContractHarness): void {
  void describe('writing', () => {
    void test('one revision for everything, one step a write', async (context) => {
      const store = await harness.open(context);
      assert.equal(store.revision, 0);
      const a = await store.put('/core/configmaps/x/a', configMap('a'), 0);
      const b = await store.put('/apps/deployments/x/b', configMap('b'), 0);
      const a2 = await store.put('/core/configmaps/x/a', configMap('a', '2'), a.revision);
      const gone = await store.delete('/apps/deployments/x/b', b.revision);
      assert.deepEqual([a.revision, b.revision, a2.revision, gone.revision], [1, 2, 3, 4]);
      assert.equal(store.revision, 4);
    });

    void test('the revision is stamped, whatever stood there, and the input is not touched', async (context) => {
      const store = await harness.open(context);
      const input = {
        ...configMap('a'),
        metadata: { name: 'a', resourceVersion: '999', labels: { x: 'y' } },
      };
      const stored = await store.put('/core/configmaps/x/a', input, 0);
      assert.equal(stored.object.metadata?.resourceVersion, '1');
      assert.deepEqual(stored.object.metadata?.labels, { x: 'y' });
      assert.equal(input.metadata.resourceVersion, '999');
      const bare = await store.put('/core/configmaps/x/b', { kind: 'Bare' }, 0);
      assert.deepEqual(bare.object, { kind: 'Bare', metadata: { resourceVersion: '2' } });
    });

    void test('a deletion answers the last state with the revision of the deletion', async (context) => {
      const store = await harness.open(context);
      await store.put('/core/configmaps/x/a', configMap('a', 'last'), 0);
      const gone = await store.delete('/core/configmaps/x/a', 1);
      assert.equal(valueOf(gone), 'last');
      assert.equal(gone.revision, 2);
      assert.equal(gone.object.metadata?.resourceVersion, '2');
      assert.equal(await store.get('/core/configmaps/x/a'), undefined);
    });

    void test('what is stored is frozen and shared', async (context) => {
      const store = await harness.open(context);
      const stored = await store.put('/core/configmaps/x/a', configMap('a', 'v'), 0);
      assert.ok(Object.isFrozen(stored.object) && Object.isFrozen(stored.object.metadata));
      assert.throws(
        () => Object.assign((stored.object as { data?: object }).data ?? {}, { value: 'w' }),
        TypeError,
      );
      const read = await store.get('/core/configmaps/x/a');
      const [listed] = (await store.list('/core/configmaps/')).items;
      assert.equal(read?.object, stored.object);
      assert.equal(listed?.object, stored.object);
    });

    void test('the bytes of a state are its JSON, made once', async (context) => {
      const store = await harness.open(context);
      await write(store, '/core/configmaps/x/a', 'ümläut 漢字 🙂 \ud800');
      const stored = await store.get('/core/configmaps/x/a');
      assert.ok(stored);
      assert.deepEqual(JSON.parse(bytesOf(stored).toString('utf8')), stored.object);
      const again = await store.get('/core/configmaps/x/a');
      assert.ok(again);
      assert.equal(bytesOf(again), bytesOf(stored));
    });

    const conflicts = [
      { name: 'create of what is there', exists: true, expected: 0, verb: 'put' },
      { name: 'update at an old revision', exists: true, expected: 1, verb: 'put' },
      { name: 'update at a future revision', exists: true, expected: 9, verb: 'put' },
      { name: 'update of what is not there', exists: false, expected: 1, verb: 'put' },
      { name: 'delete at an old revision', exists: true, expected: 1, verb: 'delete' },
      { name: 'delete of what is not there', exists: false, expected: 1, verb: 'delete' },
    ] as const;
    for (const { name, exists, expected, verb } of conflicts) {
      void test(`conflict: ${name}`, async (context) => {
        const store = await harness.open(context);
        await write(store, '/core/configmaps/x/other', '');
        if (exists) await write(store, '/core/configmaps/x/a', 'mine');
        const before = store.revision;
        const attempt =
          verb === 'put'
            ? store.put('/core/configmaps/x/a', configMap('a', 'yours'), expected)
            : store.delete('/core/configmaps/x/a', expected);
        await assert.rejects(attempt, (error) => {
          assert.ok(error instanceof RevisionConflictError);
          assert.equal(error.key, '/core/configmaps/x/a');
          assert.equal(error.expected, expected);
          assert.equal(valueOf(error.current), exists ? 'mine' : undefined);
          return true;
        });
        assert.equal(store.revision, before);
        assert.equal(valueOf(await store.get('/core/configmaps/x/a')), exists ? 'mine' : undefined);
      });
    }

    void test('what was deleted can be created again', async (context) => {
      const store = await harness.open(context);
      await store.put('/core/configmaps/x/a', configMap('a', 'first'), 0);
      await store.delete('/core/configmaps/x/a', 1);
      await store.put('/core/configmaps/x/a', configMap('a', 'second'), 0);
      assert.equal(valueOf(await store.get('/core/configmaps/x/a')), 'second');
    });

    void test('of many who create one key at once, one wins, and the others see what it wrote', async (context) => {
      const store = await harness.open(context);
      const attempts = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          store.put('/core/configmaps/x/a', configMap('a', String(index)), 0),
        ),
      );
      const won = attempts.filter((attempt) => attempt.status === 'fulfilled');
      assert.equal(won.length, 1);
      for (const attempt of attempts) {
        if (attempt.status === 'fulfilled') continue;
        assert.ok(attempt.reason instanceof RevisionConflictError);
        assert.equal(attempt.reason.current?.revision, 1);
      }
      assert.equal(store.revision, 1);
    });

    void test('a write and its successor in one turn: the second stands on the first', async (context) => {
      const store = await harness.open(context);
      await write(store, '/core/configmaps/x/a', 'old');
      const [gone, created] = await Promise.all([
        store.delete('/core/configmaps/x/a', 1),
        store.put('/core/configmaps/x/a', configMap('a', 'new'), 0),
      ]);
      assert.deepEqual([gone.revision, created.revision], [2, 3]);
      assert.equal(valueOf(await store.get('/core/configmaps/x/a')), 'new');
    });

    void test('counters lose no increment under concurrent writers', async (context) => {
      const store = await harness.open(context);
      const keys = ['/core/configmaps/x/a', '/core/configmaps/x/b', '/core/configmaps/y/a'];
      const increment = async (key: string): Promise<void> => {
        for (;;) {
          const current = await store.get(key);
          const next = configMap('counter', String(Number(valueOf(current) ?? '0') + 1));
          try {
            await store.put(key, next, current?.revision ?? 0);
            return;
          } catch (error) {
            assert.ok(error instanceof RevisionConflictError);
          }
        }
      };
      const writers = Array.from({ length: 12 }, async (_, writer) => {
        for (let round = 0; round < 8; round++) await increment(keys[(writer + round) % 3] ?? '');
      });
      await Promise.all(writers);
      const values = await Promise.all(keys.map(async (key) => Number(valueOf(await store.get(key)))));
      assert.equal(
        values.reduce((sum, value) => sum + value, 0),
        96,
      );
      assert.equal(store.revision, 96);
    });

    void test('what cannot be a key or a revision is refused', async (context) => {
      const store = await harness.open(context);
      for (const key of ['', 'a/b', '/a/', '/', '/a/\ud800'])
        await assert.rejects(store.put(key, configMap('a'), 0), InvalidArgumentError, JSON.stringify(key));
      for (const expected of [-1, 1.5, Number.NaN, 2 ** 60])
        await assert.rejects(store.put('/a/b', configMap('a'), expected), InvalidArgumentError);
      await assert.rejects(store.delete('/a/b', 0), InvalidArgumentError);
      assert.throws(() => store.watch('/a/', { fromRevision: -1 }), InvalidArgumentError);
      await assert.rejects(store.list('/a/', { limit: -1 }), InvalidArgumentError);
      await assert.rejects(store.list('/a/', { revision: Number.NaN }), InvalidArgumentError);
      await assert.rejects(store.get('/a/b', { revision: 0.5 }), InvalidArgumentError);
      assert.equal(store.revision, 0);
    });
  });
}
