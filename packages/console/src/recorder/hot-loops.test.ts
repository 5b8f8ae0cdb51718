import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HotLoops } from './hot-loops.ts';

/** Runs `count` times: each sees what the one before wrote, and writes again. */
function spin(loops: HotLoops, id: string, count: number, at = 0): void {
  for (let run = 0; run < count; run++) loops.ran(id, [`${id}${run - 1}`], [`${id}${run}`], at + run);
}

test('a key whose runs wake themselves by what they write is hot', () => {
  const loops = new HotLoops();
  spin(loops, 'a', 5);
  assert.deepEqual(loops.hot(5), [], 'the first one was woken by somebody else');
  spin(loops, 'a', 6);
  assert.deepEqual(loops.hot(6), ['a']);
});

test('it is not when the last run writes nothing, as a healthy loop ends', () => {
  const loops = new HotLoops();
  spin(loops, 'a', 6);
  assert.equal(loops.ran('a', ['a5'], [], 7), true, 'it was woken by itself');
  assert.deepEqual(loops.hot(7), []);
});

test('it is not when others wake it, however often it runs', () => {
  const loops = new HotLoops();
  for (let run = 0; run < 50; run++)
    assert.equal(loops.ran('a', [`other${run}`], [`mine${run}`], run), false);
  assert.deepEqual(loops.hot(50), []);
});

test('it is no longer hot when it was quiet for a while', () => {
  const loops = new HotLoops();
  spin(loops, 'a', 6);
  assert.deepEqual(loops.hot(10_004), ['a']);
  assert.deepEqual(loops.hot(10_005), []);
});

test('keys that do not run are forgotten', () => {
  const loops = new HotLoops();
  spin(loops, 'a', 6);
  for (let key = 0; key < 6000; key++) loops.ran(`k${key}`, [], [`v${key}`], 6);
  assert.deepEqual(loops.hot(6), []);
  assert.equal(loops.ran('k5999', ['v5999'], [], 7), true, 'the newest are known');
});
