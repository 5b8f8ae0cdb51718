import type { Clock, Timer } from './clock.ts';

/** A connection whose other end can be asked for a sign of life. */
export interface AskedConnection {
  /** How many bytes have come, ever. Whatever comes is a sign of life. */
  readonly bytesRead: () => number;
  /** Asks the other end for an answer. Must not throw. */
  readonly ask: () => void;
  /** Nothing came, not even an answer. Called once. */
  readonly onDead: () => void;
}

/** When the other end is asked whether it is alive, and how long it may take to answer. */
export interface LivenessOptions {
  readonly clock: Clock;
  /** After so long in silence, at the latest, the other end is asked. */
  readonly idleMs: number;
  /** So long it has to answer. */
  readonly timeoutMs: number;
}

/**
 * Watches a connection until the timer is cancelled. A dead one is noticed within `idleMs + timeoutMs`. One timer for
 * each half of `idleMs`, whatever the traffic: a busy connection must not pay for a timer each frame.
 */
export function watchLiveness(
  connection: AskedConnection,
  { clock, idleMs, timeoutMs }: LivenessOptions,
): Timer {
  let known = connection.bytesRead();
  let isAsked = false;
  let timer: Timer;
  const look = (): void => {
    const bytes = connection.bytesRead();
    if (bytes !== known) {
      known = bytes;
      isAsked = false;
      arm(idleMs / 2);
    } else if (isAsked) {
      connection.onDead();
    } else {
      isAsked = true;
      connection.ask();
      arm(timeoutMs);
    }
  };
  const arm = (ms: number): void => {
    timer = clock.setTimeout(look, ms, { keepAlive: false });
  };
  arm(idleMs / 2);
  return { cancel: () => timer.cancel() };
}
