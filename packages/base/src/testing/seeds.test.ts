import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAlone, seedOf, testSeed, testSeeds } from './seeds.ts';

test('the environment names a seed, or does not', () => {
  assert.equal(seedOf({}), undefined);
  for (const [text, seed] of [
    ['7', 7],
    ['-7', -7],
    ['007', 7],
    ['-0', 0],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ] as const)
    assert.ok(Object.is(seedOf({ WINDLASS_SEED: text }), seed), text);
  assert.equal(seedOf({ WINDLASS_SEED: '7', OTHER: '8' }, 'OTHER'), 8);
});

test('what is no whole number is refused by name, wherever a seed is asked for', () => {
  for (const text of ['abc', '', ' ', '1.5', '1e3', '0x10', 'NaN', 'Infinity', '7 ', '9007199254740992']) {
    const environment = { WINDLASS_SEED: text };
    const error = {
      code: 'INVALID_ARGUMENT',
      message: `WINDLASS_SEED must be a whole number, but it is ${JSON.stringify(text)} (string)`,
    };
    assert.throws(() => seedOf(environment), error);
    assert.throws(() => testSeed(1, environment), error);
    assert.throws(() => testSeeds(1, { environment }), error);
  }
  for (const text of ['abc', '', '0', '-1', '1.5'])
    assert.throws(
      () => testSeeds(1, { environment: { WINDLASS_SEEDS: text } }),
      /^InvalidArgumentError: WINDLASS_SEEDS must be a whole number of at least 1, but it is "/,
    );
});

test('one seed is the named one, else the default, else a new one', () => {
  assert.equal(testSeed(5, { WINDLASS_SEED: '0' }), 0);
  assert.equal(testSeed(undefined, { WINDLASS_SEED: '9' }), 9);
  assert.equal(testSeed(5, {}), 5);
  const fresh = Array.from({ length: 8 }, () => testSeed(undefined, {}));
  assert.ok(new Set(fresh).size > 1 && fresh.every(Number.isSafeInteger), fresh.join());
});

test('many seeds are the first ones, or a block of their own for each value', () => {
  assert.deepEqual(testSeeds(3, { environment: {} }), [0, 1, 2]);
  assert.deepEqual(testSeeds(3, { environment: { WINDLASS_SEED: '1' } }), [3, 4, 5]);
  assert.deepEqual(testSeeds(3, { environment: { WINDLASS_SEED: '-1' } }), [-3, -2, -1]);
  assert.deepEqual(testSeeds(3, { environment: { WINDLASS_SEED: '1', WINDLASS_SEEDS: '2' } }), [2, 3]);
  assert.deepEqual(testSeeds(2, { remembered: [1, 28], environment: {} }), [1, 28, 0]);
  assert.deepEqual(testSeeds(2, { remembered: [28], environment: { WINDLASS_SEED: '4' } }), [28, 8, 9]);
});

test('each of them runs alone as its message says', () => {
  for (const seed of testSeeds(5, { remembered: [77], environment: { WINDLASS_SEED: '123' } })) {
    const [, name, count] =
      /run it alone with WINDLASS_SEED=(\S+) WINDLASS_SEEDS=(\S+)$/.exec(runAlone(seed)) ?? [];
    const environment = { WINDLASS_SEED: name, WINDLASS_SEEDS: count };
    assert.deepEqual(testSeeds(5, { remembered: [77], environment }), [seed]);
  }
});
