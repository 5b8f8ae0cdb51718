import assert from 'node:assert/strict';
import { realClock, sleep } from '@windlass/base';

const PATIENCE_MS = 60_000;
const PAUSE_MS = 50;

/** Looks again and again until there is something, for what happens in other processes. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = realClock.monotonic() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (realClock.monotonic() > deadline) assert.fail(`${what} did not come about`);
    await sleep(realClock, PAUSE_MS);
  }
}
