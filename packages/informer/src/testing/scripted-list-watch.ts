import type { RawWatchEvent } from '@windlass/apimachinery';
import { abortError, onAbort, orAbort } from '@windlass/base';
import { INITIAL_EVENTS_END } from '@windlass/client';
import type { ListPage, ListRequest, ListWatch, WatchRequest } from '../list-watch/list-watch.ts';
import { type TestObject, testObject } from './test-object.ts';

/** A list that waits for its answer. */
export interface ScriptedList {
  readonly request: ListRequest;
  /** @param token where the next page begins */
  answer(version: number | string, objects?: readonly TestObject[], token?: string): void;
  fail(error: Error): void;
}

/** A watch that was opened: what is sent here is read there. */
export class ScriptedWatch implements AsyncIterableIterator<readonly RawWatchEvent[]> {
  readonly request: WatchRequest;
  readonly #batches: (readonly RawWatchEvent[])[] = [];
  readonly #release: () => void;
  #over: { readonly error: Error | undefined } | undefined = undefined;
  #wake: () => void = () => {};

  constructor(request: WatchRequest) {
    this.request = request;
    this.#release = onAbort(request.signal, () => this.fail(abortError(request.signal)));
  }

  get isOver(): boolean {
    return this.#over !== undefined;
  }

  send(...batch: RawWatchEvent[]): void {
    this.#batches.push(batch);
    this.#wake();
  }

  end(): void {
    this.#finish(undefined);
  }

  fail(error: Error): void {
    this.#finish(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly RawWatchEvent[], undefined>> {
    for (;;) {
      const value = this.#batches.shift();
      if (value !== undefined) return { done: false, value };
      if (this.#over?.error !== undefined) throw this.#over.error;
      if (this.#over !== undefined) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async return(): Promise<IteratorResult<readonly RawWatchEvent[], undefined>> {
    this.#finish(undefined);
    return { done: true, value: undefined };
  }

  #finish(error: Error | undefined): void {
    this.#over ??= { error };
    this.#release();
    this.#wake();
  }
}

/** A server whose every answer the test gives by hand. */
export class ScriptedListWatch implements ListWatch<TestObject> {
  /** Every request there was, in short: `list 0 limit 500`, `watch 5`, `stream`. */
  readonly log: string[] = [];
  readonly #lists: ScriptedList[] = [];
  readonly #watches: ScriptedWatch[] = [];
  #refuseWatch: Error | undefined = undefined;
  /** Watches are never answered. */
  hangs = false;
  /** The signal of the last watch that was not answered. */
  hangingWatch: AbortSignal | undefined = undefined;

  list(request: ListRequest): Promise<ListPage<TestObject>> {
    const { resourceVersion, limit, continueToken } = request;
    this.log.push(
      continueToken === undefined ? `list ${resourceVersion || 'newest'} limit ${limit}` : 'next page',
    );
    return new Promise((resolve, reject) => {
      const release = onAbort(request.signal, () => reject(abortError(request.signal)));
      this.#lists.push({
        request,
        answer: (version, items = [], token?: string) => {
          release();
          resolve({ items, resourceVersion: String(version), continueToken: token });
        },
        fail: (error) => {
          release();
          reject(error);
        },
      });
    });
  }

  async watch(request: WatchRequest): Promise<ScriptedWatch> {
    this.log.push(`${request.sendInitialEvents ? 'stream' : 'watch'} ${request.resourceVersion || 'newest'}`);
    const refusal = this.#refuseWatch;
    this.#refuseWatch = undefined;
    if (refusal !== undefined) throw refusal;
    if (this.hangs) {
      this.hangingWatch = request.signal;
      return orAbort(new Promise<never>(() => {}), request.signal);
    }
    const watch = new ScriptedWatch(request);
    this.#watches.push(watch);
    return watch;
  }

  /** The next watch is refused with it. */
  refuseNextWatch(error: Error): void {
    this.#refuseWatch = error;
  }

  /** The list that waits for an answer. */
  get waitingList(): ScriptedList {
    return required(this.#lists.at(-1), 'list');
  }

  /** The watch that was opened last. */
  get lastWatch(): ScriptedWatch {
    return required(this.#watches.at(-1), 'watch');
  }

  get openWatches(): number {
    return this.#watches.filter((watch) => !watch.isOver).length;
  }
}

function required<V>(value: V | undefined, what: string): V {
  if (value === undefined) throw new Error(`there was no ${what}`);
  return value;
}

export function thing(name: string, version: number | string, options: { uid?: string } = {}): TestObject {
  return testObject(`ns/${name}`, { uid: options.uid ?? `uid-of-${name}`, version, writes: 0 });
}

export const added = (object: TestObject): RawWatchEvent => ({ type: 'ADDED', object });
export const modified = (object: TestObject): RawWatchEvent => ({ type: 'MODIFIED', object });
export const deleted = (object: TestObject): RawWatchEvent => ({ type: 'DELETED', object });

export function bookmark(version: number | string): RawWatchEvent {
  return { type: 'BOOKMARK', object: { metadata: { resourceVersion: String(version) } } };
}

export function marker(version: number | string): RawWatchEvent {
  const annotations = { [INITIAL_EVENTS_END]: 'true' };
  return { type: 'BOOKMARK', object: { metadata: { resourceVersion: String(version), annotations } } };
}
