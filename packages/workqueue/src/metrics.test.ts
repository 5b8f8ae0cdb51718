import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, MetricsRegistry } from '@windlass/base';
import { WorkQueue } from './work-queue.ts';

interface Fixture {
  readonly clock: FakeClock;
  readonly registry: MetricsRegistry;
  readonly queue: WorkQueue;
  /** The value of a series of the queue, without the `workqueue_` of its name. */
  readonly read: (name: string, more?: string) => number | undefined;
}

const setUp = (): Fixture => {
  const clock = new FakeClock();
  const registry = new MetricsRegistry();
  const queue = new WorkQueue({ clock, metrics: registry, name: 'pods' });
  const read = (name: string, more = ''): number | undefined => {
    const prefix = `workqueue_${name}{name="pods"${more}} `;
    const line = registry
      .expose()
      .split('\n')
      .find((each) => each.startsWith(prefix));
    return line === undefined ? undefined : Number(line.slice(prefix.length));
  };
  return { clock, registry, queue, read };
};

test('names, types and labels are those of client-go', () => {
  const { registry } = setUp();
  const families = registry.expose().match(/^# TYPE .*$/gm);
  assert.deepEqual(families, [
    '# TYPE workqueue_adds_total counter',
    '# TYPE workqueue_depth gauge',
    '# TYPE workqueue_longest_running_processor_seconds gauge',
    '# TYPE workqueue_queue_duration_seconds histogram',
    '# TYPE workqueue_retries_total counter',
    '# TYPE workqueue_unfinished_work_seconds gauge',
    '# TYPE workqueue_work_duration_seconds histogram',
  ]);
  const buckets = [
    ...registry.expose().matchAll(/workqueue_work_duration_seconds_bucket\{name="pods",le="(.+)"\}/g),
  ];
  const bounds = buckets.map(([, bound]) => Number(bound));
  const decades = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10];
  assert.equal(bounds.length, 11);
  for (const [index, decade] of decades.entries()) assert.ok(Math.abs(bounds[index]! / decade - 1) < 1e-9);
});

test('depth counts what is queued, and what will be once its worker is done', () => {
  const { queue, read } = setUp();
  const depths: (number | undefined)[] = [];
  const look = (): void => void depths.push(read('depth'));
  look();
  queue.add('a');
  queue.add('b');
  queue.add('a');
  look();
  const item = queue.tryGet()!;
  look();
  queue.add('a');
  look();
  queue.done(item);
  look();
  queue.done(queue.tryGet()!);
  queue.done(queue.tryGet()!);
  look();
  assert.deepEqual(depths, [0, 2, 1, 2, 2, 0]);
});

test('adds count what asks for a new run, not what coalesces', async () => {
  const { clock, queue, read } = setUp();
  queue.add('a');
  queue.add('a');
  queue.addAfter('b', 10);
  assert.equal(read('adds_total'), 1);
  await clock.advance(10);
  assert.equal(read('adds_total'), 2);
  const item = queue.tryGet()!;
  queue.add('a');
  queue.add('a');
  queue.done(item);
  assert.equal(read('adds_total'), 3);
});

test('retries count every delayed and rate-limited add, one that is due at once too', () => {
  const { queue, read } = setUp();
  queue.addAfter('a', 10);
  queue.addAfter('a', 0);
  queue.addRateLimited('b');
  queue.addRateLimited('b');
  assert.equal(read('retries_total'), 4);
});

test('durations are in seconds: waiting from the add, working from the get', async () => {
  const { clock, queue, read } = setUp();
  queue.add('a');
  await clock.advance(250);
  const item = queue.tryGet()!;
  await clock.advance(1000);
  queue.add('a');
  await clock.advance(500);
  queue.done(item);
  const again = queue.tryGet()!;
  await clock.advance(2000);
  queue.done(again);
  assert.equal(read('queue_duration_seconds_count'), 2);
  assert.equal(read('queue_duration_seconds_sum'), 0.25 + 0.5);
  assert.equal(read('work_duration_seconds_count'), 2);
  assert.equal(read('work_duration_seconds_sum'), 1.5 + 2);
  assert.equal(read('queue_duration_seconds_bucket', ',le="1"'), 2);
});

test('with metrics time is exact within a turn too', () => {
  const { clock, queue, read } = setUp();
  queue.add('a');
  clock.advanceSync(1.5);
  const item = queue.tryGet()!;
  clock.advanceSync(2.25);
  queue.done(item);
  assert.equal(read('queue_duration_seconds_sum'), 0.0015);
  assert.equal(read('work_duration_seconds_sum'), 0.00225);
});

test('unfinished work is what workers are at when somebody looks', async () => {
  const { clock, queue, read } = setUp();
  queue.add('a');
  queue.add('b');
  const first = queue.tryGet()!;
  await clock.advance(3000);
  const second = queue.tryGet()!;
  await clock.advance(1000);
  assert.equal(read('unfinished_work_seconds'), 5);
  assert.equal(read('longest_running_processor_seconds'), 4);
  queue.done(first);
  assert.equal(read('unfinished_work_seconds'), 1);
  assert.equal(read('longest_running_processor_seconds'), 1);
  queue.done(second);
  assert.equal(read('unfinished_work_seconds'), 0);
  assert.equal(read('longest_running_processor_seconds'), 0);
});

test('series stay until the last worker is done, then they are gone', async () => {
  const { queue, registry, read } = setUp();
  queue.add('a');
  queue.add('b');
  const item = queue.tryGet()!;
  const shutDown = queue.shutDown();
  assert.equal(read('depth'), 0);
  queue.add('c');
  queue.addAfter('c', 1);
  assert.deepEqual([read('adds_total'), read('retries_total')], [2, 0], 'what is refused is not counted');
  queue.done(item);
  assert.doesNotMatch(registry.expose(), /pods/);
  await shutDown;
});

test('they are gone also when nobody waits for the end any more', async () => {
  const { queue, registry } = setUp();
  queue.add('a');
  const item = queue.tryGet()!;
  await assert.rejects(queue.shutDown({ signal: AbortSignal.abort() }));
  queue.done(item);
  assert.doesNotMatch(registry.expose(), /pods/);
});

test('a queue that was shut down twice does not take the series of its successor', async () => {
  const { queue, registry } = setUp();
  await queue.shutDown();
  const successor = new WorkQueue({ metrics: registry, name: 'pods' });
  successor.add('a');
  await queue.shutDown();
  assert.match(registry.expose(), /^workqueue_depth\{name="pods"\} 1$/m);
});

test('a queue with a name and no metrics measures nothing', () => {
  assert.equal(new WorkQueue({ name: 'pods' }).name, 'pods');
});
