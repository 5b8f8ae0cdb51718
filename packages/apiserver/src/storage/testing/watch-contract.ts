import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CancelledError } from '@windlass/base';
import { SlowWatcherError } from '../errors.ts';
import type { StoreEvent } from '../store.ts';
import type { ContractHarness } from './contract-harness.ts';
import { configMap, keysOf, take, valueOf, write } from './objects.ts';

export function watchContract(harness: ContractHarness): void {
  void describe('watching', () => {
    void test('events say what was there before and after', async (context) => {
      const store = await harness.open(context);
      const watch = store.watch('/core/pods/', { fromRevision: 0 });
      await write(store, '/core/pods/a/1', 'one');
      await write(store, '/core/pods/a/1', 'two');
      await store.delete('/core/pods/a/1', 2);
      const events = await take(watch, 3);
      const summary = events.map((event) => ({
        type: event.type,
        key: event.key,
        revision: event.revision,
        stamp: event.stored.object.metadata?.resourceVersion,
        value: valueOf(event.stored),
        previous: event.previous && [valueOf(event.previous), event.previous.revision],
      }));
      const key = '/core/pods/a/1';
      assert.deepEqual(summary, [
        { type: 'put', key, revision: 1, stamp: '1', value: 'one', previous: undefined },
        { type: 'put', key, revision: 2, stamp: '2', value: 'two', previous: ['one', 1] },
        { type: 'delete', key, revision: 3, stamp: '3', value: 'two', previous: ['two', 2] },
      ]);
    });

    void test('a watch has the past after its revision, then the present, with no seam', async (context) => {
      const store = await harness.open(context);
      for (let value = 1; value <= 5; value++) await write(store, '/core/pods/a/1', String(value));
      const watch = store.watch('/core/pods/', { fromRevision: 2 });
      await write(store, '/core/pods/a/1', '6');
      const first = await take(watch, 4);
      await write(store, '/core/pods/a/1', '7');
      const events = [...first, ...(await take(watch, 1))];
      assert.deepEqual(
        events.map((event) => event.revision),
        [3, 4, 5, 6, 7],
      );
    });

    void test('a nudge gives a reader that waits an empty batch, and nobody else anything', async (context) => {
      const store = await harness.open(context);
      const watch = store.watch('/core/pods/', { fromRevision: 0 });
      watch.nudge();
      const waiting = watch.next();
      watch.nudge();
      assert.deepEqual(await waiting, { done: false, value: [] });
      await write(store, '/core/pods/a/1', 'one');
      watch.nudge();
      assert.equal((await take(watch, 1))[0]?.revision, 1);
    });

    void test('only what begins with the prefix', async (context) => {
      const store = await harness.open(context);
      const prefixes = [
        '',
        '/',
        '/core/',
        '/core/pods/',
        '/core/pods/a/',
        '/core/pods/a/1',
        '/core/po',
        '/apps/',
      ];
      const watches = prefixes.map((prefix) => store.watch(prefix, { fromRevision: 0 }));
      const live = watches.map((watch) => watch.next());
      const keys = [
        '/core/pods/a/1',
        '/core/pods/a/12',
        '/core/podsx/a/1',
        '/core/pods/b/1',
        '/apps/pods/a/1',
        '/z',
      ];
      for (const key of keys) await write(store, key, '');
      for (const [index, prefix] of prefixes.entries()) {
        const expected = keys.filter((key) => key.startsWith(prefix));
        const watch = watches[index];
        const first = (await live[index])?.value ?? [];
        assert.ok(watch);
        const rest = await take(watch, expected.length - first.length);
        assert.deepEqual(keysOf([...first, ...rest]), expected, prefix);
        // And the same from the past.
        const past = await take(store.watch(prefix, { fromRevision: 0 }), expected.length);
        assert.deepEqual(keysOf(past), expected, prefix);
      }
    });

    void test('under concurrent writers, watches that start at any time miss nothing and see nothing twice', async (context) => {
      const store = await harness.open(context);
      const total = 400;
      const seen: Promise<{ from: number; events: StoreEvent[] }>[] = [];
      const watchFrom = async (from: number): Promise<{ from: number; events: StoreEvent[] }> => {
        const events = await take(store.watch('/core/pods/', { fromRevision: from }), total - from);
        return { from, events };
      };
      seen.push(watchFrom(0));
      const writers = Array.from({ length: 10 }, async (_, writer) => {
        for (let round = 0; round < 40; round++) {
          const stored = await write(store, `/core/pods/a/${writer}`, String(round));
          if (round % 10 === writer)
            seen.push(watchFrom(stored.revision), watchFrom(Math.max(0, stored.revision - 20)));
        }
      });
      await Promise.all(writers);
      assert.equal(store.revision, total);
      for (const { from, events } of await Promise.all(seen)) {
        const expected = Array.from({ length: total - from }, (_, index) => from + index + 1);
        assert.deepEqual(
          events.map((event) => event.revision),
          expected,
        );
      }
    });

    void test('a watch from the future waits until then', async (context) => {
      const store = await harness.open(context);
      await write(store, '/core/pods/a/1', '1');
      const watch = store.watch('/core/pods/', { fromRevision: 3 });
      const next = watch.next();
      for (let value = 2; value <= 4; value++) await write(store, '/core/pods/a/1', String(value));
      assert.deepEqual(
        (await next).value?.map((event) => event.revision),
        [4],
      );
    });

    void test('watches of one prefix that keep up get the same arrays', async (context) => {
      const store = await harness.open(context);
      const a = store.watch('/core/pods/', { fromRevision: 0 });
      const b = store.watch('/core/pods/', { fromRevision: 0 });
      const both = Promise.all([a.next(), b.next()]);
      await write(store, '/core/pods/a/1', '');
      const [first, second] = await both;
      assert.equal(first.value, second.value);
      assert.equal(first.value?.length, 1);
    });

    void test('progress is what has been handed over, and goes on with writes elsewhere', async (context) => {
      const store = await harness.open(context);
      const watch = store.watch('/core/pods/', { fromRevision: 0 });
      await write(store, '/core/pods/a/1', '1');
      await write(store, '/core/pods/a/1', '2');
      assert.equal(watch.progress, 0);
      assert.equal((await take(watch, 2)).length, 2);
      assert.equal(watch.progress, 2);
      const next = watch.next();
      await write(store, '/apps/deployments/a/1', '');
      assert.equal(watch.progress, 3);
      await write(store, '/core/pods/a/1', '3');
      await next;
      await write(store, '/core/pods/a/1', '4');
      await write(store, '/apps/deployments/a/2', '');
      assert.equal(watch.progress, 4);
      await take(watch, 1);
      assert.equal(watch.progress, 6);
      assert.equal(store.watch('/core/pods/', { fromRevision: 99 }).progress, 99);
    });

    void test('a slow reader is cut off, and resumes where it was', async (context) => {
      const store = await harness.open(context);
      const watch = store.watch('/core/pods/', { fromRevision: 0, maxBuffered: 5 });
      const first = watch.next();
      for (let value = 1; value <= 4; value++) await write(store, '/core/pods/a/1', String(value));
      assert.equal((await first).value?.[0]?.revision, 1);
      assert.equal((await watch.next()).value?.[0]?.revision, 2);
      for (let value = 5; value <= 12; value++) await write(store, '/core/pods/a/1', String(value));
      let resumeFrom = 0;
      await assert.rejects(watch.next(), (error) => {
        assert.ok(error instanceof SlowWatcherError);
        resumeFrom = error.resumeFrom;
        return true;
      });
      assert.equal(resumeFrom, 2);
      assert.equal((await watch.next()).done, true);
      const rest = await take(store.watch('/core/pods/', { fromRevision: resumeFrom }), 10);
      assert.deepEqual(
        rest.map((event) => event.revision),
        [3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      );
    });

    void test('a reader of the past may take its time: nothing is buffered for it', async (context) => {
      const store = await harness.open(context);
      for (let batch = 0; batch < 3; batch++) {
        await Promise.all(
          Array.from({ length: 800 }, (_, index) =>
            store.put(`/core/pods/a/${batch}-${index}`, configMap(''), 0),
          ),
        );
      }
      const watch = store.watch('/core/pods/', { fromRevision: 0, maxBuffered: 10 });
      const events = await take(watch, 2400);
      assert.deepEqual(
        events.map((event) => event.revision),
        Array.from({ length: 2400 }, (_, index) => index + 1),
      );
    });

    void test('return() ends a watch, also one that waits', async (context) => {
      const store = await harness.open(context);
      const watch = store.watch('/core/pods/', { fromRevision: 0 });
      const next = watch.next();
      await watch.return();
      assert.equal((await next).done, true);
      await write(store, '/core/pods/a/1', '');
      assert.equal((await watch.next()).done, true);
    });

    void test('leaving the block of a watch ends it', async (context) => {
      const store = await harness.open(context);
      let left: AsyncIterator<unknown> | undefined;
      {
        await using watch = store.watch('/core/pods/', { fromRevision: 0 });
        left = watch;
      }
      await write(store, '/core/pods/a/1', '');
      assert.equal((await left.next()).done, true);
    });

    void test('leaving a for-await loop ends the watch', async (context) => {
      const store = await harness.open(context);
      await write(store, '/core/pods/a/1', '');
      const watch = store.watch('/core/pods/', { fromRevision: 0 });
      for await (const batch of watch) {
        assert.equal(batch.length, 1);
        break;
      }
      assert.equal((await watch.next()).done, true);
    });

    void test('an abort fails a watch that waits, one with events, and one that comes late', async (context) => {
      const store = await harness.open(context);
      await write(store, '/core/pods/a/1', '');
      const controller = new AbortController();
      const { signal } = controller;
      const waiting = store.watch('/core/none/', { fromRevision: 0, signal }).next();
      const full = store.watch('/core/pods/', { fromRevision: 0, signal });
      const reason = new Error('enough');
      controller.abort(reason);
      const late = store.watch('/core/pods/', { fromRevision: 0, signal });
      for (const attempt of [waiting, full.next(), late.next()]) {
        await assert.rejects(attempt, (error) => error instanceof CancelledError && error.cause === reason);
      }
      assert.equal((await full.next()).done, true);
    });

    void test('waitFor resolves when the revision is there, and not before', async (context) => {
      const store = await harness.open(context);
      await store.waitFor(0);
      let reached = 0;
      const waits = [3, 1, 2].map((revision) =>
        store.waitFor(revision).then(() => {
          reached = Math.max(reached, revision);
          assert.ok(store.revision >= revision);
        }),
      );
      await write(store, '/core/pods/a/1', '');
      await waits[1];
      assert.equal(reached, 1);
      await write(store, '/core/pods/a/1', '');
      await write(store, '/core/pods/a/1', '');
      await Promise.all(waits);
      const controller = new AbortController();
      const aborted = store.waitFor(99, controller.signal);
      controller.abort();
      await assert.rejects(aborted, CancelledError);
      await assert.rejects(store.waitFor(99, controller.signal), CancelledError);
    });
  });
}
