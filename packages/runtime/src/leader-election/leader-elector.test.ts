// Leader election against the embedded API server: clocks that differ, replicas that are cut off, frozen or
// gone, and the promise that no two act at once.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiRequest, ApiResponse, Transport } from '@windlass/apimachinery';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { ApiServer, createMemoryStore } from '@windlass/apiserver';
import { FakeClock, nextTurn, SeededRandom } from '@windlass/base';
import { testSeeds } from '@windlass/base/testing';
import { createClient, TransportError } from '@windlass/client';
import { Manager } from '../manager/manager.ts';
import { LeaderElector } from './leader-elector.ts';

/** A way to the server that can be cut. */
class Wire implements Transport {
  readonly #inner: Transport;
  isCut = false;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    if (this.isCut) throw new TransportError('cut off', { code: 'CONNECTION_LOST', sent: false });
    return this.#inner.request(request);
  }

  watch(request: ApiRequest): ReturnType<Transport['watch']> {
    return this.#inner.watch(request);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

interface Candidate extends AsyncDisposable {
  readonly elector: LeaderElector;
  readonly clock: FakeClock;
  readonly wire: Wire;
  readonly stop: (release: boolean) => Promise<void>;
  /** Stopped for good. */
  readonly isDone: boolean;
}

const NAME = { name: 'test', namespace: 'default' };

function candidate(server: ApiServer, identity: string, start = Date.UTC(2026, 0, 1)): Candidate {
  const clock = new FakeClock({ start });
  const wire = new Wire(server.transport());
  const client = createClient({ transport: wire, clock, maxRetries: 0 });
  const elector = new LeaderElector({
    ...NAME,
    identity,
    client,
    clock,
    random: new SeededRandom(identity.length),
  });
  const stopping = new AbortController();
  let isDone = false;
  const running = (async () => {
    await elector.acquire(stopping.signal);
    await elector.renew(stopping.signal);
  })()
    .catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    })
    .finally(() => {
      isDone = true;
    });
  const stop = async (release: boolean): Promise<void> => {
    stopping.abort();
    await running;
    if (release) await elector.stop();
  };
  return {
    elector,
    clock,
    wire,
    stop,
    get isDone() {
      return isDone;
    },
    [Symbol.asyncDispose]: () => stop(false),
  };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await nextTurn();
}

async function advance(ms: number, ...candidates: readonly Candidate[]): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    for (const { clock } of candidates) await clock.advance(Math.min(250, ms - passed));
    await settle();
  }
}

async function lease(server: ApiServer): Promise<Lease> {
  return createClient({ transport: server.transport() }).resource(Lease).namespace('default').get('test');
}

