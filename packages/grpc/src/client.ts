import { type Clock, realClock } from '@windlass/base';
import type { CallObserver } from './call-metrics.ts';
import { callUnary } from './client-call.ts';
import type { GrpcCode } from './codes.ts';
import { Connection } from './connection.ts';
import { toGrpcError } from './errors.ts';
import { DEFAULT_MAX_MESSAGE_BYTES } from './server-options.ts';
import type { CallOptions, Method } from './service.ts';
import { openStream, type StreamCall, type StreamOptions } from './stream-call.ts';
import type { Target } from './target.ts';

/** Whom to call, and how long it may take. */
export interface GrpcClientOptions {
  readonly target: Target;
  /** @default the machine's clock */
  readonly clock?: Clock | undefined;
  /** Told of each call. @default nobody is */
  readonly observe?: CallObserver | undefined;
  /**
   * The deadline of a call that has none of its own, in milliseconds.
   * @default 120000
   */
  readonly timeoutMs?: number | undefined;
  /** @default 4 MiB */
  readonly maxMessageBytes?: number | undefined;
}

export const DEFAULT_CALL_TIMEOUT_MS = 120_000;

/**
 * Calls over one connection, which is made at the first call and again after it was lost: a call that
 * finds nobody fails with UNAVAILABLE, and the next one tries anew.
 */
export class GrpcClient implements AsyncDisposable {
  readonly #connection: Connection;
  readonly #maxMessageBytes: number;

  constructor(methods: readonly Method[], options: GrpcClientOptions) {
    const clock = options.clock ?? realClock;
    const timeoutMs = options.timeoutMs ?? DEFAULT_CALL_TIMEOUT_MS;
    const maxMessageBytes = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
    const observe = options.observe ?? ((): void => {});
    this.#maxMessageBytes = maxMessageBytes;
    this.#connection = new Connection(options.target);
    for (const method of methods) {
      const call = async (request: unknown, each?: CallOptions): Promise<unknown> => {
        const started = clock.monotonic();
        let code: GrpcCode | 'OK' = 'OK';
        try {
          return await callUnary(this.#connection, method, request, {
            clock,
            maxMessageBytes,
            timeoutMs: each?.timeoutMs ?? timeoutMs,
            signal: each?.signal,
          });
        } catch (error) {
          const failure = toGrpcError(error);
          code = failure.code;
          throw failure;
        } finally {
          observe(method.path, code, (clock.monotonic() - started) / 1000);
        }
      };
      Object.defineProperty(this, method.name, { value: call, enumerable: true });
    }
  }

  /**
   * Begins a call of which both sides send any number of messages. It has no deadline.
   * @throws GrpcError
   */
  openStream(method: Method, options: Omit<StreamOptions, 'maxMessageBytes'> = {}): StreamCall {
    return openStream(this.#connection, method, { maxMessageBytes: this.#maxMessageBytes, ...options });
  }

  /** Later calls get a connection of their own. For one that does not answer any more. */
  renew(): void {
    this.#connection.renew();
  }

  /** Calls that run fail with UNAVAILABLE, and so does every later one. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
