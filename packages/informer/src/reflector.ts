import {
  joinKey,
  type KubeObject,
  type RawWatchEvent,
  type Status,
  StatusError,
} from '@windlass/apimachinery';
import {
  Backoff,
  type BackoffOptions,
  type Clock,
  InvalidArgumentError,
  linkSignals,
  type Random,
  sleep,
  WindlassError,
} from '@windlass/base';
import { INITIAL_EVENTS_END } from '@windlass/client';
import { classifyFailure } from './failure.ts';
import type { ListWatch } from './list-watch.ts';
import { OpenWatch } from './open-watch.ts';
import type { Effect, Input, ReflectorConfig, ReflectorState, Report, Step } from './reflector-state.ts';
import { initialState, step } from './reflector-step.ts';
import { isResumable } from './resource-versions.ts';

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
   * A streaming list that says nothing for so long before its end is given up for a plain list.
   * @default 10000
   */
  readonly streamSilenceMs?: number;
  /** Between failures. */
  readonly backoff?: Omit<BackoffOptions, 'clock' | 'random'>;
}

export interface ReflectorOptions<T> extends ReflectorTuning {
  readonly listWatch: ListWatch<T>;
  readonly sink: ReflectorSink<T>;
  readonly clock: Clock;
  readonly random: Random;
  /** Each reopening, relisting and failure, with its reason. Must not throw. */
  readonly onReport: (report: Report) => void;
  readonly onRequest?: (request: 'list' | 'watch') => void;
}

