import { channel } from 'node:diagnostics_channel';
import type { ApiRequest, ApiResponse, RequestSubject } from '@windlass/apimachinery';
import type { Around } from '@windlass/base';

/**
 * One call to the API server, with its waits and retries. The same object is published twice: on
 * `windlass:request:start`, in the async context of the caller, and on `windlass:request:end`. Watches and streams are
 * not among them.
 */
export interface RequestReport {
  readonly request: ApiRequest;
  readonly subject: RequestSubject;
  /** The address of the API server, without a slash at its end; undefined when it is in this process. */
  readonly server: string | undefined;
  /** By the client's monotonic clock. */
  readonly startedAt: number;
  /** At the start, who listens may add headers to those of the request. Lower-case names. */
  headers?: Readonly<Record<string, string>>;
  /** At the start, who listens may set what holds while it is sent; see `nested` for where something is set already. */
  around?: Around;
  /** At the end. */
  tookMs?: number;
  /** At the end, of a call that was answered. */
  response?: ApiResponse;
  /** At the end, of a call that failed without an answer. */
  error?: unknown;
}

export const requestStarts = channel('windlass:request:start');
export const requestEnds = channel('windlass:request:end');
