// What holds of a level however requests come, go and are cancelled: no seat is lost or given twice, nobody starves, and
// a greedy flow gets no more than a modest one that asks for as much as its share.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeClock } from '@windlass/base';
import * as fc from 'fast-check';
import { requestInfoOf } from '../../request/request-info.ts';
import { DemandIntegrator } from '../seats/seat-demand.ts';
import { QueueSet, type QueuingConfig } from './queue-set.ts';
import type { FlowMeter, SeatRequest } from './seat-request.ts';
import { dealHand } from './shuffle-sharding.ts';

const info = requestInfoOf({ method: 'GET', path: '/version' });
const details = { flowSchema: 'x', flowDistinguisher: '', info, user: 'x' };

/** Counts for itself, so that what the level says can be compared. */
class Counts implements FlowMeter {
  waiting = 0;
  waitingSeats = 0;
  executing = 0;
  seats = 0;

  enqueued(seats: number): void {
    this.waiting++;
    this.waitingSeats += seats;
  }
  dequeued(seats: number): void {
    this.waiting--;
    this.waitingSeats -= seats;
  }
  started(seats: number): void {
    this.executing++;
    this.seats += seats;
  }
  finished(): void {
    this.executing--;
  }
  seatsFreed(seats: number): void {
    this.seats -= seats;
  }
}

type Step =
  | { readonly type: 'start'; readonly flow: number; readonly seats: number; readonly lingerMs: number }
  | { readonly type: 'finish' | 'cancel'; readonly pick: number }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'configure'; readonly limit: number; readonly queues: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('start' as const),
      flow: fc.nat(5),
      seats: fc.integer({ min: 1, max: 6 }),
      lingerMs: fc.constantFrom(0, 0, 0, 5, 50),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('finish' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('cancel' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.nat(100) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('configure' as const),
      limit: fc.nat(8),
      queues: fc.constantFrom(0, 1, 3, 16),
    }),
  },
);

function configOf(queues: number): QueuingConfig {
  return queues === 0
    ? { type: 'reject' }
    : { type: 'queue', queues, handSize: Math.min(2, queues), queueLengthLimit: 4 };
}