export const DEFAULT_REFLECTOR_TUNING = Object.freeze({
  streaming: true,
  pageSize: 500,
  minWatchSeconds: 300,
  silenceMs: 150_000,
  streamSilenceMs: 10_000,
});

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
  /** Streams that were let go of and may not be gone yet. */
  readonly #closing = new Set<Promise<void>>();
  /** Read, and waiting for the step to say what they are. */
  #read: readonly RawWatchEvent[] = [];
  #relistAsked = false;
  /** Ends the request or read that is under way. */
  #interrupt: (() => void) | undefined = undefined;
  #state: ReflectorState;

  constructor(options: ReflectorOptions<T>) {
    this.#options = { ...DEFAULT_REFLECTOR_TUNING, ...options };
    for (const name of ['pageSize', 'minWatchSeconds', 'silenceMs', 'streamSilenceMs'] as const)
      requireAtLeastOne(name, this.#options[name]);
    this.#config = { streaming: this.#options.streaming, pageSize: this.#options.pageSize };
    this.#backoff = new Backoff({ ...options.backoff, clock: options.clock, random: options.random });
    this.#state = initialState(this.#config);
  }

  get phase(): ReflectorState['phase'] {
    return this.#state.phase;
  }

  /** Drops the watch and reads everything anew, after the pause if it is in one. */
  relist(): void {
    if (this.#state.phase === 'new') return;
    this.#relistAsked = true;
    this.#interrupt?.();
  }

  /** Runs until the signal aborts, then resolves. */
  async run(signal: AbortSignal): Promise<void> {
    let effect = this.#take({ on: 'start' });
    try {
      while (!signal.aborted) {
        const input = await this.#perform(effect, signal);
        if (signal.aborted) break;
        if (input !== 'interrupted') effect = this.#take(input);
        // Only now: what was read counts, and the version with it.
        if (this.#relistAsked) effect = this.#take({ on: 'relist-asked' });
      }
    } finally {
      this.#closeWatch();
      await Promise.all(this.#closing);
    }
  }

  #take(input: Input): Effect {
    if (input.on === 'relist-asked') this.#relistAsked = false;
    const taken = step(this.#state, input, this.#config);
    this.#state = taken.state;
    if (taken.report !== undefined) this.#options.onReport(taken.report);
    if (taken.apply === true && this.#read.length > 0) this.#options.sink.events(this.#read);
    this.#read = [];
    if (taken.commit !== undefined) this.#commit(taken.commit);
    if (taken.discard === true) this.#items = new Map();
    if (taken.close === true) this.#closeWatch();
    return taken.effect;
  }

  #commit({ version, versionsAreUnique }: NonNullable<Step['commit']>): void {
    const items = this.#items;
    this.#items = new Map();
    this.#watch?.allowSilence(this.#options.silenceMs);
    this.#options.sink.replace(items, version, versionsAreUnique);
  }

  async #perform(effect: Effect, signal: AbortSignal): Promise<Input | 'interrupted'> {
    try {
      switch (effect.do) {
        case 'list':
          return await this.#list(effect, signal);
        case 'open':
          return await this.#open(effect, signal);
        case 'read':
          return await this.#readNext();
        case 'wait':
          return await this.#wait(effect.atLeastMs, signal);
        default:
          return effect satisfies never;
      }
    } catch (thrown) {
      // It failed because it was interrupted; there is nothing to report.
      if (this.#relistAsked) return 'interrupted';
      // The transport has noticed the silence before we did; what it may mean is the same.
      if (effect.do === 'read' && isIdle(thrown)) return { on: 'silent' };
      return { on: 'failed', failure: classifyFailure(thrown) };
    } finally {
      this.#interrupt = undefined;
    }
  }

  async #list(
    { resourceVersion, limit, continueToken }: Extract<Effect, { do: 'list' }>,
    parent: AbortSignal,
  ): Promise<Input> {
    this.#options.onRequest?.('list');
    using linked = linkSignals(parent);
    this.#interrupt = () => linked.abort();
    const { signal } = linked;
    const page = await this.#options.listWatch.list({ resourceVersion, limit, continueToken, signal });
    for (const item of page.items) this.#collect(item);
    return { on: 'page', resourceVersion: page.resourceVersion, continueToken: page.continueToken };
  }

  async #open(
    { resourceVersion, sendInitialEvents }: Extract<Effect, { do: 'open' }>,
    parent: AbortSignal,
  ): Promise<Input> {
    this.#options.onRequest?.('watch');
    const { clock, random, minWatchSeconds, listWatch, silenceMs, streamSilenceMs } = this.#options;
    const cancel = linkSignals(parent);
    this.#interrupt = () => cancel.abort();
    try {
      const timeoutSeconds = Math.floor(minWatchSeconds * (1 + random.next()));
      const { signal } = cancel;
      const events = await listWatch.watch({ resourceVersion, sendInitialEvents, timeoutSeconds, signal });
      this.#watch = new OpenWatch({
        events,
        cancel,
        clock,
        silenceMs: sendInitialEvents ? streamSilenceMs : silenceMs,
        isUnordered: !sendInitialEvents && !isResumable(resourceVersion),
      });
      return { on: 'opened' };
    } catch (thrown) {
      cancel[Symbol.dispose]();
      throw thrown;
    }
  }

  async #readNext(): Promise<Input | 'interrupted'> {
    const watch = this.#watch;
    if (watch === undefined) throw new TypeError('there is no open watch to read');
    this.#interrupt = () => watch.interrupt();
    const batch = await watch.next();
    if (batch === undefined)
      return { on: 'closed', lastedMs: this.#options.clock.monotonic() - watch.openedAt };
    if (batch === 'silent') return { on: 'silent' };
    if (batch === 'interrupted') return batch;
    return this.#state.phase === 'streaming'
      ? this.#readInitial(watch, batch)
      : this.#readChanges(watch, batch);
  }

  #readChanges(watch: OpenWatch, batch: readonly RawWatchEvent[]): Input {
    watch.heard();
    const errorAt = indexOfError(batch);
    if (errorAt === 0) throw new StatusError(batch[0]?.object as Status);
    // What came before the error counts; the error is the next thing to read.
    if (errorAt > 0) watch.putBack(batch.slice(errorAt));
    const events = errorAt === -1 ? batch : batch.slice(0, errorAt);
    this.#read = events;
    // The present state as ADDED comes in any order; the first change ends it.
    if (watch.isUnordered) watch.isUnordered = !events.some((event) => event.type !== 'ADDED');
    if (watch.isUnordered) return { on: 'events', first: undefined, last: undefined, marker: undefined };
    return { on: 'events', first: versionOf(events[0]), last: versionOf(events.at(-1)), marker: undefined };
  }

  /**
   * Collects the initial state until the marked bookmark; what follows that are changes. Only an object
   * more is a sign of life: a server that knows no marker sends changes for ever.
   */
  #readInitial(watch: OpenWatch, batch: readonly RawWatchEvent[]): Input {
    const before = this.#items.size;
    let marker: string | undefined;
    for (let index = 0; index < batch.length && marker === undefined; index++) {
      const event = batch[index] as RawWatchEvent;
      // The type of the object is what the type of the event says.
      const object = event.object as T;
      switch (event.type) {
        case 'ADDED':
        case 'MODIFIED':
          this.#collect(object);
          break;
        case 'DELETED':
          this.#items.delete(keyOrNone(object) ?? '');
          break;
        case 'ERROR':
          throw new StatusError(event.object as Status);
        case 'BOOKMARK':
          marker = isMarker(object) ? versionOf(event) : undefined;
          if (marker !== undefined) watch.putBack(batch.slice(index + 1));
          break;
        default:
          event.type satisfies never;
      }
    }
    if (this.#items.size > before) watch.heard();
    return { on: 'events', first: undefined, last: undefined, marker };
  }

  #collect(object: T): void {
    const { sink } = this.#options;
    const key = keyOrNone(object);
    if (key === undefined) {
      sink.malformed(object);
      return;
    }
    const known = this.#state.needsNewest ? undefined : sink.known(key);
    this.#items.set(key, known !== undefined && isSameState(known, object) ? known : object);
  }

  /** Not to be interrupted: the pause is there for the server's sake. */
  async #wait(atLeastMs: number, signal: AbortSignal): Promise<Input> {
    try {
      await sleep(this.#options.clock, Math.max(atLeastMs, this.#backoff.next()), signal);
    } catch {
      // Stopped; the loop sees it.
    }
    return { on: 'waited' };
  }

  /** Nobody waits for it but the end of the run: a stream that hangs must not hang the reflector. */
  #closeWatch(): void {
    const watch = this.#watch;
    if (watch === undefined) return;
    this.#watch = undefined;
    const closed = watch.close().finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }
}

