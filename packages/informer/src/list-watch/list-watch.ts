import type { RawWatchEvent } from '@windlass/apimachinery';

/** Which page is asked for, and how fresh it must be. */
export interface ListRequest {
  /** `''` the newest, `'0'` whatever the server has at hand, else that version or any later one. */
  readonly resourceVersion: string;
  /** 0 for no limit. */
  readonly limit: number;
  /** Where the page before left off. It names the version, so `resourceVersion` is empty then. */
  readonly continueToken: string | undefined;
  readonly signal: AbortSignal;
}

/** One page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** Present when there is more. */
  readonly continueToken: string | undefined;
}

/** Where a watch begins, and how long it lasts. */
export interface WatchRequest {
  readonly resourceVersion: string;
  /** Asks for the present state as events, closed by a marked bookmark, before the changes. */
  readonly sendInitialEvents: boolean;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/**
 * What a reflector needs of an API server: all objects of a kind, and every change after that.
 *
 * - What the server refuses rejects with its StatusError; what breaks, with any other error. A watch may
 *   be refused when it is asked for or when it is first read.
 * - A list ends in time, one way or the other: a transport gives up on a silent server.
 * - Events come in order. They end when the server ends them and reject when the connection breaks.
 * - An abort of the signal, and `return()` of the events, end a read that waits.
 * - Objects are the reflector's from then on: nobody else changes them.
 */
export interface ListWatch<T> {
  list(request: ListRequest): Promise<ListPage<T>>;
  watch(request: WatchRequest): Promise<AsyncIterable<readonly RawWatchEvent[]>>;
}
