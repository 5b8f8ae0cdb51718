import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MANDATORY_LEVELS, SUGGESTED_LEVELS } from '../configuration/default-objects.ts';
import { planConfiguration } from '../configuration/plan-configuration.ts';
import { initialLimit, levelLimits, maxSeatsOf } from './concurrency-limits.ts';

const DEFAULTS = planConfiguration([...MANDATORY_LEVELS, ...SUGGESTED_LEVELS], []).levels;
const SHARES = DEFAULTS.reduce((sum, { shares }) => sum + shares, 0);

// Of 600 seats, by the formulae of kube-apiserver: nominal = ceil(600 * shares / 245), and percentages rounded.
const EXPECTED: Readonly<
  Record<string, readonly [nominal: number, lower: number, upper: number, initial: number]>
> = {
  'catch-all': [13, 13, 613, 13],
  exempt: [0, 0, 600, 0],
  'global-default': [49, 24, 649, 37],
  'leader-election': [25, 25, 625, 25],
  'node-high': [98, 73, 698, 86],
  system: [74, 50, 674, 62],
  'workload-high': [98, 49, 698, 74],
  'workload-low': [245, 24, 845, 135],
};

describe('the limits of priority levels', () => {
  test('the shares of the defaults add up to 245', () => assert.equal(SHARES, 245));

  for (const plan of DEFAULTS)
    test(`${plan.name} of 600 seats`, () => {
      const limits = levelLimits(plan, SHARES, 600);
      const { nominal, lower, upper } = limits;
      assert.deepEqual([nominal, lower, upper, initialLimit(limits)], EXPECTED[plan.name]);
    });

  test('what a level may borrow has a limit when it says so', () => {
    const level = { shares: 10, lendablePercent: 0, borrowingLimitPercent: 50 };
    assert.deepEqual(levelLimits(level, 20, 21), { nominal: 11, lower: 11, upper: 17 });
  });

  test('without any shares nobody has seats', () => {
    const level = { shares: 0, lendablePercent: 50, borrowingLimitPercent: 0 };
    assert.deepEqual(levelLimits(level, 0, 600), { nominal: 0, lower: 0, upper: 0 });
  });

  test('how wide a request may be', () => {
    assert.equal(maxSeatsOf(245, 6), 37);
    assert.equal(maxSeatsOf(49, 6), 8);
    assert.equal(maxSeatsOf(25, 4), 4);
    assert.equal(maxSeatsOf(3, 8), 1);
    assert.equal(maxSeatsOf(13, undefined), Number.POSITIVE_INFINITY);
  });
});
