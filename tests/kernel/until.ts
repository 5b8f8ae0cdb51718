import { setTimeout as pause } from 'node:timers/promises';

/** A machine that is emulated is many times slower. */
const DEFAULT_TIMEOUT_MS = Number(process.env['WINDLASS_WAIT_MS'] ?? 30_000);

/** Polls: what the kernel does, it tells nobody. */
export async function until(
  what: string,
  holds: () => Promise<boolean>,
  timeoutMs = DEFAULT_TIMEOUT_MS,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  let last: unknown;
  while (performance.now() < end) {
    try {
      if (await holds()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await pause(25);
  }
  throw new Error(`not within ${timeoutMs} ms: ${what}`, { cause: last });
}
