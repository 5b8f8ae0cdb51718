import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StoreClosedError } from '../errors.ts';
import type { ContractHarness } from './contract-harness.ts';
import { configMap, write } from './objects.ts';

export function closingContract(harness: ContractHarness): void {
  void describe('closing', () => {
    void test('afterwards everything says so', async (context) => {
      const store = await harness.open(context);
      await write(store, '/core/pods/a/1', '');
      await store.close();
      await store.close();
      await store[Symbol.asyncDispose]();
      const attempts = [
        () => store.get('/core/pods/a/1'),
        () => store.list('/core/pods/'),
        () => store.put('/core/pods/a/2', configMap('2'), 0),
        () => store.delete('/core/pods/a/1', 1),
        () => store.compact(1),
        () => store.waitFor(1),
        async () => store.watch('/core/pods/', { fromRevision: 0 }),
      ];
      for (const attempt of attempts) await assert.rejects(attempt(), StoreClosedError, String(attempt));
    });

    void test('watches and waits end', async (context) => {
      const store = await harness.open(context);
      await write(store, '/core/pods/a/1', '');
      const waiting = store.watch('/core/none/', { fromRevision: 0 }).next();
      const idle = store.watch('/core/pods/', { fromRevision: 0 });
      const waits = store.waitFor(99);
      const failed = Promise.all([
        assert.rejects(waiting, StoreClosedError),
        assert.rejects(waits, StoreClosedError),
      ]);
      await store.close();
      await failed;
      await assert.rejects(idle.next(), StoreClosedError);
    });

    void test('writes that were under way are answered', async (context) => {
      const store = await harness.open(context);
      const writes = Promise.all(
        Array.from({ length: 50 }, (_, index) => store.put(`/core/pods/a/${index}`, configMap(''), 0)),
      );
      await store.close();
      // Writes of several keys at once take effect in any order.
      const revisions = (await writes).map((stored) => stored.revision).sort((a, b) => a - b);
      assert.deepEqual(
        revisions,
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
    });
  });
}
