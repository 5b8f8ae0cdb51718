import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeClock } from '@windlass/base';
import { requestInfoOf } from '../../request/request-info.ts';
import { DemandIntegrator } from '../seats/seat-demand.ts';
import { QueueSet, type QueuingConfig } from './queue-set.ts';
import type { FlowMeter, SeatRequest } from './seat-request.ts';

const info = requestInfoOf({ method: 'GET', path: '/version' });
const SILENT: FlowMeter = { enqueued() {}, dequeued() {}, started() {}, finished() {}, seatsFreed() {} };

const QUEUES: QueuingConfig = { type: 'queue', queues: 8, handSize: 1, queueLengthLimit: 3 };

class Level {
  readonly clock = new FakeClock();
  readonly demand = new DemandIntegrator(0);
  readonly set: QueueSet;

  constructor(limit: number, config: QueuingConfig = QUEUES) {
    this.set = new QueueSet(config, limit, this.clock, this.demand);
  }

  /** @param queue which one its flow uses */
  start(queue: number, seats = 1, linger?: { readonly seats: number; readonly ms: number }): SeatRequest {
    const started = this.ask(queue, seats, linger);
    assert.ok(typeof started !== 'string', 'it was refused');
    return started;
  }

  ask(queue: number, seats = 1, linger?: { readonly seats: number; readonly ms: number }) {
    return this.set.start({
      estimate: { initialSeats: seats, finalSeats: linger?.seats ?? 0, lingerMs: linger?.ms ?? 0 },
      hand: [queue],
      meter: SILENT,
      details: { flowSchema: 'x', flowDistinguisher: String(queue), info, user: 'x' },
    });
  }
}

const states = (requests: readonly SeatRequest[]): string[] => requests.map(({ state }) => state);

