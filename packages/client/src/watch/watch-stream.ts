import {
  isStatus,
  type KubeObject,
  type RawWatchEvent,
  type Status,
  StatusError,
} from '@windlass/apimachinery';
import { abortError, type Clock, onAbort, toError } from '@windlass/base';
import { type SilenceLimit, SilenceTimer } from './silence-timer.ts';
import type { WatchEvent } from './watch-event.ts';

type Batch<T extends KubeObject> = readonly WatchEvent<T>[];
type Result<T extends KubeObject> = IteratorResult<Batch<T>, undefined>;
type Events = AsyncIterable<readonly RawWatchEvent[]>;
type Source = AsyncIterator<readonly RawWatchEvent[]>;

/** How a watch is opened, and when it ends. */
export interface WatchStreamOptions {
  /** Asks the server. The signal ends the request, and the events when they come. */
  readonly open: (signal: AbortSignal) => Promise<Events>;
  readonly signal: AbortSignal | undefined;
  /** Why the watch cannot go on after an event; undefined when it can. @default every event is fine */
  readonly check?: (event: RawWatchEvent) => Error | undefined;
  /**
   * How much silence is too much, beginning with the request, until `allowSilence` says otherwise. The source may
   * have a limit of its own besides.
   * @default any silence is fine
   */
  readonly silence?: { readonly clock: Clock; readonly ms: number };
}

/**
 * A watch as it is read, from any transport. It is opened by the first `next`, and closed by `return`, by the signal, or
 * by its end. Nobody else waits for an abort, looks for silence, or makes an error of an ERROR event.
 *
 * - `return` may come while a `next` waits; a generator would let it wait for the next event.
 * - A `next` that waits ends at once when the signal aborts or the silence is too long, whatever the source does.
 * - An error is thrown after the events before it, and once; after it the stream is over.
 */
export class WatchStream<T extends KubeObject> implements AsyncIterableIterator<Batch<T>> {
  readonly #options: WatchStreamOptions;
  /** Ends the request and its events. */
  readonly #end = new AbortController();
  readonly #silence = new SilenceTimer((error) => this.#fallSilent(error));
  #source: Promise<Source> | undefined = undefined;
  /** The `next` that waits. */
  #reading: { readonly end: () => void; readonly fail: (error: Error) => void } | undefined = undefined;
  /** Why it ended, as the reader is told, when the reader has not been told yet. */
  #failure: Error | undefined = undefined;
  #isOver = false;
  #lastHeard = 0;
  #limit: SilenceLimit | undefined = undefined;
  #release: () => void = () => {};

