import type { KubeObject, RawWatchEvent } from '@windlass/apimachinery';
import type { Clock } from '@windlass/base';
import { WatchStream } from '@windlass/client';
import type { ListWatch } from '../list-watch/list-watch.ts';
import { isResumable } from '../versions/resource-versions.ts';
import { newestOf, versionOf } from './event-versions.ts';

type Batch = readonly RawWatchEvent[];

export interface WatchReadingOptions {
  readonly listWatch: Pick<ListWatch<unknown>, 'watch'>;
  readonly request: {
    readonly resourceVersion: string;
    readonly sendInitialEvents: boolean;
    readonly timeoutSeconds: number;
  };
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** From the request on, so much silence is too much. */
  readonly silenceMs: number;
  /** As much as that, once a bookmark has come. */
  readonly bookmarkSilenceMs: number;
}

/** One watch of a reflector: its stream, and what its events so far say about those to come. */
export class WatchReading {
  readonly #clock: Clock;
  readonly #stream: WatchStream<KubeObject>;
  readonly #bookmarkSilenceMs: number;
  readonly #openedAt: number;
  /** Changes whose versions are in no order: the first events of a watch from no version. */
  #isUnordered: boolean;
  /** A bookmark has come since the initial state, so that more will. */
  #hasBookmarks = false;
  /** Read, but not taken yet. */
  #rest: Batch = [];

  constructor({ listWatch, request, signal, clock, ...options }: WatchReadingOptions) {
    this.#clock = clock;
    this.#openedAt = clock.monotonic();
    this.#bookmarkSilenceMs = options.bookmarkSilenceMs;
    this.#isUnordered = !request.sendInitialEvents && !isResumable(request.resourceVersion);
    this.#stream = new WatchStream({
      open: (end) => listWatch.watch({ ...request, signal: end }),
      signal,
      silence: { clock, ms: options.silenceMs },
    });
  }

  get lastedMs(): number {
    return this.#clock.monotonic() - this.#openedAt;
  }

  /** Resolves when the server has accepted the watch. */
  open(): Promise<void> {
    return this.#stream.open();
  }

  /** Undefined when the stream is over. Rejects when it breaks, or is silent for too long. */
  async next(): Promise<Batch | undefined> {
    const rest = this.#rest;
    this.#rest = [];
    if (rest.length > 0) return rest;
    const { value } = await this.#stream.next();
    return value;
  }

  /** What the next read gives. */
  putBack(rest: Batch): void {
    this.#rest = rest;
  }

  /** What came counts as a sign of life. */
  heard(): void {
    this.#stream.heard();
  }

  /** The initial state is complete: from now on so much silence is too much. */
  allowSilence(ms: number): void {
    this.#stream.allowSilence(ms);
  }

  /** The version of the first change, and the newest of all; undefined where they say nothing. */
  versionsOf(changes: Batch): { readonly first: string | undefined; readonly last: string | undefined } {
    this.heard();
    if (!this.#hasBookmarks && changes.some(({ type }) => type === 'BOOKMARK')) {
      this.#hasBookmarks = true;
      this.allowSilence(this.#bookmarkSilenceMs);
    }
    // The present state as ADDED comes in any order; the first change ends it.
    if (this.#isUnordered) this.#isUnordered = !changes.some(({ type }) => type !== 'ADDED');
    if (this.#isUnordered) return { first: undefined, last: undefined };
    return { first: versionOf(changes[0]), last: newestOf(changes) };
  }

  /** Ends a read that waits, and closes the stream. Resolves when the stream is gone. */
  async close(): Promise<void> {
    try {
      await this.#stream.return();
    } catch {
      // It was to end, and it has.
    }
  }
}
