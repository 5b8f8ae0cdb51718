import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SeededRandom } from '@windlass/base';
import * as fc from 'fast-check';
import type { Fault, Plan } from './fault.ts';
import { generatePlan } from './generate-plan.ts';
import { shrinkPlan } from './shrink.ts';

const ground = {
  processes: ['a', 'b'],
  nodes: ['node-1'],
  workloadMs: 5000,
  counts: { a: { writes: 5, reads: 3 }, b: { writes: 2, reads: 2 } },
};
const plans = fc
  .integer({ min: 0, max: 2 ** 30 })
  .map((seed) => generatePlan(new SeededRandom(seed), ground))
  .filter((plan) => plan.length > 0);

const shrunk = async (plan: Plan, fails: (candidate: Plan) => boolean, maxRuns?: number): Promise<Plan> =>
  shrinkPlan(plan, (candidate) => Promise.resolve(fails(candidate)), maxRuns);

describe('the smallest plan that still fails', () => {
  it('has only the kinds of faults that are needed, each once', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.nat(), fc.nat(), async (plan, first, second) => {
        const needed = new Set([plan[first % plan.length]?.kind, plan[second % plan.length]?.kind]);
        const fails = (candidate: Plan): boolean =>
          [...needed].every((kind) => candidate.some((fault) => fault.kind === kind));
        const smallest = await shrunk(plan, fails);
        assert.ok(fails(smallest));
        assert.equal(smallest.length, needed.size);
      }),
    );
  });

  it('cannot lose any one fault', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.integer({ min: 1, max: 5 }), async (plan, least) => {
        const fails = (candidate: Plan): boolean => candidate.length >= Math.min(least, plan.length);
        const smallest = await shrunk(plan, fails);
        for (const index of smallest.keys()) assert.ok(!fails(smallest.toSpliced(index, 1)));
      }),
    );
  });

  it('still fails, and asks no more often than it may', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.nat({ max: 12 }), fc.func(fc.boolean()), async (plan, maxRuns, judge) => {
        let runs = 0;
        const fails = (candidate: Plan): boolean => {
          runs++;
          return judge(JSON.stringify(candidate));
        };
        const smallest = await shrunk(plan, fails, maxRuns);
        assert.ok(runs <= maxRuns);
        assert.ok(smallest === plan || judge(JSON.stringify(smallest)));
      }),
    );
  });

  it('is none when it fails without any fault', async () => {
    assert.deepEqual(await shrunk([kill(50), kill(500)], () => true), []);
    assert.deepEqual(await shrunk([], () => true), []);
  });
});

const kill = (downMs: number): Fault => ({ kind: 'kill', process: 'a', when: 0, downMs });
const write = (number: number, more: object = {}): Fault => ({
  kind: 'request',
  process: 'a',
  write: number,
  answer: 'lost',
  ...more,
});

describe('a fault', () => {
  for (const [what, fault, fails, expected] of [
    [
      'is as short as it may be',
      kill(20_000),
      (one: Fault) => one.kind === 'kill' && one.downMs >= 400,
      kill(500),
    ],
    [
      'keeps its span when no shorter one fails',
      kill(1999),
      (one: Fault) => 'downMs' in one && one.downMs > 500,
      kill(1999),
    ],
    ['happens once where once is enough', write(2, { times: 3 }), () => true, write(2)],
    [
      'leaves the past alone when that is not needed',
      { kind: 'server', when: 0, downMs: 50, compacts: true },
      () => true,
      { kind: 'server', when: 0, downMs: 50 },
    ],
  ] satisfies [string, Fault, (one: Fault) => boolean, Fault][])
    it(what, async () => {
      const smallest = await shrunk([fault], ([one]) => one !== undefined && fails(one));
      assert.deepEqual(smallest, [expected]);
    });

  it('has a lower number when an earlier request no longer fails', async () => {
    // The second write that the server takes must be lost; each one lost before moves it by one.
    const fails = (plan: Plan): boolean => {
      const lost = new Set(plan.flatMap((fault) => (fault.kind === 'request' ? [fault.write] : [])));
      return lost.has(2 + [1].filter((number) => lost.has(number)).length);
    };
    assert.deepEqual(await shrunk([write(3), write(1)], fails), [write(2)]);
  });
});
