import { type KubeObject, keyOf, type RawWatchEvent, type Status, StatusError } from '@windlass/apimachinery';
import {
  Backoff,
  type BackoffOptions,
  type Clock,
  type LinkedSignal,
  linkSignals,
  onAbort,
  type Random,
  sleep,
} from '@windlass/base';
import { classifyFailure } from './failure.ts';
import type { ListWatch } from './list-watch.ts';
import {
  type Effect,
  type Input,
  initialState,
  type ReflectorConfig,
  type ReflectorState,
  type Report,
  type Step,
  step,
} from './reflector-step.ts';

/** Where the reflector puts what it sees. */
export interface ReflectorSink<T> {
  /** The whole state. `isHistoryLost`: the server's versions went back, so equal versions prove nothing. */
  replace(objects: ReadonlyMap<string, T>, resourceVersion: string, isHistoryLost: boolean): void;
  /** Changes in order: ADDED, MODIFIED, DELETED and BOOKMARK. */
  events(events: readonly RawWatchEvent[]): void;
}

export interface ReflectorOptions<T> {
  readonly listWatch: ListWatch<T>;
  readonly sink: ReflectorSink<T>;
  readonly clock: Clock;
  readonly random: Random;
  /** Each reopening, relisting and failure, with its reason. Must not throw. */
  readonly onReport: (report: Report) => void;
  readonly onRequest?: (request: 'list' | 'watch') => void;
  /** @default true */
  readonly streaming?: boolean;
  /** @default 500 */
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
   * A streaming list that says nothing for so long before its end is given up for a plain list.
   * @default 10000
   */
  readonly streamSilenceMs?: number;
  readonly backoff?: Omit<BackoffOptions, 'clock' | 'random'>;
}

export const DEFAULT_PAGE_SIZE = 500;
export const DEFAULT_MIN_WATCH_SECONDS = 300;
export const DEFAULT_SILENCE_MS = 150_000;
export const DEFAULT_STREAM_SILENCE_MS = 10_000;

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

interface OpenWatch {
  readonly iterator: AsyncIterator<readonly RawWatchEvent[]>;
  readonly cancel: LinkedSignal;
  readonly openedAt: number;
  events: number;
  /** Read, but not taken yet: what followed the marker, or an error, in its batch. */
  rest: readonly RawWatchEvent[];
}

/**
 * Keeps a sink equal to what an API server has: all objects once, then every change, for as long as it
 * runs, whatever happens to the connection. What to do next is decided by `step`; this does it.
 */
export class Reflector<T extends KubeObject> {
  readonly #options: Required<Omit<ReflectorOptions<T>, 'backoff' | 'onRequest'>> &
    Pick<ReflectorOptions<T>, 'onRequest'>;
  readonly #config: ReflectorConfig;
  readonly #backoff: Backoff;
  /** Collected until the list, or the stream, is complete. */
  #items = new Map<string, T>();
  #watch: OpenWatch | undefined = undefined;
  #relistAsked = false;
  #interrupt: (() => void) | undefined = undefined;
  #state: ReflectorState;

