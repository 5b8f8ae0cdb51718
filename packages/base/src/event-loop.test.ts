import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from './event-loop.ts';

test('a turn lets what waits for the event loop run, which a settled promise does not', async () => {
  let ran = false;
  setImmediate(() => {
    ran = true;
  });
  await Promise.resolve();
  assert.equal(ran, false);
  await nextTurn();
  assert.equal(ran, true);
});
