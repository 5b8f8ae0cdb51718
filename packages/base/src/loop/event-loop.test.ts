import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actInTurns, nextTurn, turnsOver } from './event-loop.ts';

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

test('each call comes when all that follows from the one before has run', async () => {
  const order: string[] = [];
  const follow = async (call: number): Promise<void> => {
    await Promise.resolve();
    // Every third takes turns of its own.
    for (let turn = 0; turn < call % 3; turn++) await nextTurn();
    order.push(`end ${call}`);
  };
  let calls = 0;
  await actInTurns(() => {
    if (calls === 100) return false;
    order.push(`call ${calls}`);
    void follow(calls++);
    return true;
  }, 1000);
  assert.deepEqual(order, Array.from({ length: 100 }, (_, call) => [`call ${call}`, `end ${call}`]).flat());
});

test('what a call throws ends it', async () => {
  let calls = 0;
  const work = actInTurns(() => {
    if (++calls === 3) throw new Error('enough');
    return true;
  }, 10);
  await assert.rejects(work, /enough/);
  await nextTurn();
  assert.equal(calls, 3);
});
