import { inspect } from 'node:util';
import { sleep } from '../abort.ts';
import { type Clock, realClock } from '../clock.ts';

export interface UntilOptions {
  /** How long to look. @default WINDLASS_WAIT_MS, which very slow machines set, or 90,000 */
  readonly timeoutMs?: number;
  /** @default realClock */
  readonly clock?: Clock;
}

const DEFAULT_TIMEOUT_MS = Number(process.env['WINDLASS_WAIT_MS'] ?? 90_000);
const PAUSE_MS = 25;
/** So deep is shown what was seen last. */
const DEPTH = 6;

/**
 * Looks again and again until `holds` is true of what `look` returns, and returns that. Without `holds`, `look` itself
 * returns `true`, or anything else to be shown. A look that throws counts as one that did not hold. When the time is
 * over, the error says what was waited for and what was last seen or thrown.
 *
 * It is for what other processes, real sockets and the kernel do. A test with a clock of its own moves that instead.
 */
export async function until<T, S extends T>(
  what: string,
  look: () => T | Promise<T>,
  holds: (seen: T) => seen is S,
  options?: UntilOptions,
): Promise<S>;
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  holds?: (seen: T) => boolean,
  options?: UntilOptions,
): Promise<T>;
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean = (seen) => seen === true,
  { timeoutMs = DEFAULT_TIMEOUT_MS, clock = realClock }: UntilOptions = {},
): Promise<T> {
  const deadline = clock.monotonic() + timeoutMs;
  for (;;) {
    let last: { readonly seen: T } | { readonly thrown: unknown };
    try {
      const seen = await look();
      if (holds(seen)) return seen;
      last = { seen };
    } catch (thrown) {
      last = { thrown };
    }
    if (clock.monotonic() >= deadline) throw notInTime(`not within ${timeoutMs} ms: ${what}`, last);
    await sleep(clock, PAUSE_MS);
  }
}

function notInTime(text: string, last: { readonly seen: unknown } | { readonly thrown: unknown }): Error {
  return 'seen' in last
    ? new Error(`${text}; last seen: ${inspect(last.seen, { depth: DEPTH })}`)
    : new Error(`${text}; the last look failed: ${String(last.thrown)}`, { cause: last.thrown });
}

/** For `until`: something is there. */
export function isPresent<T>(seen: T | undefined): seen is T {
  return seen !== undefined;
}
