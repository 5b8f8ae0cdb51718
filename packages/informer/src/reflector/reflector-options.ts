import type { RawWatchEvent } from '@windlass/apimachinery';
import { type BackoffOptions, type Clock, InvalidArgumentError, type Random } from '@windlass/base';
import type { ListWatch } from '../list-watch/list-watch.ts';
import type { Report } from './reflector-state.ts';

/** Where the reflector puts what it sees. */
export interface ReflectorSink<T> {
  /**
   * The whole state, which is the sink's to keep. Without `versionsAreUnique` an object of equal version
   * may still differ.
   */
  replace(objects: Map<string, T>, resourceVersion: string, versionsAreUnique: boolean): void;
  /** What the sink has under that key, so that a list of what is known already takes no second room. */
  known(key: string): T | undefined;
  /** Changes in order: ADDED, MODIFIED, DELETED and BOOKMARK. */
  events(events: readonly RawWatchEvent[]): void;
  /** An object without a name is left out. */
  malformed(object: unknown): void;
}

/** How a reflector behaves; the defaults suit a Kubernetes API server. */
export interface ReflectorTuning {
  /**
   * Ask for the initial state as a stream first. Where a server does not know how, a list takes its place.
   * @default true
   */
  readonly streaming?: boolean;
  /**
   * Objects a page, where the server serves pages.
   * @default 500
   */
  readonly pageSize?: number;
  /**
   * The server ends a watch after a random time between this and twice this, in seconds.
   * @default 300
   */
  readonly minWatchSeconds?: number;
  /**
   * A watch with no event and no bookmark for so long is opened again. API servers send a bookmark about
   * every minute.
   * @default 150000
   */
  readonly silenceMs?: number;
  /**
   * As `silenceMs`, once the watch has had a bookmark: then the next one is due within about a minute.
   * @default 75000
   */
  readonly bookmarkSilenceMs?: number;
  /**
   * A streaming list that says nothing for so long before its end is given up for a plain list.
   * @default 10000
   */
  readonly streamSilenceMs?: number;
  /** Between failures. */
  readonly backoff?: Omit<BackoffOptions, 'clock' | 'random'>;
}

/** What a reflector reads from, and where it puts what it has read. */
export interface ReflectorOptions<T> extends ReflectorTuning {
  readonly listWatch: ListWatch<T>;
  readonly sink: ReflectorSink<T>;
  readonly clock: Clock;
  readonly random: Random;
  /** Each reopening, relisting and failure, with its reason. Must not throw. */
  readonly onReport: (report: Report) => void;
  readonly onRequest?: (request: 'list' | 'watch') => void;
}

/** The defaults of `ReflectorTuning`. */
export const DEFAULT_REFLECTOR_TUNING = Object.freeze({
  streaming: true,
  pageSize: 500,
  minWatchSeconds: 300,
  silenceMs: 150_000,
  bookmarkSilenceMs: 75_000,
  streamSilenceMs: 10_000,
});

/** @throws InvalidArgumentError for what makes no sense */
export function checkTuning(tuning: Required<Omit<ReflectorTuning, 'backoff'>>): void {
  for (const name of [
    'pageSize',
    'minWatchSeconds',
    'silenceMs',
    'bookmarkSilenceMs',
    'streamSilenceMs',
  ] as const) {
    const value = tuning[name];
    if (!(Number.isFinite(value) && value >= 1))
      throw new InvalidArgumentError(name, value, 'a finite number of at least 1');
  }
}
