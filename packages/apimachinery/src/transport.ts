// The seam between whoever asks and whoever answers. It stands here, below both the client and the API
// server, so that a call may go over HTTP or straight into the server's handlers in the same process.

import type { JsonValue } from './object.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute and percent-encoded, without query: `/apis/apps/v1/namespaces/default/deployments`. */
  readonly path: string;
  /** Values not yet encoded; undefined means absent; an array repeats the name. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Lower-case names. `accept` and `content-type` default to JSON. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value (shared, never mutated by the receiver), or bytes with their `content-type`. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

export interface ApiResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The decoded JSON value; bytes when the answer is not JSON; undefined when it is empty. In process
   * it is the server's own object: read-only.
   */
  readonly body: unknown;
}

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** As it is on the wire. For ERROR the object is a Status. */
export interface RawWatchEvent {
  readonly type: WatchEventType;
  readonly object: JsonValue | object;
}

export interface ApiWatchResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Present when the status is not 200: the decoded error body. */
  readonly body?: unknown;
  /**
   * Present when the status is 200. Events come in arrays, as many as arrived together, because one
   * promise an event is what a fast stream would spend most of its time on. Ends when the server ends
   * the watch; rejects when the connection breaks. `return()` closes the connection.
   */
  readonly events?: AsyncIterable<readonly RawWatchEvent[]>;
}

/** Implementations: HTTP over one pool of connections (`client`), and in process (`apiserver`). */
export interface Transport extends AsyncDisposable {
  request(request: ApiRequest): Promise<ApiResponse>;
  watch(request: ApiRequest): Promise<ApiWatchResponse>;
}