  constructor(options: ReflectorOptions<T>) {
    this.#options = {
      streaming: true,
      pageSize: DEFAULT_PAGE_SIZE,
      minWatchSeconds: DEFAULT_MIN_WATCH_SECONDS,
      silenceMs: DEFAULT_SILENCE_MS,
      streamSilenceMs: DEFAULT_STREAM_SILENCE_MS,
      ...options,
    };
    this.#config = { streaming: this.#options.streaming, pageSize: this.#options.pageSize };
    this.#backoff = new Backoff({ ...options.backoff, clock: options.clock, random: options.random });
    this.#state = initialState(this.#config);
  }

  get phase(): ReflectorState['phase'] {
    return this.#state.phase;
  }

  /** Drops the watch and reads everything anew. */
  relist(): void {
    this.#relistAsked = true;
    this.#interrupt?.();
  }

  /** Runs until the signal aborts, then resolves. */
  async run(signal: AbortSignal): Promise<void> {
    let input: Input = { on: 'start' };
    try {
      while (!signal.aborted) {
        const taken = this.#take(input);
        input = await this.#perform(taken.effect, signal);
        if (this.#relistAsked) {
          this.#relistAsked = false;
          input = { on: 'relist-asked' };
        }
      }
    } finally {
      await this.#closeWatch();
    }
  }

  #take(input: Input): Step {
    const taken = step(this.#state, input, this.#config);
    const isHistoryLost = this.#state.versionUnavailable;
    this.#state = taken.state;
    if (taken.report !== undefined) this.#options.onReport(taken.report);
    if (taken.commit !== undefined) {
      const items = this.#items;
      this.#items = new Map();
      this.#options.sink.replace(items, taken.commit, isHistoryLost);
    }
    if (taken.discard === true) this.#items = new Map();
    if (taken.close === true) void this.#closeWatch();
    return taken;
  }

  async #perform(effect: Effect, signal: AbortSignal): Promise<Input> {
    try {
      switch (effect.do) {
        case 'list':
          return await this.#list(effect, signal);
        case 'open':
          return await this.#open(effect, signal);
        case 'read':
          return await this.#read();
        case 'wait':
          return await this.#wait(effect.atLeastMs, signal);
        default:
          return effect satisfies never;
      }
    } catch (thrown) {
      return { on: 'failed', failure: classifyFailure(thrown) };
    }
  }

  async #list(effect: Extract<Effect, { do: 'list' }>, signal: AbortSignal): Promise<Input> {
    this.#options.onRequest?.('list');
    using linked = linkSignals(signal);
    this.#interrupt = () => linked.abort();
    try {
      const { resourceVersion, limit, continueToken } = effect;
      const page = await this.#options.listWatch.list({
        resourceVersion,
        limit,
        continueToken,
        signal: linked.signal,
      });
      for (const item of page.items) this.#items.set(keyOf(item), item);
      return { on: 'page', resourceVersion: page.resourceVersion, continueToken: page.continueToken };
    } finally {
      this.#interrupt = undefined;
    }
  }

  async #open(effect: Extract<Effect, { do: 'open' }>, signal: AbortSignal): Promise<Input> {
    await this.#closeWatch();
    this.#options.onRequest?.('watch');
    const { clock, random, minWatchSeconds, listWatch } = this.#options;
    const cancel = linkSignals(signal);
    this.#interrupt = () => cancel.abort();
    try {
      const events = await listWatch.watch({
        resourceVersion: effect.resourceVersion,
        sendInitialEvents: effect.sendInitialEvents,
        timeoutSeconds: Math.floor(minWatchSeconds * (1 + random.next())),
        signal: cancel.signal,
      });
      this.#watch = {
        iterator: events[Symbol.asyncIterator](),
        cancel,
        openedAt: clock.monotonic(),
        events: 0,
        rest: [],
      };
      return { on: 'opened' };
    } catch (thrown) {
      cancel[Symbol.dispose]();
      throw thrown;
    } finally {
      this.#interrupt = undefined;
    }
  }

  async #read(): Promise<Input> {
    const watch = this.#watch;
    if (watch === undefined) throw new TypeError('there is no open watch to read');
    const isStreaming = this.#state.phase === 'streaming';
    let batch = watch.rest;
    if (batch.length === 0) {
      const next = await this.#nextBatch(
        watch,
        isStreaming ? this.#options.streamSilenceMs : this.#options.silenceMs,
      );
      if (next === 'silent') return { on: 'silent' };
      if (next.done === true) {
        return {
          on: 'closed',
          events: watch.events,
          lastedMs: this.#options.clock.monotonic() - watch.openedAt,
        };
      }
      batch = next.value;
      watch.events += batch.length;
    }
    watch.rest = [];
    return isStreaming ? this.#readInitial(watch, batch) : this.#readChanges(watch, batch);
  }

  async #nextBatch(
    watch: OpenWatch,
    silenceMs: number,
  ): Promise<IteratorResult<readonly RawWatchEvent[]> | 'silent'> {
    const { promise, resolve } = Promise.withResolvers<'silent'>();
    const timer = this.#options.clock.setTimeout(() => resolve('silent'), silenceMs, { keepAlive: false });
    this.#interrupt = () => resolve('silent');
    const release = onAbort(watch.cancel.signal, () => resolve('silent'));
    try {
      return await Promise.race([watch.iterator.next(), promise]);
    } finally {
      timer.cancel();
      release();
      this.#interrupt = undefined;
    }
  }

  #readChanges(watch: OpenWatch, batch: readonly RawWatchEvent[]): Input {
    const errorAt = batch.findIndex((event) => event.type === 'ERROR');
    if (errorAt === 0) throw new StatusError(batch[0]?.object as Status);
    // What came before the error counts; the error is the next thing to read.
    const events = errorAt === -1 ? batch : batch.slice(0, errorAt);
    if (errorAt > 0) watch.rest = batch.slice(errorAt);
    this.#options.sink.events(events);
    return { on: 'events', version: versionOf(events.at(-1)), marker: undefined };
  }

  /** Collects the initial state until the marked bookmark; what follows that are changes. */
  #readInitial(watch: OpenWatch, batch: readonly RawWatchEvent[]): Input {
    for (const [index, event] of batch.entries()) {
      // The type of the object is what the type of the event says.
      const object = event.object as T;
      switch (event.type) {
        case 'ADDED':
        case 'MODIFIED':
          this.#items.set(keyOf(object), object);
          break;
        case 'DELETED':
          this.#items.delete(keyOf(object));
          break;
        case 'ERROR':
          throw new StatusError(event.object as Status);
        case 'BOOKMARK':
          if (!isMarker(object)) break;
          watch.rest = batch.slice(index + 1);
          return { on: 'events', version: undefined, marker: versionOf(event) ?? '' };
        default:
          event.type satisfies never;
      }
    }
    return { on: 'events', version: undefined, marker: undefined };
  }

  async #wait(atLeastMs: number, signal: AbortSignal): Promise<Input> {
    using linked = linkSignals(signal);
    this.#interrupt = () => linked.abort();
    try {
      await sleep(this.#options.clock, Math.max(atLeastMs, this.#backoff.next()), linked.signal);
    } catch {
      // Stopped, or interrupted: the loop sees which.
    } finally {
      this.#interrupt = undefined;
    }
    return { on: 'waited' };
  }

  async #closeWatch(): Promise<void> {
    const watch = this.#watch;
    if (watch === undefined) return;
    this.#watch = undefined;
    watch.cancel.abort();
    try {
      await watch.iterator.return?.();
    } catch {
      // It was to end, and it has.
    }
  }
}

function versionOf(event: RawWatchEvent | undefined): string | undefined {
  return (event?.object as KubeObject | undefined)?.metadata?.resourceVersion;
}

function isMarker(object: unknown): boolean {
  return (object as KubeObject | undefined)?.metadata?.annotations?.[INITIAL_EVENTS_END] === 'true';
}
