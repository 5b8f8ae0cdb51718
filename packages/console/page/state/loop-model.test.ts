import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ControllerState } from '../../src/protocol.ts';
import { LoopModel } from './loop-model.ts';

const BEGIN = 1_000_000;

function controller(changes: Partial<ControllerState> = {}): ControllerState {
  return {
    name: 'deployment',
    watchLagMs: undefined,
    waiting: 0,
    delayed: 0,
    retrying: 0,
    working: 0,
    workers: 5,
    runs: 0,
    errors: 0,
    writes: 0,
    runMs: undefined,
    queueMs: undefined,
    hot: [],
    ...changes,
  };
}

/** A tick each half second, with what it has of the only controller. */
function modelOf(...ticks: readonly Partial<ControllerState>[]): LoopModel {
  const model = new LoopModel();
  ticks.forEach((changes, at) => model.apply({ at: BEGIN + at * 500, controllers: [controller(changes)] }));
  return model;
}

test('rates are over two seconds, and nothing at the first tick', () => {
  assert.equal(modelOf({ runs: 1000 }).get('deployment')?.runs.last, 0);
  const model = modelOf(
    { runs: 10 },
    { runs: 10 },
    { runs: 12 },
    { runs: 12 },
    { runs: 20, errors: 4, writes: 2 },
  );
  const view = model.get('deployment');
  assert.deepEqual([view?.runs.last, view?.errors.last, view?.writes.last], [5, 2, 1]);
  assert.equal(model.runs.last, 5);
});

test('what is older than the window no longer counts', () => {
  const model = modelOf({ runs: 0 }, { runs: 100 }, ...Array.from({ length: 6 }, () => ({ runs: 100 })));
  assert.equal(model.get('deployment')?.runs.last, 0);
});

test('a counter that falls is that of another process, and no negative rate', () => {
  const model = modelOf({ runs: 100 }, { runs: 110 }, { runs: 2 }, { runs: 4 });
  assert.equal(model.get('deployment')?.runs.last, 4);
});

test('while nothing came the plots have a gap; a tick that is a little late makes none', () => {
  const model = modelOf({ runs: 1 });
  model.apply({ at: BEGIN + 1500, controllers: [controller({ runs: 4 })] });
  const isGap = (values: Float64Array): boolean[] => Array.from(values.slice(-4), Number.isNaN);
  assert.deepEqual(isGap(model.runs.values()), [false, false, false, false]);
  model.apply({ at: BEGIN + 11_500, controllers: [controller({ runs: 4 })] });
  assert.deepEqual(isGap(model.runs.values()), [true, true, true, false]);
  assert.equal(model.runs.values().filter((value) => !Number.isNaN(value)).length, 5);
});

test('ticks that come faster than the plots have steps take each other’s place', () => {
  const model = new LoopModel();
  for (const at of [0, 100, 200, 600])
    model.apply({ at: BEGIN + at, controllers: [controller({ waiting: at })] });
  assert.deepEqual(model.waiting.values().slice(-3), Float64Array.of(Number.NaN, 200, 600));
});

test('a controller is busy while it has something to do, and twenty seconds longer', () => {
  const model = modelOf({ runs: 1 }, { runs: 2 });
  const isBusyAt = (at: number, changes: Partial<ControllerState>): boolean => {
    model.apply({ at: BEGIN + at, controllers: [controller({ runs: 2, ...changes })] });
    const view = model.get('deployment');
    return view !== undefined && model.isBusy(view);
  };
  assert.equal(isBusyAt(1000, {}), true);
  assert.equal(isBusyAt(20_499, {}), true);
  assert.equal(isBusyAt(20_500, {}), false);
  assert.equal(isBusyAt(30_000, { retrying: 1 }), true);
  assert.equal(isBusyAt(31_000, { hot: ['a/b'] }), true);
  assert.equal(isBusyAt(32_000, { delayed: 3 }), false);
});

test('a controller that never did anything is idle', () => {
  const model = modelOf({ runs: 7 }, { runs: 7 });
  assert.deepEqual(
    model.controllers().map((view) => model.isBusy(view)),
    [false],
  );
});

test('whether the runs are a sample is what the newest tick says', () => {
  const model = new LoopModel();
  const seen = [undefined, true, undefined].map((isSampled, at) => {
    model.apply({ at: BEGIN + at, controllers: [], ...(isSampled !== undefined && { isSampled }) });
    return model.isSampled;
  });
  assert.deepEqual(seen, [false, true, false]);
});

test('controllers are in the order of their names, and those that are no longer told are gone', () => {
  const model = new LoopModel();
  const named = (...names: string[]): void =>
    model.apply({ at: BEGIN, controllers: names.map((name) => controller({ name })) });
  named('b', 'a');
  assert.deepEqual(
    model.controllers().map(({ name }) => name),
    ['a', 'b'],
  );
  named('b');
  assert.deepEqual(
    model.controllers().map(({ name }) => name),
    ['b'],
  );
});
