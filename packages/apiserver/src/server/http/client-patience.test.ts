import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeClock } from '@windlass/base';
import { ClientPatience, waitForClient } from './client-patience.ts';

function setUp(limitMs: number) {
  const clock = new FakeClock();
  const seen: string[] = [];
  const patience = new ClientPatience(() => seen.push(`used up at ${clock.monotonic()}`));
  const wait = () =>
    waitForClient({ clock, limitMs, patience }, () => seen.push(`over at ${clock.monotonic()}`));
  return { clock, seen, wait };
}

describe('the patience with a client', () => {
  test('is used up after 100 ms, and the wait is over at its limit', async () => {
    const { clock, seen, wait } = setUp(1000);
    wait();
    await clock.advance(5000);
    assert.deepEqual(seen, ['used up at 100', 'over at 1000']);
  });

  test('is for all waits together', async () => {
    const { clock, seen, wait } = setUp(1000);
    for (let round = 0; round < 3; round++) {
      const end = wait();
      await clock.advance(40);
      end();
      await clock.advance(1000);
    }
    assert.deepEqual(seen, ['used up at 2100']);
  });

  test('is used up once', async () => {
    const { clock, seen, wait } = setUp(150);
    for (let round = 0; round < 2; round++) {
      const end = wait();
      await clock.advance(140);
      end();
    }
    assert.deepEqual(seen, ['used up at 100']);
    assert.equal(clock.pendingTimers, 0);
  });

  test('does not come before a limit that is shorter', async () => {
    const { clock, seen, wait } = setUp(50);
    wait();
    await clock.advance(1000);
    assert.deepEqual(seen, ['over at 50']);
  });

  test('a client who comes in time uses up nothing', async () => {
    const { clock, seen, wait } = setUp(1000);
    wait()();
    await clock.advance(5000);
    assert.deepEqual(seen, []);
    assert.equal(clock.pendingTimers, 0);
  });
});
