import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SeededRandom } from '@windlass/base';
import { checkPlan } from './check-plan.ts';
import { describeFault } from './describe-fault.ts';
import type { DriveFault } from './fault.ts';
import { generatePlan } from './generate-plan.ts';

const CAST = { processes: ['operator'], nodes: ['node-1'], drives: ['drive-1', 'drive-2'] };
const LOST: DriveFault = {
  kind: 'drive',
  node: 'node-1',
  drive: 'drive-2',
  effect: 'lost',
  when: 500,
  forMs: 8000,
};

it('a fault of a drive is told in one line', () => {
  assert.equal(describeFault(LOST), 'drive-2 of node node-1 is gone for 8 s, at 500 ms');
  assert.equal(
    describeFault({ ...LOST, effect: 'slow' }),
    'drive-2 of node node-1 is slow for 8 s, at 500 ms',
  );
});

it('a fault of a drive that is not there is refused by name', () => {
  checkPlan([LOST], CAST);
  const rows: readonly (readonly [Partial<Record<keyof DriveFault, unknown>>, RegExp])[] = [
    [{ node: 'node-9' }, /plan\[0\]\.node must be one of "node-1", but it is "node-9"/],
    [{ drive: 'sdb' }, /plan\[0\]\.drive must be one of "drive-1", "drive-2", but it is "sdb"/],
    [{ effect: 'gone' }, /plan\[0\]\.effect must be one of "lost", "full", "slow", but it is "gone"/],
    [{ forMs: -1 }, /plan\[0\]\.forMs must be a number of milliseconds of at least 0, but it is -1/],
  ];
  // Wrong on purpose.
  for (const [change, message] of rows)
    assert.throws(() => checkPlan([{ ...LOST, ...change } as DriveFault], CAST), message);
  assert.throws(() => checkPlan([LOST], { ...CAST, drives: [] }), /drive must be absent: there is none/);
});

it('seeds make faults of drives where there are drives, and they can be checked', () => {
  const ground = { ...CAST, workloadMs: 1000, counts: {} };
  const effects = new Set<string>();
  for (let seed = 0; seed < 60; seed++) {
    const plan = generatePlan(new SeededRandom(seed), ground);
    checkPlan(plan, CAST);
    for (const fault of plan) if (fault.kind === 'drive') effects.add(fault.effect);
    const without = generatePlan(new SeededRandom(seed), { ...ground, drives: [] });
    assert.ok(without.every(({ kind }) => kind !== 'drive'));
  }
  assert.deepEqual([...effects].toSorted(), ['full', 'lost', 'slow']);
});