  constructor(options: WatchStreamOptions) {
    this.#options = options;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Resolves when the server has accepted the watch. `next` does so by itself. */
  async open(): Promise<void> {
    await this.#run(() => this.#connected().then(() => DONE));
  }

  next(): Promise<Result<T>> {
    return this.#run(() => this.#read());
  }

  /** Resolves when the source has closed. */
  async return(): Promise<Result<T>> {
    const source = this.#source;
    this.#finish();
    this.#end.abort(RETURNED);
    this.#reading?.end();
    const opened = await source?.catch(() => undefined);
    await opened?.return?.();
    return DONE;
  }

  /** What came was a sign of life, for the limit of `allowSilence`. */
  heard(): void {
    this.#lastHeard = this.#options.silence?.clock.monotonic() ?? 0;
  }

  /** From now on so much silence is too much. It counts only while a `next` waits. */
  allowSilence(ms: number): void {
    const clock = this.#options.silence?.clock;
    if (clock === undefined || this.#isOver) return;
    if (this.#limit !== undefined) this.#silence.remove(this.#limit);
    this.heard();
    this.#limit = {
      what: 'the watch',
      clock,
      ms,
      silentMs: () => (this.#reading === undefined ? 0 : clock.monotonic() - this.#lastHeard),
    };
    this.#silence.add(this.#limit);
  }

  /** Waits for what `work` gives, unless the stream ends before. */
  async #run(work: () => Promise<Result<T>>): Promise<Result<T>> {
    if (this.#isOver) return this.#last();
    const reading = Promise.withResolvers<Result<T>>();
    this.#reading = { end: () => reading.resolve(DONE), fail: reading.reject };
    // When the stream has ended otherwise, what comes of this is of no interest, not even its failure.
    work().then(reading.resolve, reading.reject);
    try {
      return await reading.promise;
    } catch (error) {
      this.#finish();
      // The source may only say that it was told to end.
      this.#failure ??= toError(error);
      return this.#last();
    } finally {
      this.#reading = undefined;
    }
  }

  async #read(): Promise<Result<T>> {
    const source = await this.#connected();
    for (;;) {
      const result = await source.next();
      if (result.done === true) this.#finish();
      else {
        const batch = this.#upToError(result.value, source);
        if (batch.length > 0) return { done: false, value: batch };
      }
      if (this.#isOver) return this.#last();
    }
  }

  /** What a reader gets of a stream that is over. */
  #last(): Result<T> {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
    return DONE;
  }

  /** A reader that waits is told at once; another one when it asks. */
  #abort(error: Error): void {
    this.#finish();
    this.#end.abort(error);
    if (this.#reading === undefined) this.#failure = error;
    else this.#reading.fail(error);
  }

  /** As `#abort`, but what came before the silence and was not read yet still can be. */
  #fallSilent(error: Error): void {
    if (this.#reading !== undefined) this.#abort(error);
    else {
      this.#failure = error;
      this.#end.abort(error);
    }
  }

  #finish(): void {
    this.#isOver = true;
    this.#release();
    this.#silence.stop();
  }

  #connected(): Promise<Source> {
    this.#source ??= this.#connect();
    return this.#source;
  }

  async #connect(): Promise<Source> {
    const { signal, silence } = this.#options;
    if (silence !== undefined) this.allowSilence(silence.ms);
    this.#release = onAbort(signal, () => {
      if (signal !== undefined) this.#abort(abortError(signal));
    });
    if (this.#end.signal.aborted) throw abortError(this.#end.signal);
    const events = await this.#events();
    const source = events[Symbol.asyncIterator]();
    if (this.#isOver) Promise.resolve(source.return?.()).catch(() => {});
    else if ('silence' in events && events.silence instanceof SilenceTimer)
      this.#silence.adopt(events.silence);
    return source;
  }

  /** A stream that nobody has read yet is a way to open one: this one takes its place. */
  async #events(): Promise<Events> {
    let events = await this.#options.open(this.#end.signal);
    while (events instanceof WatchStream && events.#source === undefined)
      events = await events.#options.open(this.#end.signal);
    return events;
  }

  /** The events as they are, without a copy unless something that ends the watch follows them. */
  #upToError(events: readonly RawWatchEvent[], source: Source): Batch<T> {
    // What is not ERROR has the form of a WatchEvent; its object is of the kind that was asked for.
    const typed = events as readonly unknown[] as Batch<T>;
    for (let index = 0; index < events.length; index++) {
      // The index is within the events.
      const error = this.#errorOf(events[index] as RawWatchEvent);
      if (error === undefined) continue;
      this.#failure = error;
      this.#finish();
      // Nobody reads it any more, so nobody is interested in how it closes.
      Promise.resolve(source.return?.()).catch(() => {});
      return typed.slice(0, index);
    }
    return typed;
  }

  #errorOf(event: RawWatchEvent): Error | undefined {
    if (event.type !== 'ERROR') return this.#options.check?.(event);
    return new StatusError(
      isFailure(event.object) ? event.object : { message: 'the watch ended with an error of no known form' },
    );
  }
}

/** The object of an ERROR should be a Status; one whose kind was lost on the way is still told by its code. */
function isFailure(object: unknown): object is Status {
  if (isStatus(object)) return true;
  return typeof object === 'object' && object !== null && 'code' in object && typeof object.code === 'number';
}

/** A reason of its own: one that the platform makes has a stack, which costs more than the rest of the end. */
const RETURNED = 'the watch is no longer read';
const DONE = Object.freeze({ done: true, value: undefined } as const);
