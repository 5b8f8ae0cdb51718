import type { RawWatchEvent } from '@windlass/apimachinery';

export interface ListRequest {
  /** `''` the newest, `'0'` whatever the server has at hand, else at least this version. */
  readonly resourceVersion: string;
  /** 0 for no limit. */
  readonly limit: number;
  readonly continueToken: string | undefined;
  readonly signal: AbortSignal;
}

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  /** Present when there is more. */
  readonly continueToken: string | undefined;
}

export interface WatchRequest {
  readonly resourceVersion: string;
  /** Asks for the present state as events, closed by a marked bookmark, before the changes. */
  readonly sendInitialEvents: boolean;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

/**
 * What a reflector needs of an API server: all objects of a kind, and every change after that. Both
 * reject with the server's StatusError. A watch resolves once the server has accepted it; its events end
 * when the server ends them, and reject when the connection breaks.
 */
export interface ListWatch<T> {
  list(request: ListRequest): Promise<ListPage<T>>;
  watch(request: WatchRequest): Promise<AsyncIterable<readonly RawWatchEvent[]>>;
}
