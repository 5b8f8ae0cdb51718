import type { Clock, Timer } from '@windlass/base';

export interface KeyedRetriesOptions {
  readonly clock: Clock;
  /**
   * Looks after one key. Resolves with the milliseconds after which it is to be looked at again; undefined: only when
   * somebody asks. Must not reject.
   */
  readonly run: (key: string, failures: number, signal: AbortSignal) => Promise<KeyedRun>;
}

export interface KeyedRun {
  readonly isFailure: boolean;
  readonly againInMs: number | undefined;
}

interface Entry {
  failures: number;
  isRunning: boolean;
  isDue: boolean;
  timer: Timer | undefined;
}

/** Runs something for each of some keys, now and then: never twice at once for one key, and once more when asked meanwhile. */
export class KeyedRetries implements AsyncDisposable {
  readonly #options: KeyedRetriesOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(options: KeyedRetriesOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#stopping.signal.aborted) return;
    const entry = this.#entries.get(key) ?? { failures: 0, isRunning: false, isDue: false, timer: undefined };
    this.#entries.set(key, entry);
    if (entry.isRunning) {
      entry.isDue = true;
      return;
    }
    entry.timer?.cancel();
    entry.timer = undefined;
    entry.isRunning = true;
    const running = this.#run(key, entry).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** It is not run again, unless it is added. */
  forget(key: string): void {
    this.#entries.get(key)?.timer?.cancel();
    this.#entries.delete(key);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const { timer } of this.#entries.values()) timer?.cancel();
    await Promise.all(this.#running);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #run(key: string, entry: Entry): Promise<void> {
    const { clock, run } = this.#options;
    const { signal } = this.#stopping;
    const { isFailure, againInMs } = await run(key, entry.failures, signal);
    entry.failures = isFailure ? entry.failures + 1 : 0;
    entry.isRunning = false;
    if (signal.aborted || this.#entries.get(key) !== entry) return;
    if (entry.isDue) {
      entry.isDue = false;
      this.add(key);
    } else if (againInMs !== undefined)
      entry.timer = clock.setTimeout(() => this.add(key), againInMs, { keepAlive: false });
  }
}

/** The delay after so many failures in a row: doubled each time, up to a limit. */
export function retryDelay(failures: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures, 30));
}