describe('a level with queues', () => {
  test('gives seats at once while there are any, then lets requests wait, then refuses', () => {
    const level = new Level(2);
    const requests = [1, 1, 1, 1, 1].map((queue) => level.start(queue));
    assert.deepEqual(states(requests), ['executing', 'executing', 'waiting', 'waiting', 'waiting']);
    assert.equal(level.ask(1), 'queue-full');
    assert.equal(level.start(2).state, 'waiting', 'another queue has room');
  });

  test('serves the oldest of a queue first', () => {
    const level = new Level(1);
    const [first, second, third] = [level.start(1), level.start(1), level.start(1)];
    level.set.finish(first);
    assert.deepEqual(states([second, third]), ['executing', 'waiting']);
    level.set.finish(second);
    assert.equal(third.state, 'executing');
  });

  test('serves queues in turns, however much is waiting in one', async () => {
    const level = new Level(1, { ...QUEUES, type: 'queue', queueLengthLimit: 100 });
    const running = level.start(1);
    const greedy = Array.from({ length: 20 }, () => level.start(1));
    const modest = [level.start(2), level.start(2)];
    const order: number[] = [];
    for (const request of [...greedy, ...modest])
      request.onStart = () => order.push(request.queue?.index ?? -1);
    let current = running;
    for (let served = 0; served < 6; served++) {
      await level.clock.advance(10);
      level.set.finish(current);
      current = [...greedy, ...modest].find(({ state }) => state === 'executing') ?? current;
    }
    assert.ok(
      order.indexOf(2) <= 1 && order.filter((queue) => queue === 2).length === 2,
      `queues in the order in which they were served: ${order.join()}`,
    );
  });

  test('charges a queue for what its requests have really taken', async () => {
    const level = new Level(2, { ...QUEUES, type: 'queue', queueLengthLimit: 100 });
    const slow = level.start(1);
    const quick = level.start(2);
    const waiting = [level.start(1), level.start(2)];
    await level.clock.advance(1000);
    level.set.finish(slow);
    assert.equal(
      waiting[1]?.state,
      'executing',
      'queue 1 has used a second, and queue 2 as much, but 2 is next',
    );
    level.set.finish(quick);
    assert.equal(waiting[0]?.state, 'executing');
  });

  test('a wide request waits for as many seats, and once it is due narrow ones do not overtake it', async () => {
    const level = new Level(4);
    const narrow = [level.start(1), level.start(1)];
    const wide = level.start(2, 4);
    assert.equal(level.start(4).state, 'executing', 'it is not due yet: a narrow one would be done first');
    await level.clock.advance(50);
    const late = level.start(3);
    narrow.push(
      ...[...level.set.queues()].flatMap(({ index, executing }) => (index === 4 ? [...executing] : [])),
    );
    assert.deepEqual(states([wide, late]), ['waiting', 'waiting']);
    for (const request of narrow) level.set.finish(request);
    assert.deepEqual([wide.state, level.set.seatsInUse, late.state], ['executing', 4, 'waiting']);
    level.set.finish(wide);
    assert.equal(late.state, 'executing');
  });

  test('a request that is wider than the level is served alone', () => {
    const level = new Level(2);
    const first = level.start(1);
    const wide = level.start(2, 5);
    assert.equal(wide.state, 'waiting');
    level.set.finish(first);
    assert.equal(wide.state, 'executing');
    const next = level.start(3);
    assert.equal(next.state, 'waiting');
    level.set.finish(wide);
    assert.equal(next.state, 'executing');
  });

  test('one that is cancelled makes room for those that waited behind it', () => {
    const level = new Level(4);
    const running = level.start(1, 2);
    const wide = level.start(2, 4);
    const late = level.start(3, 2);
    assert.equal(level.set.cancel(wide), true);
    assert.deepEqual(states([running, wide, late]), ['executing', 'done', 'executing']);
    assert.equal(level.set.cancel(wide), false, 'only once');
    assert.equal(level.set.cancel(late), false, 'not one that executes');
  });

  test('seats stay in use while watchers are told of a write', async () => {
    const level = new Level(3);
    const write = level.start(1, 1, { seats: 3, ms: 25 });
    const next = level.start(2);
    assert.equal(next.state, 'waiting', 'the wider of both counts from the start');
    level.set.finish(write);
    assert.deepEqual([write.state, next.state, level.set.executing], ['lingering', 'waiting', 0]);
    await level.clock.advance(24);
    assert.equal(next.state, 'waiting');
    await level.clock.advance(1);
    assert.deepEqual([write.state, next.state, level.set.seatsInUse], ['done', 'executing', 1]);
  });

  test('more seats are used at once, and fewer as requests end', () => {
    const level = new Level(1);
    const requests = [level.start(1), level.start(2), level.start(3), level.start(4)];
    level.set.configure(QUEUES, 3);
    assert.equal(level.set.executing, 3);
    level.set.configure(QUEUES, 1);
    assert.equal(level.set.executing, 3);
    for (const request of requests.filter(({ state }) => state === 'executing').slice(0, 2))
      level.set.finish(request);
    assert.deepEqual([level.set.executing, level.set.waiting], [1, 1]);
  });

  test('requests in queues that are no longer configured are served', () => {
    const level = new Level(1);
    const requests = [level.start(7), level.start(7)];
    level.set.configure({ type: 'reject' }, 1);
    assert.equal(level.ask(7), 'concurrency-limit');
    for (const request of requests) level.set.finish(request);
    assert.equal(level.set.isIdle, true);
  });

  test('of a hand the queue with the least work is taken', () => {
    const clock = new FakeClock();
    const set = new QueueSet(QUEUES, 1, clock, new DemandIntegrator(0));
    const ask = (hand: readonly number[]) => {
      const started = set.start({
        estimate: { initialSeats: 1, finalSeats: 0, lingerMs: 0 },
        hand,
        meter: SILENT,
        details: { flowSchema: 'x', flowDistinguisher: '', info, user: 'x' },
      });
      return typeof started === 'string' ? started : started.queue?.index;
    };
    ask([0]);
    assert.equal(ask([1]), 1);
    assert.equal(ask([1, 2]), 2);
    const next = [ask([1, 2, 3]), ask([1, 2, 3])];
    assert.ok(next.includes(3), `queues ${next.join()}`);
    for (let at = 0; at < 5; at++) ask([1, 2]);
    assert.equal(ask([1, 2]), 'queue-full', 'both are full');
  });

  test('the demand is what is used and waited for', async () => {
    const level = new Level(2);
    const requests = [level.start(1), level.start(2), level.start(3)];
    await level.clock.advance(1000);
    for (const request of requests) level.set.finish(request);
    for (const request of requests) level.set.finish(request);
    await level.clock.advance(1000);
    const { average, highest } = level.demand.next(level.clock.monotonic());
    assert.deepEqual([average, highest], [1.5, 3]);
  });
});

describe('a level without queues', () => {
  test('refuses when its seats are in use', () => {
    const level = new Level(2, { type: 'reject' });
    const first = level.start(0);
    level.start(0);
    assert.equal(level.ask(0), 'concurrency-limit');
    level.set.finish(first);
    assert.equal(level.start(0).state, 'executing');
  });

  test('that is exempt refuses nobody, and counts', () => {
    const level = new Level(0, { type: 'exempt' });
    const requests = Array.from({ length: 50 }, () => level.start(0, 3));
    assert.deepEqual([level.set.executing, level.set.seatsInUse], [50, 150]);
    for (const request of requests) level.set.finish(request);
    assert.deepEqual([level.set.executing, level.set.seatsInUse], [0, 0]);
  });
});
