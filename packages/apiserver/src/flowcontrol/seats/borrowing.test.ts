import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Borrower, planBorrowing } from './borrowing.ts';
import { NO_DEMAND } from './seat-demand.ts';

/** The default levels of a server with 600 seats. */
const LIMITS: Readonly<Record<string, readonly [nominal: number, lower: number, upper: number]>> = {
  'catch-all': [13, 13, 613],
  exempt: [0, 0, 600],
  'global-default': [49, 24, 649],
  'leader-election': [25, 25, 625],
  'node-high': [98, 73, 698],
  system: [74, 50, 674],
  'workload-high': [98, 49, 698],
  'workload-low': [245, 24, 845],
};

function borrowers(
  demand: Readonly<Record<string, readonly [highest: number, smoothed: number]>>,
): Borrower[] {
  return Object.entries(LIMITS).map(([name, [nominal, lower, upper]]) => {
    const [highest, smoothed] = demand[name] ?? [0, 0];
    return {
      isExempt: name === 'exempt',
      limits: { nominal, lower, upper },
      demand: { ...NO_DEMAND, highest, smoothed },
      currentLimit: 1,
    };
  });
}

function limitsOf(demand: Parameters<typeof borrowers>[0]): Record<string, number> {
  const { levels } = planBorrowing(borrowers(demand));
  return Object.fromEntries(Object.keys(LIMITS).map((name, index) => [name, levels[index]?.limit ?? -1]));
}

describe('borrowing seats', () => {
  test('when nobody wants any, each level has a part by its lower limit', () => {
    assert.deepEqual(limitsOf({}), {
      'catch-all': 30,
      exempt: 0,
      'global-default': 56,
      'leader-election': 58,
      'node-high': 170,
      system: 117,
      'workload-high': 114,
      'workload-low': 56,
    });
  });

  test('a busy level gets what idle ones lend, and they keep their lower limit', () => {
    const limits = limitsOf({ 'workload-low': [500, 400], 'global-default': [49, 49] });
    assert.equal(limits['workload-low'], 343);
    assert.equal(limits['global-default'], 49);
    assert.equal(limits['system'], 50);
  });

  test('no level has less than its lower limit, or less than its demand up to its nominal limit', () => {
    const limits = limitsOf({ system: [74, 60], 'workload-low': [900, 900] });
    assert.equal(limits['system'], 74);
    assert.equal(limits['leader-election'], 25);
  });

  test('exempt requests take what they want from the others, down to their lower limits', () => {
    assert.equal(limitsOf({ exempt: [200, 200] })['exempt'], 200);
    const limits = limitsOf({ exempt: [700, 700], 'workload-low': [900, 900] });
    assert.equal(limits['exempt'], 700);
    assert.equal(limits['workload-low'], 24);
    assert.equal(limits['node-high'], 73);
  });

  test('when exempt requests leave too little, each gets the same part of its demand above the lower limit', () => {
    // 602 - 290 = 312 are left, the lower limits take 258, and what is wanted 479: the fraction is 54 / 221.
    const limits = limitsOf({ exempt: [290, 290], 'workload-low': [245, 245] });
    assert.equal(limits['workload-low'], 24 + 54);
    assert.equal(limits['system'], 50);
  });

  test('a limit on borrowing holds', () => {
    const level = (nominal: number, lower: number, upper: number, highest: number): Borrower => ({
      isExempt: false,
      limits: { nominal, lower, upper },
      demand: { ...NO_DEMAND, highest, smoothed: highest },
      currentLimit: nominal,
    });
    const { levels } = planBorrowing([level(10, 0, 15, 100), level(30, 0, 40, 0)]);
    assert.deepEqual(
      levels.map(({ limit }) => limit),
      [15, 25],
    );
  });

  test('a level with any share keeps a seat, and one without has none', () => {
    const idle = (nominal: number): Borrower => ({
      isExempt: false,
      limits: { nominal, lower: 0, upper: 100 },
      demand: NO_DEMAND,
      currentLimit: 0,
    });
    const busy: Borrower = { ...idle(5), demand: { ...NO_DEMAND, highest: 9, smoothed: 9 } };
    const { levels } = planBorrowing([idle(1), idle(0), busy]);
    assert.deepEqual(
      levels.map(({ limit }) => limit),
      [1, 0, 6],
    );
  });

  test('what cannot be divided stays as it is', () => {
    const stuck: Borrower = {
      isExempt: false,
      limits: { nominal: 10, lower: 0, upper: 5 },
      demand: NO_DEMAND,
      currentLimit: 7,
    };
    assert.equal(planBorrowing([stuck]).levels[0]?.limit, 7);
  });
});