/** By code: it may come from another copy of the client. */
function isIdle(thrown: unknown): boolean {
  return thrown instanceof WindlassError && thrown.code === 'WATCH_IDLE';
}

function isSameState(a: KubeObject, b: KubeObject): boolean {
  const version = a.metadata?.resourceVersion;
  return (
    version !== undefined && version === b.metadata?.resourceVersion && a.metadata?.uid === b.metadata?.uid
  );
}

/** Undefined for what has no name, and so can be neither found nor removed again. */
export function keyOrNone(object: KubeObject | undefined): string | undefined {
  const metadata = object?.metadata;
  const name = metadata?.name;
  if (name === undefined || name === '') return undefined;
  return joinKey(metadata?.namespace, name);
}

function indexOfError(events: readonly RawWatchEvent[]): number {
  for (let index = 0; index < events.length; index++) if (events[index]?.type === 'ERROR') return index;
  return -1;
}

/** Empty and missing are the same: nothing to go by. */
function versionOf(event: RawWatchEvent | undefined): string | undefined {
  return (event?.object as KubeObject | undefined)?.metadata?.resourceVersion || undefined;
}

function isMarker(object: KubeObject): boolean {
  return object.metadata?.annotations?.[INITIAL_EVENTS_END] === 'true';
}

function requireAtLeastOne(name: string, value: number): void {
  if (!(Number.isFinite(value) && value >= 1))
    throw new InvalidArgumentError(name, value, 'a finite number of at least 1');
}