describe('the lease', () => {
  it('goes to one, is renewed every two seconds, and names its holder', async () => {
    await using server = new ApiServer({ store: createMemoryStore() });
    await using a = candidate(server, 'a');
    await settle();
    await using b = candidate(server, 'b');
    await settle();
    assert.deepEqual([a.elector.isLeading, b.elector.isLeading], [true, false]);
    assert.equal(b.elector.leader, 'a');
    const before = await lease(server);
    assert.deepEqual(
      [before.spec?.holderIdentity, before.spec?.leaseDurationSeconds, before.spec?.leaseTransitions],
      ['a', 15, 0],
    );
    await advance(20_000, a, b);
    assert.deepEqual([a.elector.isLeading, b.elector.isLeading], [true, false]);
    const after = await lease(server);
    assert.equal(after.spec?.acquireTime, before.spec?.acquireTime);
    assert.equal(after.spec?.renewTime, '2026-01-01T00:00:20.000000Z');
  });

  it('given back is taken at the next attempt, and counts a change', async () => {
    await using server = new ApiServer({ store: createMemoryStore() });
    await using a = candidate(server, 'a');
    await settle();
    await using b = candidate(server, 'b');
    await settle();
    await a.stop(true);
    assert.equal((await lease(server)).spec?.holderIdentity ?? '', '');
    await advance(4400, b);
    assert.equal(b.elector.isLeading, true);
    assert.equal((await lease(server)).spec?.leaseTransitions, 1);
  });

  it('of one who is gone is taken after it has run out, and not before', async () => {
    await using server = new ApiServer({ store: createMemoryStore() });
    await using a = candidate(server, 'a');
    await settle();
    await using b = candidate(server, 'b');
    await settle();
    // As kill -9 does it: nobody renews, nobody releases.
    await advance(14_900, b);
    assert.equal(b.elector.isLeading, false);
    await advance(4500, b);
    assert.equal(b.elector.isLeading, true);
    assert.equal(a.elector.isLeading, true, 'its clock stands still: it is frozen');
    // It wakes, and knows at once, before any timer or answer.
    a.clock.freeze(20_000);
    assert.equal(a.elector.isLeading, false);
    await a.clock.advance(0);
    await settle();
    assert.equal(a.isDone, true);
  });

  it('a clock that is years off changes nothing', async () => {
    await using server = new ApiServer({ store: createMemoryStore() });
    await using a = candidate(server, 'a', Date.UTC(2020, 0, 1));
    await settle();
    await using b = candidate(server, 'b', Date.UTC(2036, 0, 1));
    await settle();
    await advance(60_000, a, b);
    assert.deepEqual([a.elector.isLeading, b.elector.isLeading], [true, false]);
  });

  it('one who is cut off stops leading before another begins', async () => {
    await using server = new ApiServer({ store: createMemoryStore() });
    await using a = candidate(server, 'a');
    await settle();
    await using b = candidate(server, 'b');
    await settle();
    await advance(5000, a, b);
    a.wire.isCut = true;
    let aEnded = 0;
    let bBegan = 0;
    for (let at = 250; at <= 30_000; at += 250) {
      await advance(250, a, b);
      if (!a.elector.isLeading && aEnded === 0) aEnded = at;
      if (b.elector.isLeading && bBegan === 0) bBegan = at;
    }
    assert.ok(aEnded > 0 && aEnded <= 10_000, `a ended after ${aEnded}`);
    assert.ok(bBegan - aEnded >= 3000, `b began ${bBegan - aEnded} ms later`);
  });

  it('a short cut is survived', async () => {
    await using server = new ApiServer({ store: createMemoryStore() });
    await using a = candidate(server, 'a');
    await settle();
    await advance(4000, a);
    a.wire.isCut = true;
    await advance(7000, a);
    a.wire.isCut = false;
    await advance(5000, a);
    assert.equal(a.elector.isLeading, true);
  });

  for (const seed of testSeeds(4)) {
    it(`no two lead at once, whatever happens to them (seed ${seed})`, async () => {
      const random = new SeededRandom(seed);
      await using server = new ApiServer({ store: createMemoryStore() });
      let born = 0;
      const all: Candidate[] = [];
      const rates = new Map<Candidate, number>();
      const frozen = new Map<Candidate, number>();
      const join = (): void => {
        const made = candidate(
          server,
          `c${born++}-${'x'.repeat(born % 7)}`,
          Date.UTC(2000 + random.int(50), 0, 1),
        );
        all.push(made);
        // Clocks that run up to five in a hundred too fast or too slow.
        rates.set(made, 0.95 + random.next() * 0.1);
      };
      for (let count = 0; count < 3; count++) join();
      let ledSteps = 0;
      const leaders = new Set<string>();
      for (let step = 0; step < 600; step++) {
        for (const one of all) {
          const asleep = frozen.get(one) ?? 0;
          if (asleep > 1) {
            frozen.set(one, asleep - 1);
            continue;
          }
          // Time goes on for who is frozen; it hears of it when it wakes.
          if (asleep === 1) one.clock.freeze(20_000);
          frozen.delete(one);
          await one.clock.advance(500 * (rates.get(one) ?? 1));
        }
        await settle();
        const leading = all.filter((one) => !frozen.has(one) && one.elector.isLeading);
        assert.ok(
          leading.length <= 1,
          `step ${step}: ${leading.map((one) => one.elector.identity).join(' and ')}`,
        );
        if (leading[0] !== undefined) {
          ledSteps++;
          leaders.add(leading[0].elector.identity);
        }
        const dice = random.int(100);
        const victim = leading[0] ?? all[random.int(all.length)];
        if (victim === undefined) continue;
        if (dice < 2) victim.wire.isCut = true;
        else if (dice < 4) for (const one of all) one.wire.isCut = false;
        else if (dice < 5 && !frozen.has(victim)) frozen.set(victim, 40);
        else if (dice < 6) await victim.stop(random.int(2) === 0);
        for (const one of all.filter((other) => other.isDone)) {
          all.splice(all.indexOf(one), 1);
          join();
        }
      }
      for (const one of all) await one.stop(false);
      assert.ok(leaders.size >= 3, `${leaders.size} leaders`);
      assert.ok(ledSteps > 200, `somebody led in ${ledSteps} of 600 steps`);
    });
  }
});

