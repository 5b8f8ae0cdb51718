import { realClock } from '@windlass/base';

/** npm and a terminal may both pass on the same signal; that is one wish, not two. */
const SAME_WISH_MS = 500;
const EXIT_INTERRUPTED = 130;

/** Aborts when the process is asked to stop; asked a second time, it ends at once. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  let firstSignalAt: number | undefined;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      const now = realClock.monotonic();
      if (firstSignalAt !== undefined && now - firstSignalAt > SAME_WISH_MS) process.exit(EXIT_INTERRUPTED);
      firstSignalAt ??= now;
      stop.abort();
    });
  }
  return stop.signal;
}
