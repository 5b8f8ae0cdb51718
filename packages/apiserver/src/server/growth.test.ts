// Nothing that a client sends takes time that grows with the square of its size: every verb on objects of every
// shape, at three sizes, by processor time. `npm run bench -- growth` does the same up to the limit of a body.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { GrowthServer } from '../testing/growth/server.ts';
import { ALL_SHAPES } from '../testing/growth/shapes.ts';
import { best, steepness } from '../testing/growth/steepness.ts';
import { defineGrowths, describeSteep, survey } from '../testing/growth/survey.ts';

describe('steepness', () => {
  const pointsOf = (time: (size: number) => number) =>
    [250, 1000, 4000].map((size) => ({ size, milliseconds: time(size) }));

  test('tells the square from what is allowed, also beside a fixed part', () => {
    assert.ok(
      Math.abs(
        steepness(
          pointsOf((size) => size / 100),
          1,
        ) - 1,
      ) < 0.01,
    );
    assert.ok(
      steepness(
        pointsOf((size) => 5 + (size * Math.log2(size)) / 1000),
        1,
      ) < 1.25,
    );
    assert.ok(
      steepness(
        pointsOf((size) => 5 + size / 100 + size ** 2 / 40_000),
        1,
      ) > 1.5,
    );
  });

  test('says nothing of what takes no time', () => {
    assert.equal(
      steepness(
        pointsOf((size) => size ** 2 / 1e6),
        20,
      ),
      0,
    );
  });

  test('takes the least of each size', () => {
    const points = [
      { size: 1, milliseconds: 9 },
      { size: 1, milliseconds: 3 },
      { size: 4, milliseconds: 5 },
    ];
    assert.deepEqual(best(points), [
      { size: 1, milliseconds: 3 },
      { size: 4, milliseconds: 5 },
    ]);
  });
});

/** Those that do the most with an object. The others, and whatever is read, are the benchmark's. */
const VERBS: ReadonlySet<string> = new Set(['create', 'update', 'apply', 'status update']);

describe('growth', () => {
  let server: GrowthServer;
  before(async () => {
    // All sizes on one thread: the way to the other one costs as much as a write of these sizes.
    server = await GrowthServer.start({ largeWriteBytes: Number.POSITIVE_INFINITY });
    await defineGrowths(server);
  });
  after(() => server[Symbol.asyncDispose]());

  for (const shape of ALL_SHAPES)
    test(shape.name, { timeout: 120_000 }, async () => {
      const patch = shape.isCustom === true ? 'merge patch' : 'strategic patch';
      const strict = shape.name.includes('unknown fields') ? 'create strict, dry run' : '';
      const isWanted = (verb: string): boolean => VERBS.has(verb) || verb === patch || verb === strict;
      const found = await survey(server, shape, { share: 1 / 40, floorMs: 12, attempts: 6, isWanted });
      assert.deepEqual(describeSteep(found), []);
    });
});
