import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ControllerState } from '../../src/protocol.ts';
import { LoopModel } from './loop-model.ts';
import { type ControllerOrder, sortControllers } from './sort-controllers.ts';

const model = new LoopModel();
const state = (
  name: string,
  runs: number,
  errors: number,
  waiting: number,
  p99: number,
): ControllerState => ({
  name,
  watchLagMs: undefined,
  waiting,
  delayed: 0,
  retrying: 0,
  working: 0,
  workers: 1,
  runs,
  errors,
  writes: 0,
  runMs: p99 === 0 ? undefined : { p50: 1, p99 },
  queueMs: undefined,
  hot: [],
});
model.apply({
  at: 1000,
  controllers: [state('a', 0, 0, 0, 0), state('b', 0, 0, 0, 0), state('c', 0, 0, 0, 0)],
});
model.apply({
  at: 2000,
  controllers: [state('a', 1, 1, 0, 0), state('b', 9, 0, 5, 2), state('c', 9, 0, 0, 7)],
});

for (const [order, names] of [
  ['name', 'a b c'],
  ['busiest', 'b c a'],
  ['errors', 'a b c'],
  ['slowest', 'c b a'],
  ['queue', 'b a c'],
] as readonly [ControllerOrder, string][])
  test(`by ${order}: ${names}`, () => {
    assert.equal(
      sortControllers(model.controllers(), order)
        .map(({ name }) => name)
        .join(' '),
      names,
    );
  });
