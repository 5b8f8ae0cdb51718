import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { FakeClock, nextTurn } from '@windlass/base';
import { createClient } from '@windlass/client';
import { FakeTransport } from '@windlass/client/testing';
import { Controller } from '@windlass/runtime';
import type { RunDetail } from '../protocol.ts';
import { LoopRecorder, type LoopRecorderOptions } from './loop-recorder.ts';

const clock = new FakeClock();
const TURN_MS = 1000;

async function controllerOf(
  reconcile: (key: string) => Promise<void> | void,
  name = 'test',
): Promise<AsyncDisposable & { readonly controller: Controller; run(...keys: string[]): Promise<void> }> {
  const controller = new Controller({ name, reconcile, clock });
  await controller.start();
  return {
    controller,
    async run(...keys) {
      for (const key of keys) controller.enqueue(key);
      do await nextTurn();
      while (controller.counts().queued + controller.counts().working > 0);
    },
    [Symbol.asyncDispose]: () => controller.stop(),
  };
}

function recorderOf(options: Partial<LoopRecorderOptions> = {}): LoopRecorder {
  const recorder = new LoopRecorder({ clock, controllers: () => [], peek: () => undefined, ...options });
  recorder.setDetailed(true);
  return recorder;
}

const numbered = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => String(from + index));

test('in a turn a thousand runs are heard, and then it is said that there were more', async () => {
  await using operator = await controllerOf(() => {});
  using recorder = new LoopRecorder({ clock, controllers: () => [], peek: () => undefined });
  await operator.run(...numbered(999));
  assert.deepEqual([recorder.nextRun, recorder.tick().isSampled], [999, false]);
  await operator.run(...numbered(500));
  assert.deepEqual([recorder.nextRun, recorder.tick().isSampled], [1000, true]);
  await clock.advance(TURN_MS);
  await operator.run('a');
  assert.deepEqual([recorder.nextRun, recorder.tick().isSampled], [1001, true], 'for a while it is said');
  await clock.advance(TURN_MS);
  assert.equal(recorder.tick().isSampled, false);
});

/** Config maps that each request changes: the object that a cache has of it, and what the server answers. */
function configMaps(text: (name: string, which: 'before' | 'after') => string) {
  const client = createClient({
    transport: new FakeTransport({
      onRequest: ({ path }) => ({ body: object(path.split('/').at(-1) ?? '', 'after') }),
    }),
  });
  const object = (name: string, which: 'before' | 'after'): ConfigMap => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', resourceVersion: which === 'before' ? '1' : '2' },
    data: { text: text(name, which), which },
  });
  return {
    peek: (_: string, key: string) => object(key.slice('default/'.length), 'before'),
    async write(name: string): Promise<void> {
      await client
        .resource(ConfigMap)
        .namespace('default')
        .patch(name, { data: { which: 'after' } });
    },
  };
}

test('runs of controllers that are not its own are not shown or followed, whatever their name', async () => {
  const maps = configMaps(() => '');
  await using own = await controllerOf((key) => maps.write(key));
  await using other = await controllerOf((key) => maps.write(key));
  const peeked: string[] = [];
  const peek = (kind: string, key: string) => {
    peeked.push(key);
    return maps.peek(kind, key);
  };
  using recorder = recorderOf({ isOwn: ({ instance }) => instance === own.controller, peek });
  using all = recorderOf();
  await other.run('other');
  await own.run('own');
  const keys = (runs: readonly RunDetail[]): string[] => runs.map(({ key }) => key);
  assert.deepEqual(keys(recorder.details(undefined, undefined)), ['own']);
  assert.deepEqual(keys(all.details(undefined, undefined)), ['own', 'other']);
  assert.deepEqual(peeked, ['default/own']);
});

test('a part of it that fails harms no run, and is warned of once', async () => {
  const maps = configMaps(() => '');
  const warnings: string[] = [];
  const hear = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', hear);
  let written = 0;
  await using operator = await controllerOf(async (key) => {
    await maps.write(key);
    written++;
  });
  using recorder = recorderOf({
    peek: () => {
      throw new Error('the cache is gone');
    },
  });
  await operator.run('a', 'b', 'c');
  await nextTurn();
  process.off('warning', hear);
  assert.deepEqual([written, recorder.nextRun], [3, 3]);
  assert.equal(warnings.length, 1, warnings.join('\n'));
  assert.match(warnings[0] ?? '', /windlass:request:start failed.* the cache is gone/);
});

/** In megabytes, what the heap has more after the body than before it. */
async function growth(body: () => Promise<void>): Promise<number> {
  const { gc } = globalThis;
  assert.ok(gc, 'run with --expose-gc');
  gc();
  const before = process.memoryUsage().heapUsed;
  await body();
  gc();
  return (process.memoryUsage().heapUsed - before) / 1024 / 1024;
}

/** A string of its own: a repeated one would share its parts. */
const unique = (length: number, start: string): string =>
  Buffer.alloc(length, `${start} `).toString('latin1');

for (const [what, length, runs, atMost] of [
  // Held whole they would be 250 MB.
  ['objects', 25_000, 5000, 64],
  // 200 MB.
  ['large objects, of which not even the last are held', 100_000, 1000, 16],
] as const)
  test(`what runs wrote is remembered, and not their ${what}`, async () => {
    const maps = configMaps((name, which) => unique(length, `${name} ${which}`));
    await using operator = await controllerOf((key) => maps.write(key));
    using recorder = recorderOf({ peek: maps.peek });
    const grown = await growth(async () => {
      for (let from = 0; recorder.nextRun < runs; from += 10) {
        await operator.run(...numbered(10, from));
        await clock.advance(TURN_MS);
      }
    });
    assert.ok(grown < atMost, `${grown.toFixed(1)} MB are held`);
    const [last] = recorder.details(undefined, undefined);
    const [old] = recorder.detailsSince(recorder.nextRun - 600, 600);
    for (const run of [last, old]) {
      const [write] = run?.writes ?? [];
      assert.deepEqual(
        [write?.verb, write?.resource, write?.key],
        ['patch', 'configmaps', `default/${run?.key}`],
      );
      const [text, which] = write?.diff ?? [];
      assert.deepEqual(which, { path: 'data.which', before: 'before', after: 'after' });
      assert.equal(text?.path, 'data.text');
      assert.equal(text.after, `${unique(2000, `${run?.key} after`)}…`);
    }
  });

test('when too much has been written, the oldest is forgotten and says so', async () => {
  const maps = configMaps((name, which) => unique(70_000, `${name} ${which}`));
  await using operator = await controllerOf((key) => maps.write(key));
  using recorder = recorderOf({ peek: maps.peek });
  // Each keeps about 4,200 bytes of 16 MB.
  while (recorder.nextRun < 4500) {
    await operator.run(...numbered(10, recorder.nextRun));
    await clock.advance(TURN_MS);
  }
  const [oldest] = recorder.detailsSince(0, 5000);
  const [newest] = recorder.details(undefined, undefined);
  assert.deepEqual(
    oldest?.writes.map(({ key, diff, isForgotten }) => [key, diff, isForgotten]),
    [['default/0', [], true]],
  );
  assert.deepEqual(
    newest?.writes.map(({ diff, isForgotten }) => [diff.length, isForgotten]),
    [[2, undefined]],
  );
});
