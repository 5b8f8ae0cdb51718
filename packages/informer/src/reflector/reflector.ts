import type { KubeObject, RawWatchEvent } from '@windlass/apimachinery';
import { Backoff, linkSignals, sleep, WindlassError } from '@windlass/base';
import { classifyFailure } from '../list-watch/failure.ts';
import { CollectedState } from './collected-state.ts';
import { checkTuning, DEFAULT_REFLECTOR_TUNING, type ReflectorOptions } from './reflector-options.ts';
import type { Effect, Input, ReflectorConfig, ReflectorState, Step } from './reflector-state.ts';
import { initialState, step } from './reflector-step.ts';
import { WatchReading } from './watch-reading.ts';

/**
 * Keeps a sink equal to what an API server has: all objects once, then every change, for as long as it
 * runs, whatever happens to the connection. What to do next is decided by `step`; this does it.
 */
export class Reflector<T extends KubeObject> {
  readonly #options: Required<Omit<ReflectorOptions<T>, 'backoff' | 'onRequest'>> &
    Pick<ReflectorOptions<T>, 'onRequest'>;
  readonly #config: ReflectorConfig;
  readonly #backoff: Backoff;
  readonly #collected: CollectedState<T>;
  #watch: WatchReading | undefined = undefined;
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
    checkTuning(this.#options);
    this.#collected = new CollectedState(options.sink);
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
    if (taken.discard === true) this.#collected.take();
    if (taken.close === true) this.#closeWatch();
    return taken.effect;
  }

  #commit({ version, versionsAreUnique }: NonNullable<Step['commit']>): void {
    const objects = this.#collected.take();
    this.#watch?.allowSilence(this.#options.silenceMs);
    this.#options.sink.replace(objects, version, versionsAreUnique);
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
          return await this.#wait(effect, signal);
        default:
          return effect satisfies never;
      }
    } catch (thrown) {
      // It failed because it was interrupted; there is nothing to report.
      if (this.#relistAsked) return 'interrupted';
      if (effect.do !== 'list' && isIdle(thrown)) return { on: 'silent' };
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
    for (const item of page.items) this.#collected.add(item, this.#state.needsNewest);
    return { on: 'page', resourceVersion: page.resourceVersion, continueToken: page.continueToken };
  }

  async #open(
    { resourceVersion, sendInitialEvents }: Extract<Effect, { do: 'open' }>,
    signal: AbortSignal,
  ): Promise<Input | 'interrupted'> {
    this.#options.onRequest?.('watch');
    const { clock, random, minWatchSeconds, listWatch, silenceMs, streamSilenceMs } = this.#options;
    const timeoutSeconds = Math.floor(minWatchSeconds * (1 + random.next()));
    const watch = new WatchReading({
      listWatch,
      request: { resourceVersion, sendInitialEvents, timeoutSeconds },
      signal,
      clock,
      silenceMs: sendInitialEvents ? streamSilenceMs : silenceMs,
      bookmarkSilenceMs: Math.min(silenceMs, this.#options.bookmarkSilenceMs),
    });
    this.#watch = watch;
    this.#interrupt = () => this.#closeWatch();
    await watch.open();
    return this.#watch === watch ? { on: 'opened' } : 'interrupted';
  }

  async #readNext(): Promise<Input | 'interrupted'> {
    const watch = this.#watch;
    if (watch === undefined) throw new TypeError('there is no open watch to read');
    this.#interrupt = () => this.#closeWatch();
    const batch = await watch.next();
    if (batch === undefined)
      return this.#watch === watch ? { on: 'closed', lastedMs: watch.lastedMs } : 'interrupted';
    if (this.#state.phase === 'streaming') return this.#readInitial(watch, batch);
    this.#read = batch;
    return { on: 'events', ...watch.versionsOf(batch), marker: undefined };
  }

  /** Only an object more is a sign of life: a server that knows no marker sends changes for ever. */
  #readInitial(watch: WatchReading, batch: readonly RawWatchEvent[]): Input {
    const { marker, rest, hasGrown } = this.#collected.addEvents(batch, this.#state.needsNewest);
    watch.putBack(rest);
    if (hasGrown) watch.heard();
    return { on: 'events', first: undefined, last: undefined, marker };
  }

  /** Not to be interrupted: the pause is there for the server's sake. */
  async #wait(
    { atLeastMs, atMostMs = Number.POSITIVE_INFINITY }: Extract<Effect, { do: 'wait' }>,
    signal: AbortSignal,
  ): Promise<Input> {
    try {
      await sleep(this.#options.clock, Math.max(atLeastMs, Math.min(this.#backoff.next(), atMostMs)), signal);
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
