import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SeedResult } from './messages.ts';
import { progressText, seedLine, summaryLine, Tally } from './sim-text.ts';
import { taskAt } from './simulate-files.ts';

const result = (simulation: string, seed: number, more: Partial<SeedResult> = {}): SeedResult => ({
  simulation,
  seed,
  plan: [],
  failure: undefined,
  digest: `d${seed}`,
  virtualMs: 3_600_000,
  writes: 5,
  journal: '',
  ms: 100,
  ...more,
});
const RUNS = { from: 1, isVirtual: true };
const failure = { oracle: 'end state', message: 'it differs', atMs: 5 } as const;

describe('the order of runs', () => {
  const all = (options: Parameters<typeof taskAt>[2], count: number): string[] =>
    Array.from({ length: count }, (_, index) => {
      const task = taskAt(index, ['a', 'b'], options);
      return task === undefined ? '-' : `${task.simulation}${task.seed}`;
    });

  it('gives each simulation the same seeds, one seed after the other', () => {
    assert.deepEqual(all({ seeds: 2, seed: undefined, from: 1 }, 6), ['a1', 'b1', 'a2', 'b2', '-', '-']);
    assert.deepEqual(all({ seeds: undefined, seed: 7, from: 1 }, 3), ['a7', 'b7', '-']);
    assert.deepEqual(all({ seeds: undefined, seed: undefined, from: 1 }, 5), ['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('begins where it is told to', () => {
    assert.deepEqual(all({ seeds: 2, seed: undefined, from: 10 }, 5), ['a10', 'b10', 'a11', 'b11', '-']);
    assert.deepEqual(all({ seeds: undefined, seed: undefined, from: 0 }, 3), ['a0', 'b0', 'a1']);
  });
});

describe('the summary', () => {
  it('names the seeds that failed, by what was wrong', () => {
    const tally = new Tally(['a', 'b'], RUNS);
    tally.add(result('a', 1));
    tally.add(result('b', 1, { ms: 2500 }));
    tally.add(result('a', 2, { failure }));
    tally.add(result('b', 2));
    for (let seed = 3; seed <= 12; seed++)
      tally.add(result('a', seed, { failure: { ...failure, oracle: 'invariant', name: 'one' } }));
    assert.equal(
      tally.text().replace(/[0-9a-f]{32}/, 'DIGEST'),
      [
        'SIMULATION   SEEDS   FAILED   VIRTUAL TIME   SLOWEST SEED',
        'a            12      11       12.0 h         1 (0.1 s)',
        'b            2       0        2.0 h          1 (2.5 s)',
        'a: end state: seed 2',
        'a: invariant "one": seeds 3, 4, 5, 6, 7, 8, 9, 10, and 2 more',
        'digest of all journals: DIGEST',
        '',
      ].join('\n'),
    );
    assert.equal(tally.firstFailed?.seed, 2);
  });

  it('has a digest of all journals in their order', () => {
    const digestOf = (...results: SeedResult[]): string => {
      const tally = new Tally(['a'], RUNS);
      for (const one of results) tally.add(one);
      return tally.digest();
    };
    const same = digestOf(result('a', 1), result('a', 2));
    assert.equal(digestOf(result('a', 1), result('a', 2, { ms: 7 })), same);
    assert.notEqual(digestOf(result('a', 2), result('a', 1)), same);
    assert.notEqual(digestOf(result('a', 1), result('a', 2, { digest: 'other' })), same);
  });

  it('does not call time virtual that is real', () => {
    const tally = new Tally(['a'], { from: 1, isVirtual: false });
    tally.add(result('a', 1));
    assert.match(tally.text(), /^SIMULATION   SEEDS   FAILED   TIME       SLOWEST SEED\n/);
  });

  it('knows with which seed to go on: the first that not every simulation has had', () => {
    const next = (from: number, ...results: SeedResult[]): number => {
      const tally = new Tally(['a', 'b'], { from, isVirtual: true });
      for (const one of results) tally.add(one);
      return tally.nextSeed;
    };
    assert.equal(next(1), 1);
    assert.equal(next(1, result('a', 1)), 1);
    assert.equal(next(1, result('a', 1), result('b', 1), result('a', 2)), 2);
    // When it is stopped, a later one may have been faster.
    assert.equal(next(7, result('a', 7), result('b', 7), result('a', 9), result('b', 8)), 8);
  });

  it('is a line for scripts', () => {
    const tally = new Tally(['a'], RUNS);
    tally.add(result('a', 1, { failure }));
    const digest = '"digest":"[0-9a-f]{32}"';
    const summary = `\\{"event":"summary","seeds":1,"failed":1,${digest}`;
    assert.match(summaryLine(tally, false), new RegExp(`^${summary}\\}\n$`));
    assert.match(summaryLine(tally, true), new RegExp(`^${summary},"nextSeed":2\\}\n$`));
  });
});

it('a line of a seed has nothing that differs from run to run', () => {
  assert.equal(
    seedLine(result('a', 1, { ms: 5, failure })),
    '{"event":"seed","simulation":"a","seed":1,"failed":true,"digest":"d1","virtualMs":3600000,"writes":5,"plan":[],' +
      '"failure":{"oracle":"end state","message":"it differs","atMs":5}}\n',
  );
  assert.equal(seedLine(result('a', 1, { ms: 5 })), seedLine(result('a', 1, { ms: 6 })));
});

describe('progress', () => {
  const some = {
    done: 12,
    of: 100,
    failed: 0,
    virtualMs: 15_120_000,
    isVirtual: true,
    elapsedMs: 4000,
    leftMs: undefined,
  };
  it('says how many, how fast and how much time', () => {
    assert.equal(progressText(some), '12 of 100 seeds, 3.0 a second, 4.2 virtual hours');
    assert.equal(progressText({ ...some, isVirtual: false }), '12 of 100 seeds, 3.0 a second, 4.2 hours');
    assert.equal(
      progressText({ ...some, of: undefined, failed: 1, leftMs: 1500 }),
      '12 seeds, 3.0 a second, 4.2 virtual hours, 1 failed, 2 s left',
    );
    assert.equal(
      progressText({ ...some, done: 0, elapsedMs: 0, virtualMs: 0 }),
      '0 of 100 seeds, 0.0 a second, 0.0 virtual hours',
    );
  });
});