describe('bad options', () => {
  const client = createClient({ transport: new Wire(undefined as never) });
  const table = [
    [{ leaseDurationMs: 10_000 }, /leaseDurationMs must be above renewDeadlineMs \(10000\), but it is 10000/],
    [{ retryPeriodMs: 9000 }, /renewDeadlineMs must be above 1.2 times retryPeriodMs \(9000\)/],
    [
      { leaseDurationMs: 500, renewDeadlineMs: 100, retryPeriodMs: 10 },
      /leaseDurationMs must be at least 1000/,
    ],
    [{ identity: '' }, /identity/],
  ] as const;
  for (const [options, message] of table) {
    it(JSON.stringify(options), () => {
      assert.throws(() => new LeaderElector({ ...NAME, identity: 'a', client, ...options }), { message });
    });
  }
});

describe('managers', () => {
  it('only the leader reconciles; when it loses the lease, its work is aborted and its writes refused', async () => {
    await using server = new ApiServer({ store: createMemoryStore() });
    const clocks = [new FakeClock(), new FakeClock()] as const;
    const wires = [new Wire(server.transport()), new Wire(server.transport())] as const;
    const ran: string[] = [];
    const gate = Promise.withResolvers<void>();
    const aborted: unknown[] = [];
    const refused: unknown[] = [];
    const managers = clocks.map((clock, index) => {
      const manager = new Manager({
        transport: wires[index] as Wire,
        clock,
        identity: `m${index}`,
        leaderElection: NAME,
        clientOptions: { maxRetries: 0 },
      });
      manager
        .controller('maps')
        .for(ConfigMap, { namespace: 'default' })
        .reconcile(async (key, { signal }) => {
          ran.push(`m${index} ${key}`);
          if (index === 1 || key !== 'default/slow') return;
          signal.addEventListener('abort', () => aborted.push(signal.reason));
          await gate.promise;
          await manager
            .objects(ConfigMap)
            .patch(key, { data: { late: 'yes' } })
            .catch((error: unknown) => refused.push(error));
        });
      return manager;
    });
    const [first, second] = managers as [Manager, Manager];
    const failed = first.run(new AbortController().signal).catch((error: unknown) => error);
    await first.elected;
    await second.start();
    const maps = createClient({ transport: server.transport() }).resource(ConfigMap).namespace('default');
    await maps.create({ metadata: { name: 'slow' } });
    await settle();
    assert.ok(ran.includes('m0 default/slow'));
    assert.ok(!ran.some((text) => text.startsWith('m1')), 'the other one waits');
    wires[0].isCut = true;
    for (let at = 0; at < 30_000; at += 500) {
      for (const clock of clocks) await clock.advance(500);
      await settle();
    }
    assert.equal(second.isLeading, true);
    assert.ok(ran.includes('m1 default/slow'), 'the work goes on');
    assert.equal((aborted[0] as { code?: string } | undefined)?.code, 'LEADERSHIP_LOST');
    wires[0].isCut = false;
    gate.resolve();
    await settle();
    assert.equal((refused[0] as { code?: string } | undefined)?.code, 'NOT_LEADING');
    assert.equal((await maps.get('slow')).data?.['late'], undefined);
    await clocks[0].advance(2000);
    assert.equal(((await failed) as { code?: string }).code, 'LEADERSHIP_LOST');
    const stopping = second.stop();
    await settle();
    await clocks[1].advance(1000);
    await stopping;
    assert.equal((await lease(server)).spec?.holderIdentity ?? '', '', 'given back');
  });
});
