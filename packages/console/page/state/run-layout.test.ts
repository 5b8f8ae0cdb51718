import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { layOutRuns, type RunTimes } from './run-layout.ts';

const run = (id: number, at: number, tookMs = 10, waitedMs?: number): RunTimes => ({
  id,
  at,
  tookMs,
  waitedMs,
});
const rounded = (value: number): number => Number(value.toFixed(3));

test('runs stand where they were, the waiting before the work', () => {
  const { places, breaks, spanMs } = layOutRuns([run(2, 190), run(1, 100, 40, 10)]);
  assert.deepEqual(
    places.map(({ id, queued, began, ended }) => [id, rounded(queued), rounded(began), rounded(ended)]),
    [
      [1, 0, 0.091, 0.455],
      [2, 0.909, 0.909, 1],
    ],
  );
  assert.deepEqual(breaks, []);
  assert.equal(spanMs, 110);
});

test('a long quiet time between bursts is cut short, and marked with how long it was', () => {
  const runs = [0, 20, 40, 60, 100_000, 100_020, 100_040].map((at, index) => run(index + 1, at));
  const { places, breaks, spanMs } = layOutRuns(runs);
  assert.equal(spanMs, 100_050);
  assert.deepEqual(
    breaks.map(({ ms }) => ms),
    [99_930],
  );
  const [cut] = breaks;
  assert.ok(cut !== undefined && cut.place > (places[3]?.ended ?? 1) && cut.place < (places[4]?.began ?? 0));
  assert.ok((places[1]?.began ?? 0) > 0.05, 'the first burst is more than a stroke');
});

test('nothing is nothing, and one run is all of the line', () => {
  assert.deepEqual(layOutRuns([]), { places: [], breaks: [], spanMs: 0 });
  assert.deepEqual(layOutRuns([run(1, 5)]).places, [{ id: 1, queued: 0, began: 0, ended: 1 }]);
});

test('every run is on the line, in order, whatever the times are', () => {
  const times = fc.record({
    id: fc.nat(),
    at: fc.nat(1_000_000),
    tookMs: fc.nat(5000),
    waitedMs: fc.option(fc.nat(5000), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(times, { minLength: 1, maxLength: 30 }), (runs) => {
      const { places } = layOutRuns(runs);
      assert.equal(places.length, runs.length);
      let last = 0;
      for (const { queued, began, ended } of places) {
        assert.ok(
          queued >= last - 1e-9 && queued <= began + 1e-9 && began <= ended + 1e-9 && ended <= 1 + 1e-9,
        );
        last = queued;
      }
    }),
  );
});
