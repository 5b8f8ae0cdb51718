import type { ApiRequest, RawWatchEvent } from '@windlass/apimachinery';
import { TransportError } from '@windlass/client';

type Batch = readonly RawWatchEvent[];
type Result = IteratorResult<Batch, undefined>;

/** A watch as a process sees it: events arrive when the wire delivers them, and it can be held and broken. */
export class WireWatch implements AsyncIterableIterator<Batch> {
  readonly request: ApiRequest;
  readonly #onEnd: () => void;
  readonly #arrived: Batch[] = [];
  #reader: PromiseWithResolvers<Result> | undefined = undefined;
  #over: 'ended' | 'broken' | undefined = undefined;
  #holds = 0;

  constructor(request: ApiRequest, onEnd: () => void) {
    this.request = request;
    this.#onEnd = onEnd;
  }

  get isOver(): boolean {
    return this.#over !== undefined;
  }

  /** Nothing arrives until it was released as often. */
  hold(): void {
    this.#holds++;
  }

  release(): void {
    this.#holds = Math.max(0, this.#holds - 1);
    this.#serve();
  }

  /** An event has come over the network. */
  arrive(batch: Batch): void {
    if (this.#over !== undefined) return;
    this.#arrived.push(batch);
    this.#serve();
  }

  /** The server has ended it. */
  end(): void {
    this.#finish('ended');
  }

  break(): void {
    this.#arrived.length = 0;
    this.#holds = 0;
    this.#finish('broken');
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    this.#reader = Promise.withResolvers<Result>();
    const { promise } = this.#reader;
    this.#serve();
    return promise;
  }

  return(): Promise<Result> {
    this.#arrived.length = 0;
    this.#holds = 0;
    this.#finish('ended');
    return Promise.resolve({ done: true, value: undefined });
  }

  #serve(): void {
    if (this.#holds > 0 || this.#reader === undefined) return;
    const reader = this.#reader;
    const batch = this.#arrived.shift();
    if (batch !== undefined) reader.resolve({ done: false, value: batch });
    else if (this.#over === 'ended') reader.resolve({ done: true, value: undefined });
    else if (this.#over === 'broken')
      reader.reject(new TransportError('the connection broke', { code: 'CONNECTION_LOST', sent: true }));
    else return;
    this.#reader = undefined;
  }

  #finish(how: 'ended' | 'broken'): void {
    if (this.#over !== undefined) return;
    this.#over = how;
    this.#onEnd();
    this.#serve();
  }
}
