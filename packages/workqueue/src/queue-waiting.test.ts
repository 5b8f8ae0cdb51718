import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { CancelledError, FakeClock } from '@windlass/base';
import { Queue } from './queue.ts';
import type { WorkItem } from './work-item.ts';
import { WorkQueue } from './work-queue.ts';

const turn = (): Promise<void> => new FakeClock().settle();
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

test('get gives what is queued at once', async () => {
  const queue = new Queue<string>();
  queue.add('a');
  assert.equal((await queue.get())?.key, 'a');
});

test('those who wait are served in the order in which they came', async () => {
  const queue = new Queue<string>();
  const gets = [queue.get(), queue.get(), queue.get()];
  for (const key of ['a', 'b', 'c']) queue.add(key);
  const items = await Promise.all(gets);
  assert.deepEqual(
    items.map((item) => item?.key),
    ['a', 'b', 'c'],
  );
  assert.equal(queue.length, 0);
});

test('a key is handed to one who waits with the reason and the priority of the add that brought it', async () => {
  const queue = new Queue<string>();
  const got = queue.get();
  queue.add('a', { priority: 7, reason: 'created' });
  const item = await got;
  assert.deepEqual([item?.priority, item?.reasons.kept], [7, ['created']]);
});

test('done hands a key that was added again to one who waits', async () => {
  const queue = new Queue<string>();
  queue.add('a');
  const first = queue.tryGet()!;
  queue.add('a');
  const got = queue.get();
  queue.done(first);
  assert.equal((await got)?.key, 'a');
});

test('a delay that is over wakes one who waits', async () => {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock });
  const got = queue.get();
  queue.addAfter('a', 10);
  await clock.advance(10);
  assert.equal((await got)?.key, 'a');
});

test('get rejects when its signal has aborted or aborts, and takes nothing', async () => {
  const queue = new Queue<string>();
  queue.add('a');
  const reason = new Error('enough');
  await assert.rejects(queue.get({ signal: AbortSignal.abort(reason) }), (error: unknown) => {
    assert.ok(error instanceof CancelledError);
    assert.equal(error.cause, reason);
    return true;
  });
  assert.equal(queue.length, 1);
  queue.done(queue.tryGet()!);

  const controller = new AbortController();
  const got = queue.get({ signal: controller.signal });
  controller.abort();
  await assert.rejects(got, CancelledError);
  queue.add('b');
  assert.equal(queue.length, 1, 'the one who left got nothing');
});

test('one who was served before his signal aborted has his key, in whatever order he learns of both', async () => {
  const queue = new Queue<string>();
  const controller = new AbortController();
  const got = queue.get({ signal: controller.signal });
  queue.add('a');
  controller.abort();
  const item = await got;
  assert.equal(item?.key, 'a');
  queue.done(item);
});

test('a wait leaves no listener behind, however it ends', async () => {
  const endings: Record<string, (queue: Queue<string>, controller: AbortController) => void> = {
    served: (queue) => void queue.add('a'),
    aborted: (_, controller) => controller.abort(),
    'shut down': (queue) => void queue.shutDown(),
  };
  for (const [name, end] of Object.entries(endings)) {
    const queue = new Queue<string>();
    const controller = new AbortController();
    const got = queue.get({ signal: controller.signal });
    assert.equal(listeners(controller.signal), 1, name);
    end(queue, controller);
    await got.catch(() => {});
    assert.equal(listeners(controller.signal), 0, name);
  }
  const queue = new Queue<string>();
  queue.add('a');
  const { signal } = new AbortController();
  await queue.get({ signal });
  assert.equal(listeners(signal), 0, 'no wait');
});

test('items gives a worker one key after the other, and calls done between them', async () => {
  const queue = new Queue<string>();
  const seen: string[] = [];
  const worker = async (): Promise<void> => {
    for await (const { key } of queue.items()) {
      assert.ok(queue.isProcessing(key));
      assert.equal(queue.processingCount, 1);
      seen.push(key);
    }
  };
  const work = worker();
  for (const key of ['a', 'b']) queue.add(key);
  await turn();
  assert.equal(queue.processingCount, 0);
  queue.add('c');
  await turn();
  await queue.shutDown();
  await work;
  assert.deepEqual(seen, ['a', 'b', 'c']);
});

test('items calls done when the worker breaks, throws or returns', async () => {
  const leave: Record<string, (items: AsyncGenerator<WorkItem<string>>) => Promise<void>> = {
    break: async (items) => {
      for await (const { key } of items) if (key === 'a') break;
    },
    throw: async (items) => {
      const loop = async (): Promise<void> => {
        for await (const { key } of items) throw new Error(`${key} is bad`);
      };
      await assert.rejects(loop(), /a is bad/);
    },
    return: async (items) => {
      await items.next();
      await items.return(undefined);
    },
  };
  for (const [name, run] of Object.entries(leave)) {
    const queue = new Queue<string>();
    queue.add('a');
    queue.add('b');
    await run(queue.items());
    assert.equal(queue.processingCount, 0, name);
    assert.equal(queue.length, 1, name);
  }
});

test('items throws when its signal aborts, but never while the worker has a key', async () => {
  const queue = new Queue<string>();
  const controller = new AbortController();
  const seen: string[] = [];
  const worker = async (): Promise<void> => {
    for await (const { key } of queue.items({ signal: controller.signal })) {
      controller.abort();
      seen.push(key);
    }
  };
  queue.add('a');
  queue.add('b');
  await assert.rejects(worker(), CancelledError);
  assert.deepEqual(seen, ['a']);
  assert.deepEqual([queue.length, queue.processingCount], [1, 0]);
  assert.equal(listeners(controller.signal), 0);
});

test('many workers never have one key at the same time', async () => {
  const clock = new FakeClock();
  const queue = new Queue<number>();
  const running = new Set<number>();
  let runs = 0;
  const worker = async (): Promise<void> => {
    for await (const { key } of queue.items()) {
      assert.ok(!running.has(key), `${key} runs twice at once`);
      running.add(key);
      runs++;
      if (runs < 500) queue.add((key * 7 + runs) % 10);
      await clock.settle();
      running.delete(key);
    }
  };
  for (let key = 0; key < 10; key++) queue.add(key);
  const workers = Array.from({ length: 8 }, worker);
  while (queue.length + queue.processingCount > 0) await turn();
  await queue.shutDown();
  await Promise.all(workers);
  assert.ok(runs >= 500);
});
