import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from '@windlass/base';
import { checkPlan } from './check-plan.ts';
import { generatePlan } from './generate-plan.ts';

test('seeds make no longer faults than the ground allows', () => {
  const ground = { processes: ['exec'], nodes: ['a'], workloadMs: 1000, counts: {} };
  const longest = (longestMs?: number): number => {
    const spans = Array.from({ length: 200 }, (_, seed) =>
      generatePlan(new SeededRandom(seed), { ...ground, longestMs }),
    ).flatMap((plan) =>
      plan.map((fault) => ('forMs' in fault ? (fault.forMs ?? 0) : 'downMs' in fault ? fault.downMs : 0)),
    );
    return Math.max(...spans);
  };
  assert.equal(longest(2000), 2000);
  assert.equal(longest(), 400_000);
});

test('a plan may be kept to some kinds of faults', () => {
  const cast = { processes: ['exec'], nodes: [], kinds: ['kill', 'watch'] as const };
  checkPlan([{ kind: 'kill', process: 'exec', when: 0, downMs: 0 }], cast);
  assert.throws(
    () => checkPlan([{ kind: 'clock', process: 'exec', when: 0, byMs: 5 }], cast),
    /plan\[0\]\.kind must be one of "kill", "watch", but it is "clock"/,
  );
});
