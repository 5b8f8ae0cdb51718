import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import {
  newBadRequest,
  newInternalError,
  newResourceExpired,
  newTooLargeResourceVersion,
  type RawWatchEvent,
  statusErrorIn,
} from '@windlass/apimachinery';
import { type Clock, type Random, sleep, type Timer } from '@windlass/base';
import type { ListPage, ListRequest, ListWatch, WatchRequest } from '../list-watch/list-watch.ts';
import { anyRefusal, bookmark, copyOf, errorEvent, notServed } from './fake-answers.ts';
import type { FakeCollection, LoggedEvent, Snapshot } from './fake-collection.ts';
import { FakeStream } from './fake-stream.ts';
import type { TestObject } from './test-object.ts';

export interface FakeServerOptions {
  readonly collection: FakeCollection;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * What a watch from a version that is yet to come gets: nothing until then (as kube-apiserver does), an
   * error, or whatever happens.
   * @default silent
   */
  readonly futureWatch?: 'silent' | 'error' | 'eager';
  /**
   * Whether it knows streaming lists: yes, refuses them as a bad request, answers them with an error event
   * (as kube-apiserver does over an old etcd), or takes them and never sends the marker.
   * @default yes
   */
  readonly streaming?: 'yes' | 'refused' | 'error-event' | 'no-marker';
  /** @default 60000 */
  readonly bookmarkMs?: number;
}

/** As the HTTP transport does. */
const RESPONSE_TIMEOUT_MS = 65_000;
/** As the watch cache of kube-apiserver does. */
const FRESHNESS_TIMEOUT_MS = 3000;

interface Streaming {
  readonly stream: FakeStream;
  /** Only what is newer is sent. */
  from: number;
  /** How many more events until something goes wrong with it. */
  eventsLeft: number;
  readonly timers: Set<Timer>;
  readonly isQuietUntilFrom: boolean;
}

/** An API server for one kind that does what real ones do, and with `faults` everything that can go wrong. */
export class FakeServer implements ListWatch<TestObject> {
  readonly collection: FakeCollection;
  /** How likely, from 0 to 1, each request and each stream is to go wrong. */
  faults = 0;
  readonly requests = { list: 0, watch: 0 };
  readonly #options: FakeServerOptions;
  readonly #random: Random;
  readonly #clock: Clock;
  readonly #streams = new Set<Streaming>();
  /** Of every request there was. */
  readonly #signals: AbortSignal[] = [];
  #inFlight = 0;
  readonly #tokens = new Map<string, { readonly snapshot: Snapshot; readonly from: number }>();
  readonly #unsubscribe: () => void;
  #downUntil = 0;
  #isServed = true;

  constructor(options: FakeServerOptions) {
    this.#options = options;
    this.collection = options.collection;
    this.#random = options.random;
    this.#clock = options.clock;
    this.#unsubscribe = this.collection.onEvent((event) => {
      for (const streaming of this.#streams) this.#sendEvent(streaming, event);
    });
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  /** All connections break, and for a while nobody listens. */
  restart(downMs: number): void {
    this.#downUntil = this.#clock.monotonic() + downMs;
    this.breakStreams();
  }

