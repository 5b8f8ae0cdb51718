import { type Clock, type Logger, sleep, type Timer, toError } from '@windlass/base';
import { type ReadContents, readContents } from './contents.ts';
import { EtcdUnusableError, isCompacted } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';
import { revisionOf } from './freshness.ts';
import type { Event, WatchResponse } from './generated/rpc.ts';
import { rangeEnd } from './keys.ts';
import type { WatchCache } from './watch-cache.ts';

export interface FeedOptions extends ReadContents {
  readonly cache: WatchCache;
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** etcd's answer to the question how far a watch is comes after all events before it. Older releases race. */
  readonly isProgressSafe: boolean;
  /** Of the past that etcd has, so many revisions are read at the start. */
  readonly pastRevisions: number;
  readonly onRestart: (reason: string) => void;
}

/** So long nothing is heard before etcd is asked for a sign of life, and before another member is tried. */
const QUIET_MS = 2000;
const DEAD_MS = 5000;
const RETRY_MS = 100;
const MAX_RETRY_MS = 2000;

/** The watch that feeds the cache. It comes again when it breaks, from where it was. */
export class Feed {
  readonly #options: FeedOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** What is in the cache does not count any more. */
  #isVoid = false;
  #end: (() => void) | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Fills the cache with what is there, and begins to follow. */
  async start(): Promise<void> {
    await this.#fill(true);
    this.#running = this.#run();
  }

  /** What is there now takes the place of what was, also where that had higher revisions. */
  beginAnew(reason: string): void {
    if (this.#isVoid) return;
    this.#isVoid = true;
    this.#options.logger.error('what etcd has now takes the place of what was', { reason });
    this.#end?.();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** What is there; `withPast` also as much of the past as etcd and the cache have room for. */
  async #fill(withPast: boolean): Promise<void> {
    const { cache, client, prefix } = this.#options;
    for (;;) {
      try {
        const from = withPast ? await this.#oldest(await revisionOf(client, prefix)) : 0;
        cache.replace({ id: '', ...(await readContents(this.#options, from)) });
        return;
      } catch (error) {
        // Compacted between two calls.
        if (!isCompacted(error)) throw error;
      }
    }
  }

  /** The first revision that etcd still knows, of the last ones. */
  async #oldest(present: number): Promise<number> {
    let low = Math.max(1, present - this.#options.pastRevisions);
    let high = present;
    while (low < high) {
      const middle = low === Math.max(1, present - this.#options.pastRevisions) ? low : (low + high) >>> 1;
      if (await this.#isKnown(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  async #isKnown(revision: number): Promise<boolean> {
    const { client, prefix } = this.#options;
    try {
      await client.read('asking for the past', (etcd) =>
        etcd.range({ key: Buffer.from(`${prefix}/`), countOnly: true, revision }),
      );
      return true;
    } catch (error) {
      if (isCompacted(error)) return false;
      throw error;
    }
  }

  async #run(): Promise<void> {
    const { clock, logger, onRestart } = this.#options;
    const { signal } = this.#stop;
    let pause = RETRY_MS;
    while (!signal.aborted) {
      const began = clock.monotonic();
      let reason = 'etcd has ended it';
      try {
        if (this.#isVoid || (await this.#follow()) === 'compacted') {
          reason = 'etcd has forgotten where it was';
          await this.#fill(false);
          this.#isVoid = false;
        }
      } catch (error) {
        if (signal.aborted) return;
        reason = toError(error).message;
      }
      if (signal.aborted) return;
      if (clock.monotonic() - began > DEAD_MS) pause = RETRY_MS;
      onRestart(reason);
      logger.warn('the watch of etcd is made again', { reason });
      await sleep(clock, pause, signal).catch(() => {});
      pause = Math.min(pause * 2, MAX_RETRY_MS);
    }
  }

  async #follow(): Promise<'compacted' | 'ended'> {
    const { cache, client, prefix, isProgressSafe } = this.#options;
    const abort = new AbortController();
    const onStop = (): void => abort.abort();
    this.#stop.signal.addEventListener('abort', onStop, { once: true });
    const stream = client.watch(abort.signal);
    this.#end = () => abort.abort();
    const { member } = stream;
    const ask = (): void => stream.send({ progressRequest: {} });
    using watchdog = this.#watchdog(() => {
      client.abandon(member);
      abort.abort();
    }, ask);
    const begin = isProgressSafe ? Buffer.from(`${prefix}/`) : Buffer.from([0]);
    const end = isProgressSafe ? rangeEnd(begin) : Buffer.from([0]);
    const startRevision = cache.state.revision + 1;
    stream.send({
      createRequest: { key: begin, rangeEnd: end, startRevision, progressNotify: true, fragment: true },
    });
    let parts: Event[] = [];
    try {
      if (isProgressSafe) cache.askForProgress = ask;
      for await (const response of stream.messages()) {
        watchdog.heard();
        if (response.canceled) {
          if (response.compactRevision > 0) return 'compacted';
          throw new EtcdUnusableError(`etcd has cancelled the watch: ${response.cancelReason}`);
        }
        if (response.events.length > 0) {
          parts = parts.length === 0 ? [...response.events] : [...parts, ...response.events];
          if (response.fragment) continue;
          cache.apply(parts);
          parts = [];
        } else if (!response.created && (isProgressSafe || !isAnswer(response)))
          cache.advance(response.header?.revision ?? 0);
      }
      return 'ended';
    } catch (error) {
      client.leave(member);
      throw error;
    } finally {
      cache.askForProgress = () => {};
      this.#stop.signal.removeEventListener('abort', onStop);
      stream.cancel();
    }
  }

  /** Notices when etcd says nothing, not even when it is asked. */
  #watchdog(onDead: () => void, ask: () => void): { heard(): void } & Disposable {
    const { clock } = this.#options;
    let last = clock.monotonic();
    let timer: Timer | undefined;
    const tick = (): void => {
      const quiet = clock.monotonic() - last;
      if (quiet >= DEAD_MS) return onDead();
      if (quiet >= QUIET_MS) ask();
      timer = clock.setTimeout(tick, QUIET_MS / 5, { keepAlive: false });
    };
    timer = clock.setTimeout(tick, QUIET_MS / 5, { keepAlive: false });
    return {
      heard: () => {
        last = clock.monotonic();
      },
      [Symbol.dispose]: () => timer?.cancel(),
    };
  }
}

/** Of no watch in particular: somebody has asked. Those that come by themselves name their watch. */
function isAnswer({ watchId }: WatchResponse): boolean {
  return watchId < 0;
}
