import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { nextTurn } from './event-loop.ts';
import { TurnShare } from './turn-share.ts';

const PART_MS = 3;

function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

async function work(share: TurnShare, parts: number, done: (part: number) => void): Promise<void> {
  for (let part = 0; part < parts; part++) {
    await share.take();
    busy(PART_MS);
    done(part);
  }
}

test('however many work, a turn has a few parts', async () => {
  const share = new TurnShare();
  let inTurn = 0;
  let most = 0;
  const part = (): void => {
    inTurn += 1;
    most = Math.max(most, inTurn);
  };
  const all = Promise.all(Array.from({ length: 40 }, () => work(share, 5, part)));
  // What is left of the turn before, and what the next one begins with.
  while (!(await Promise.race([all, nextTurn()]))) inTurn = 0;
  assert.ok(most <= 8, `${most} parts in one turn`);
});

test('whoever waits goes on in the order of asking, one part each', async () => {
  const share = new TurnShare();
  const order: string[] = [];
  await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      work(share, 8, (part) => {
        order.push(`${name}${part}`);
      }),
    ),
  );
  // The first goes on alone only until the turn is over.
  const last = order.slice(-9);
  assert.deepEqual(new Set(last.map((text) => text.charAt(0))).size, 3);
  const partsOf = (name: string) => order.filter((text) => text.startsWith(name));
  for (const name of ['a', 'b', 'c'])
    assert.deepEqual(
      partsOf(name),
      Array.from({ length: 8 }, (_, part) => `${name}${part}`),
    );
});

test('a single caller goes on at once while the turn has time, and then lets others run', async () => {
  const share = new TurnShare();
  let turns = 0;
  const done = work(share, 20, () => {}).then(() => true);
  while (!(await Promise.race([done, nextTurn()]))) turns += 1;
  assert.ok(turns >= 4, `${turns} turns for 60 ms of work`);
});

test('nothing waits for ever: what asks in a quiet moment gets a new turn', async () => {
  const share = new TurnShare();
  for (let round = 0; round < 50; round++) {
    await share.take();
    if (round % 10 === 0) busy(12);
    if (round % 7 === 0) await nextTurn();
  }
});
