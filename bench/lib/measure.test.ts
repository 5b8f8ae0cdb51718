import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Bench, Figures } from './bench.ts';
import { conclude, measure, median } from './measure.ts';

const side = (name: string, rounds: readonly Figures[], log: string[] = []) => {
  let round = 0;
  return {
    name,
    measure: async () => {
      log.push(name);
      return rounds[round++]!;
    },
  };
};

const bench = (overrides: Partial<Bench> = {}): Bench => ({
  name: 'suite/what',
  unit: 'ns',
  better: 'lower',
  ours: side('ours', []),
  ...overrides,
});

test('the median of an odd and of an even number of values', () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 3, 100]), 3.5);
  assert.throws(() => median([]));
});

test('both sides are measured in turns, and each round counts by its best way', async () => {
  const log: string[] = [];
  const subject = bench({
    ours: side('ours', [{ a: 10, b: 5 }, { a: 4, b: 9 }, { a: 6 }], log),
    peer: side('peer', [{ x: 50 }, { x: 10, y: 20 }, { x: 30 }], log),
  });
  const result = await measure(subject, { rounds: 3, quick: false });
  assert.deepEqual(log, ['ours', 'peer', 'ours', 'peer', 'ours', 'peer']);
  assert.deepEqual([result.ours, result.peer, result.ratio], [5, 30, 6]);
});

test('a ratio above 1 means better, whichever direction is good', () => {
  assert.equal(conclude(bench({ better: 'lower' }), 10, 30).ratio, 3);
  assert.equal(conclude(bench({ better: 'higher' }), 30, 10).ratio, 3);
});

test('a bar on the ratio is unknown without a peer; a bar on ours is not', () => {
  const ratio = bench({ bar: { kind: 'ratio', atLeast: 3 } });
  assert.deepEqual(
    [conclude(ratio, 10, 30).ok, conclude(ratio, 10, 29).ok, conclude(ratio, 10, undefined).ok],
    [true, false, undefined],
  );
  const ours = bench({ bar: { kind: 'ours', below: 2 } });
  assert.deepEqual([conclude(ours, 1.9, undefined).ok, conclude(ours, 2, 99).ok], [true, false]);
  const both = bench({ bar: { kind: 'ours', below: 2, atLeast: 1 } });
  const verdicts = [
    [1.9, undefined],
    [1.9, 1.9],
    [1.9, 1.8],
    [2, 99],
  ] as const;
  assert.deepEqual(
    verdicts.map(([ours, peer]) => conclude(both, ours, peer).ok),
    [true, true, false, false],
  );
});

test('a side that measures nothing, or no number, is refused', async () => {
  for (const figures of [{}, { a: Number.NaN }]) {
    const subject = bench({ ours: side('ours', [figures]) });
    await assert.rejects(measure(subject, { rounds: 1, quick: false }), /suite\/what measured/);
  }
});
