// The seam between whoever asks and whoever answers. It stands here, below both the client and the API
// server, so that a call may go over HTTP or straight into the server's handlers in the same process.

import type { Duplex } from 'node:stream';
import type { JsonValue } from './object.ts';

/** A request to an API server, whichever way it travels. */
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

/** What an API server answers. */
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

/** What a watch event reports. */
export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** As it is on the wire. For ERROR the object is a Status. */
export interface RawWatchEvent {
  readonly type: WatchEventType;
  readonly object: JsonValue | object;
}

/** What an API server answers to a watch. */
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

/** What an API server answers to a request for a stream of bytes, such as a log. */
export interface ApiStreamResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Present when the status is not 200: the decoded error body. */
  readonly body?: unknown;
  /**
   * Present when the status is 200. Read it once. Ends when the server ends the answer; rejects when the connection
   * breaks. `return()` closes the connection. What is not read waits at the server.
   */
  readonly bytes?: AsyncIterable<Uint8Array>;
}

/** What an API server answers to a request for another protocol, such as exec. */
export interface ApiUpgradeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Present when the status is not 101: the decoded error body. */
  readonly body?: unknown;
  /** Present when the status is 101: the connection, which speaks the new protocol. Who asked for it closes it. */
  readonly socket?: Duplex;
}

/** Implementations: HTTP over one pool of connections (`client`), and in process (`apiserver`). */
export interface Transport extends AsyncDisposable {
  request(request: ApiRequest): Promise<ApiResponse>;
  watch(request: ApiRequest): Promise<ApiWatchResponse>;
  /**
   * For answers that come over time, as logs do. The signal holds for as long as the answer is read.
   * A transport without it has whole answers only.
   */
  stream?(request: ApiRequest): Promise<ApiStreamResponse>;
  /**
   * Asks for another protocol on the connection: the one that the header `upgrade` names. The signal holds until the
   * connection is closed, and closes it. A transport without it cannot run commands in pods or forward ports.
   */
  upgrade?(request: ApiRequest): Promise<ApiUpgradeResponse>;
}
