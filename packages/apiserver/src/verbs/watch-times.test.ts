import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FakeClock } from '@windlass/base';
import { WatchTimes } from './watch-times.ts';

/** What is due when, in seconds, in a watch of so many seconds. */
async function whatIsDue(seconds: number): Promise<string[]> {
  const clock = new FakeClock();
  const begun = clock.monotonic();
  const seen: string[] = [];
  using times = new WatchTimes({ clock }, seconds * 1000, () => {
    seen.push(`${times.due()} ${(clock.monotonic() - begun) / 1000}`);
  });
  assert.equal(times.due(), undefined);
  for (let passed = 0; passed < seconds * 2; passed++) {
    await clock.advance(500);
    if (seen.at(-1)?.startsWith('end') === true) break;
  }
  return seen;
}

it('a bookmark is due each minute, two seconds before the end, and then the end', async () => {
  assert.deepEqual(await whatIsDue(150), ['bookmark 60', 'bookmark 120', 'bookmark 148', 'end 150']);
  assert.deepEqual(await whatIsDue(10), ['bookmark 8', 'end 10']);
  assert.deepEqual(await whatIsDue(1), ['end 1']);
});

it('a reader that is late has one bookmark for all that it has missed', async () => {
  const clock = new FakeClock();
  using times = new WatchTimes({ clock }, 600_000, () => {});
  await clock.advance(180_000);
  assert.equal(times.due(), 'bookmark');
  assert.equal(times.due(), undefined);
  await clock.advance(60_000);
  assert.equal(times.due(), 'bookmark');
  await clock.advance(600_000);
  assert.equal(times.due(), 'end');
});
