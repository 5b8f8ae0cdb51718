import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { allocateFairly } from './fair-allocation.ts';

type Claims = readonly (readonly [target: number, lower: number, upper: number])[];

// The amounts are those that kube-apiserver 1.36 computes.
const ROWS: readonly [sum: number, Claims, amounts: readonly number[] | undefined, fraction: number][] = [
  [
    602,
    [
      [50, 50, 674],
      [73, 73, 698],
      [25, 25, 625],
      [49, 49, 698],
      [24, 24, 845],
      [24, 24, 649],
      [13, 13, 613],
    ],
    [116.6666667, 170.3333333, 58.3333333, 114.3333333, 56, 56, 30.3333333],
    2.3333333,
  ],
  [
    602,
    [
      [50, 50, 674],
      [73, 73, 698],
      [25, 25, 625],
      [49, 49, 698],
      [400, 245, 845],
      [49, 49, 649],
      [13, 13, 613],
    ],
    [50, 73, 25, 49, 343, 49, 13],
    0.8575,
  ],
  [
    100,
    [
      [10, 0, 20],
      [10, 10, 20],
      [90, 0, 1000],
    ],
    [9, 10, 81],
    0.9,
  ],
  [
    320,
    [
      [96, 37, 84],
      [56, 31, 149],
      [40, 40, 96],
    ],
    [84, 140, 96],
    2.5,
  ],
  [
    55,
    [
      [107, 13, 103],
      [60, 13, 46],
      [87, 28, 152],
    ],
    [14, 13, 28],
    0.1308411,
  ],
  [
    308,
    [
      [7, 2, 45],
      [99, 48, 73],
      [102, 15, 172],
      [95, 10, 20],
      [138, 40, 72],
    ],
    [9.1834862, 73, 133.8165138, 20, 72],
    1.3119266,
  ],
  [
    30,
    [
      [0, 0, 20],
      [0, 0, 20],
    ],
    [15, 15],
    15000,
  ],
  [
    40,
    [
      [1, 0, 20],
      [2, 0, 20],
    ],
    [20, 20],
    20,
  ],
  [0, [[0, 0, 0]], [0], 0],
  [
    10,
    [
      [10, 10, 20],
      [10, 10, 20],
    ],
    undefined,
    0,
  ],
  [
    50,
    [
      [10, 10, 20],
      [10, 10, 20],
    ],
    undefined,
    0,
  ],
];

describe('a fair allocation', () => {
  for (const [sum, claims, amounts, fraction] of ROWS)
    test(`of ${sum} among ${JSON.stringify(claims)}`, () => {
      const allocation = allocateFairly(
        sum,
        claims.map(([target, lower, upper]) => ({ target, lower, upper })),
      );
      assert.equal(allocation === undefined, amounts === undefined);
      for (const [index, amount] of (amounts ?? []).entries())
        assert.ok(
          Math.abs((allocation?.amounts[index] ?? Number.NaN) - amount) < 1e-6,
          `${index}: ${amount}`,
        );
      if (allocation !== undefined) assert.ok(Math.abs(allocation.fairFraction - fraction) < 1e-6);
    });

  test('adds up to the sum, within the bounds, and everybody else gets the same fraction', () => {
    const claim = fc
      .tuple(fc.nat(50), fc.nat(100), fc.nat(200))
      .map(([lower, more, room]) => ({ lower, target: lower + more, upper: lower + room }));
    fc.assert(
      fc.property(
        fc.array(claim, { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (claims, part) => {
          const lowest = claims.reduce((sum, { lower }) => sum + lower, 0);
          const highest = claims.reduce((sum, { upper }) => sum + upper, 0);
          const sum = Math.round(lowest + part * (highest - lowest));
          const allocation = allocateFairly(sum, claims);
          assert.ok(allocation !== undefined);
          const total = allocation.amounts.reduce((all, amount) => all + amount, 0);
          assert.ok(Math.abs(total - sum) < 1e-3, `${total} of ${sum}`);
          if (sum === 0) return;
          for (const [index, { lower, upper, target }] of claims.entries()) {
            const amount: number = allocation.amounts[index] ?? -1;
            const fair: number = allocation.fairFraction * Math.max(target, 0.001);
            assert.ok(Math.abs(amount - Math.max(lower, Math.min(upper, fair))) < 1e-3);
          }
        },
      ),
    );
  });
});
