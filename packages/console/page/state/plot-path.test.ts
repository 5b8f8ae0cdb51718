import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ceilingOf, linePath } from './plot-path.ts';

const { NaN: none } = Number;

for (const [what, values, path] of [
  ['goes from the left to the right, and high is up', [0, 5, 10], 'M0 10L50 5L100 0'],
  ['is interrupted where nothing is known', [0, none, 10], 'M0 10M100 0'],
  ['does not leave the plot', [20, 0, 0], 'M0 0L50 10L100 10'],
  ['is nothing without figures', [none, none], ''],
] as const)
  test(`the line ${what}`, () => {
    assert.equal(linePath(Float64Array.from(values), 10, 100, 10), path);
  });

test('a plot without a height is a line at its foot', () => {
  assert.equal(linePath(Float64Array.of(0, 0), 0, 10, 10), 'M0 10L10 10');
});

for (const [max, least, ceiling] of [
  [0, 1, 1],
  [1, 1, 1],
  [1.1, 1, 2],
  [3, 1, 5],
  [7, 1, 10],
  [10, 1, 10],
  [120, 1, 200],
  [0.3, 0.1, 0.5],
] as const)
  test(`${max} fits a plot of ${ceiling}`, () => assert.equal(ceilingOf(max, least), ceiling));
