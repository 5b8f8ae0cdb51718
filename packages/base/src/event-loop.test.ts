import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn, turnsOver } from './event-loop.ts';

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

test('what takes turns is waited for, up to a limit', async () => {
  let turns = 0;
  const work = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn++) {
      await nextTurn();
      await Promise.resolve();
      turns++;
    }
  };
  const done = work();
  await turnsOver(10);
  assert.ok(turns < 50, `the limit holds: ${turns}`);
  await turnsOver(1000);
  assert.equal(turns, 50);
  await done;
});