describe('whatever happens at a level', () => {
  test('no seat is lost or given twice, and at the end all are free', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const clock = new FakeClock({ settle: () => Promise.resolve() });
        const meter = new Counts();
        let queues = 3;
        let limit = 4;
        const set = new QueueSet(configOf(queues), limit, clock, new DemandIntegrator(0));
        const live: SeatRequest[] = [];
        const check = (): void => {
          const waiting = live.filter(({ state }) => state === 'waiting');
          const executing = live.filter(({ state }) => state === 'executing');
          const seated = live.filter(({ state }) => state === 'executing' || state === 'lingering');
          const seats = seated.reduce((sum, request) => sum + request.seats, 0);
          assert.deepEqual(
            [set.waiting, set.executing, set.seatsInUse],
            [waiting.length, executing.length, seats],
          );
          assert.deepEqual(
            [meter.waiting, meter.executing, meter.seats, meter.waitingSeats],
            [waiting.length, executing.length, seats, set.seatsWaiting],
          );
          if (set.waiting > 0 && seats === 0)
            assert.equal(limit, 0, 'requests wait although all seats are free');
        };
        for (const taken of steps) {
          if (taken.type === 'wait') await clock.advance(taken.ms);
          else if (taken.type === 'configure') {
            ({ limit, queues } = taken);
            set.configure(configOf(queues), limit);
          } else if (taken.type === 'start') {
            const { seats, lingerMs, flow } = taken;
            const hand = queues === 0 ? [] : dealHand(BigInt(flow * 7919), queues, Math.min(2, queues));
            const estimate = { initialSeats: seats, finalSeats: lingerMs > 0 ? seats : 0, lingerMs };
            const started = set.start({ estimate, hand, meter, details });
            if (typeof started !== 'string') live.push(started);
          } else {
            const request = live[taken.pick % Math.max(1, live.length)];
            if (request !== undefined && taken.type === 'finish') set.finish(request);
            else if (request !== undefined) set.cancel(request);
          }
          check();
        }
        // Everybody who waits gets a turn, once there are seats.
        set.configure(configOf(queues), Math.max(1, limit));
        for (let round = 0; round < 1000 && !set.isIdle; round++) {
          await clock.advance(60);
          const next = live.find(({ state }) => state === 'executing');
          if (next !== undefined) set.finish(next);
          check();
        }
        await clock.advance(1000);
        check();
        assert.deepEqual([set.waiting, set.executing, set.seatsInUse, set.seatsWaiting], [0, 0, 0, 0]);
        assert.equal(set.queues().length, 0, 'no queue is kept');
        assert.equal(set.progress, 0, 'and the progress begins anew');
      }),
      { numRuns: 200 },
    );
  });

  test('a greedy flow gets no more than a modest one that always wants its share', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          limit: fc.integer({ min: 2, max: 10 }),
          greedyMs: fc.integer({ min: 1, max: 40 }),
          modestMs: fc.integer({ min: 1, max: 40 }),
        }),
        async ({ limit, greedyMs, modestMs }) => {
          const used = await serve(limit, [
            { queue: 0, backlog: 200, ms: greedyMs },
            { queue: 1, backlog: limit * 2, ms: modestMs },
          ]);
          const [greedy = 0, modest = 0] = used;
          // Each may be ahead by the requests that were under way.
          assert.ok(
            greedy <= modest * 1.3 + limit * (greedyMs + modestMs),
            `the greedy flow had ${greedy} seat-ms, the modest one ${modest}`,
          );
        },
      ),
      { numRuns: 30 },
    );
  });

  test('a flow that asks for one thing at a time never waits for the backlog of another', async () => {
    const waits: number[] = [];
    await serve(
      4,
      [
        { queue: 0, backlog: 300, ms: 20 },
        { queue: 1, backlog: 1, ms: 5 },
      ],
      waits,
    );
    assert.ok(waits.length > 50, `${waits.length} were served`);
    assert.ok(Math.max(...waits) <= 40, `the longest wait was ${Math.max(...waits)} ms`);
  });
});

interface Load {
  readonly queue: number;
  /** So many of its requests are always waiting or executing. */
  readonly backlog: number;
  readonly ms: number;
}

/** Serves flows for two seconds. Returns the seat-milliseconds that each has had. */
async function serve(limit: number, loads: readonly Load[], lastWaits: number[] = []): Promise<number[]> {
  const clock = new FakeClock({ settle: () => Promise.resolve() });
  const meter = new Counts();
  const config: QueuingConfig = { type: 'queue', queues: 2, handSize: 1, queueLengthLimit: 1000 };
  const set = new QueueSet(config, limit, clock, new DemandIntegrator(0));
  const used = loads.map(() => 0);
  const ask = (index: number): void => {
    const load = loads[index];
    if (load === undefined || clock.monotonic() >= 2000) return;
    const askedMs = clock.monotonic();
    const run = (request: SeatRequest): void => {
      if (index === loads.length - 1) lastWaits.push(clock.monotonic() - askedMs);
      clock.setTimeout(() => {
        used[index] = (used[index] ?? 0) + load.ms;
        set.finish(request);
        ask(index);
      }, load.ms);
    };
    const estimate = { initialSeats: 1, finalSeats: 0, lingerMs: 0 };
    const started = set.start({ estimate, hand: [load.queue], meter, details });
    assert.ok(typeof started !== 'string');
    if (started.state === 'executing') run(started);
    else started.onStart = () => run(started);
  };
  for (const [index, { backlog }] of loads.entries()) for (let at = 0; at < backlog; at++) ask(index);
  await clock.advance(2000);
  return used;
}