  breakStreams(): void {
    for (const { stream } of this.#streams) stream.fail(new Error('read ECONNRESET'));
  }

  silenceStreams(): void {
    for (const { stream } of this.#streams) stream.silence();
  }

  /** Watchers are told that their version is too old, in mid-stream. */
  expireStreams(): void {
    for (const { stream } of this.#streams) {
      stream.send(errorEvent(newResourceExpired('too old resource version')));
      stream.end();
    }
  }

  /** Whether the kind is served at all, as a custom resource is while its definition is there. */
  serveKind(isServed: boolean): void {
    this.#isServed = isServed;
    if (!isServed) for (const { stream } of this.#streams) stream.end();
  }

  async list(request: ListRequest): Promise<ListPage<TestObject>> {
    this.requests.list++;
    return this.#handle(request.signal, async () => {
      const { snapshot, from } = await this.#snapshotFor(request);
      const keys = [...snapshot.objects.keys()].sort();
      const to = request.limit === 0 ? keys.length : Math.min(keys.length, from + request.limit);
      const items = keys.slice(from, to).map((key) => copyOf(snapshot.objects.get(key) as TestObject));
      const continueToken = to < keys.length ? this.#token(snapshot, to) : undefined;
      return { items, resourceVersion: String(snapshot.version), continueToken };
    });
  }

  async watch(request: WatchRequest): Promise<AsyncIterable<readonly RawWatchEvent[]>> {
    this.requests.watch++;
    return this.#handle(request.signal, async () => {
      if (request.sendInitialEvents && this.#options.streaming === 'refused')
        throw newBadRequest('sendInitialEvents is forbidden for watch');
      const timers = new Set<Timer>();
      const stream = new FakeStream({
        signal: request.signal,
        random: this.#random,
        onClose: () => {
          this.#streams.delete(streaming);
          for (const timer of timers) timer.cancel();
        },
      });
      const asked = Number(request.resourceVersion);
      const isFuture = asked > this.collection.version;
      const streaming: Streaming = {
        stream,
        from: asked,
        eventsLeft: this.#isUnlucky() ? this.#random.int(8) : Number.POSITIVE_INFINITY,
        timers,
        isQuietUntilFrom: isFuture && (this.#options.futureWatch ?? 'silent') === 'silent',
      };
      this.#streams.add(streaming);
      timers.add(this.#clock.setTimeout(() => stream.end(), request.timeoutSeconds * 1000));
      this.#bookmarkLater(streaming);
      try {
        this.#begin(streaming, request, isFuture);
      } catch (error) {
        // A server may find out before or after it has said 200.
        const refusal = statusErrorIn(error);
        if (refusal === undefined || this.#random.int(2) === 0) {
          void stream.return();
          throw error;
        }
        stream.send(errorEvent(refusal));
        stream.end();
      }
      return stream;
    });
  }

  /** Its clients are gone: they must have taken everything with them. */
  requireNothingLeft(): void {
    assert.equal(this.#inFlight, 0, 'a request is left behind');
    assert.equal(this.#streams.size, 0, 'a stream is left open');
    for (const signal of this.#signals)
      assert.equal(getEventListeners(signal, 'abort').length, 0, 'a listener is left on a signal');
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    for (const { stream } of this.#streams) void stream.return();
  }

  #begin(streaming: Streaming, request: WatchRequest, isFuture: boolean): void {
    const asked = Number(request.resourceVersion);
    const mode = this.#options.streaming ?? 'yes';
    if (request.sendInitialEvents) {
      if (mode === 'error-event') throw newInternalError(new Error('RequestWatchProgress is disabled'));
      if (isFuture) throw newTooLargeResourceVersion(asked, this.collection.version, 1);
      const state =
        request.resourceVersion === '' ? this.collection.current : this.collection.someState(asked);
      this.#sendState(streaming, state);
      streaming.from = state.version;
      if (mode === 'yes') this.#send(streaming, bookmark(state.version, true));
      for (const event of this.collection.since(state.version)) this.#sendEvent(streaming, event);
      return;
    }
    if (asked === 0) {
      this.#sendState(streaming, this.collection.current);
      streaming.from = this.collection.version;
      return;
    }
    if (isFuture) {
      const how = this.#options.futureWatch ?? 'silent';
      if (how === 'error') throw newTooLargeResourceVersion(asked, this.collection.version, 1);
      if (how === 'eager') streaming.from = this.collection.version;
      return;
    }
    for (const event of this.collection.since(asked)) this.#sendEvent(streaming, event);
  }

  /** The present state as ADDED, in no order. */
  #sendState(streaming: Streaming, { objects }: Snapshot): void {
    const rest = [...objects.values()];
    while (rest.length > 0) {
      const [object] = rest.splice(this.#random.int(rest.length), 1);
      if (object !== undefined) this.#send(streaming, { type: 'ADDED', object: copyOf(object) });
    }
  }

  #sendEvent(streaming: Streaming, { version, type, object }: LoggedEvent): void {
    if (version <= streaming.from) return;
    streaming.from = version;
    this.#send(streaming, { type, object: copyOf(object) });
  }

  #send(streaming: Streaming, event: RawWatchEvent): void {
    streaming.stream.send(event);
    if (streaming.eventsLeft-- <= 0 && this.faults > 0) this.#spoil(streaming);
  }

  /** Something happens to a stream in the middle. */
  #spoil({ stream, from }: Streaming): void {
    const ways: readonly (() => void)[] = [
      () => stream.fail(new Error('read ECONNRESET')),
      () => stream.fail(new Error('the watch stream ended within a line')),
      () => stream.end(),
      () => stream.silence(),
      () => stream.send(bookmark(Math.max(1, from - this.#random.int(5)), false)),
      () => {
        stream.send(bookmark(from, false));
        stream.send(bookmark(from, false));
      },
      () => {
        stream.send(errorEvent(anyRefusal(this.#random, this.collection.version)));
        stream.end();
      },
    ];
    ways[this.#random.int(ways.length)]?.();
  }

  #bookmarkLater(streaming: Streaming): void {
    const { timers, stream } = streaming;
    const timer = this.#clock.setTimeout(() => {
      timers.delete(timer);
      if (stream.isOver) return;
      this.#bookmarkLater(streaming);
      if (streaming.isQuietUntilFrom && this.collection.version < streaming.from) return;
      // One that comes late, out of order, must do no harm.
      const late = this.#isUnlucky() ? this.#random.int(10) : 0;
      this.#send(streaming, bookmark(Math.max(1, this.collection.version - late), false));
    }, this.#options.bookmarkMs ?? 60_000);
    timers.add(timer);
  }

  async #handle<R>(signal: AbortSignal, answer: () => Promise<R>): Promise<R> {
    this.#inFlight++;
    this.#signals.push(signal);
    try {
      await this.#arrive(signal);
      return await answer();
    } finally {
      this.#inFlight--;
    }
  }

  async #arrive(signal: AbortSignal): Promise<void> {
    if (this.#clock.monotonic() < this.#downUntil) throw new Error('connect ECONNREFUSED');
    const luck = this.#isUnlucky() ? this.#random.int(4) : -1;
    if (luck === 0) throw new Error('connect ECONNREFUSED');
    if (luck === 1) {
      await sleep(this.#clock, RESPONSE_TIMEOUT_MS, signal);
      throw new Error('the server took the request and was silent');
    }
    if (luck === 2) await sleep(this.#clock, this.#random.int(20_000), signal);
    if (luck === 3) throw anyRefusal(this.#random, this.collection.version);
    if (!this.#isServed) throw notServed();
  }

  async #snapshotFor(request: ListRequest): Promise<{ snapshot: Snapshot; from: number }> {
    const { continueToken, resourceVersion } = request;
    if (continueToken !== undefined) {
      const page = this.#tokens.get(continueToken);
      this.#tokens.delete(continueToken);
      if (page === undefined || this.collection.isCompacted(page.snapshot.version))
        throw newResourceExpired('The provided continue parameter is too old');
      return page;
    }
    if (resourceVersion === '') return { snapshot: this.collection.current, from: 0 };
    const asked = Number(resourceVersion);
    if (asked > this.collection.version) {
      await sleep(this.#clock, FRESHNESS_TIMEOUT_MS, request.signal);
      if (asked > this.collection.version)
        throw newTooLargeResourceVersion(asked, this.collection.version, 1);
    }
    return { snapshot: this.collection.someState(asked), from: 0 };
  }

  #token(snapshot: Snapshot, from: number): string {
    const token = `${snapshot.version}:${from}:${this.#random.int(2 ** 32)}`;
    this.#tokens.set(token, { snapshot, from });
    return token;
  }

  #isUnlucky(): boolean {
    return this.faults > 0 && this.#random.next() < this.faults;
  }
}
