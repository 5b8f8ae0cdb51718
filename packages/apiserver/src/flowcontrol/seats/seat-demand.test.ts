import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { afterPeriod, DemandIntegrator, NO_DEMAND } from './seat-demand.ts';

describe('the demand for seats', () => {
  test('is the mean over time, with its deviation and its highest value', () => {
    const demand = new DemandIntegrator(1000);
    demand.set(1000, 4);
    demand.set(3000, 10);
    demand.set(3000, 0);
    const { seconds, average, deviation, highest } = demand.next(5000);
    assert.deepEqual([seconds, average, deviation, highest], [4, 2, 2, 10]);
  });

  test('a period begins with the value that is there', () => {
    const demand = new DemandIntegrator(0);
    demand.set(0, 7);
    demand.next(1000);
    const { average, deviation, highest, seconds } = demand.next(2000);
    assert.deepEqual([seconds, average, deviation, highest], [1, 7, 0, 7]);
  });

  test('a period without time has no mean', () => {
    const demand = new DemandIntegrator(0);
    demand.set(0, 5);
    assert.deepEqual(demand.next(0), { seconds: 0, average: 0, deviation: 0, highest: 5 });
  });

  test('rises at once and falls slowly', () => {
    const busy = afterPeriod(NO_DEMAND, { seconds: 10, average: 90, deviation: 10, highest: 120 });
    assert.deepEqual(busy, { average: 90, deviation: 10, highest: 120, smoothed: 100 });
    const idle = afterPeriod(busy, { seconds: 10, average: 0, deviation: 0, highest: 0 });
    assert.ok(Math.abs(idle.smoothed - 97.7) < 1e-9);
    let stats = busy;
    for (let period = 0; period < 30; period++)
      stats = afterPeriod(stats, { seconds: 10, average: 0, deviation: 0, highest: 0 });
    assert.ok(Math.abs(stats.smoothed - 50) < 1, `half is gone after five minutes: ${stats.smoothed}`);
  });

  test('a period of no length changes only the highest value', () => {
    const before = { average: 1, deviation: 2, highest: 3, smoothed: 4 };
    const after = afterPeriod(before, { seconds: 0, average: 0, deviation: 0, highest: 9 });
    assert.deepEqual(after, { ...before, highest: 9 });
  });
});
