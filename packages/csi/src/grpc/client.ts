import { type Clock, type Metrics, noMetrics, realClock } from '@windlass/base';
import { callObserver } from './call-metrics.ts';
import { callUnary } from './client-call.ts';
import type { GrpcCode } from './codes.ts';
import { Connection } from './connection.ts';
import { toGrpcError } from './errors.ts';
import { DEFAULT_MAX_MESSAGE_BYTES } from './server-options.ts';
import type { CallOptions, Method } from './service.ts';

/** Where a driver is called, and how long it may take. */
export interface ClientOptions extends GrpcClientOptions {
  readonly socketPath: string;
}

/** Where a server listens. */
export type ServerAddress = string | { readonly host: string; readonly port: number };

/** How calls are made, wherever they go. */
export interface GrpcClientOptions {
  /** @default the machine's clock */
  readonly clock?: Clock | undefined;
  /** @default measures nothing */
  readonly metrics?: Metrics | undefined;
  /**
   * The deadline of a call that has none of its own, in milliseconds.
   * @default 120000
   */
  readonly timeoutMs?: number | undefined;
  /** @default 4 MiB */
  readonly maxMessageBytes?: number | undefined;
  /**
   * The `driver_name` in metrics.
   * @default 'unknown-driver'
   */
  readonly driverName?: string | undefined;
}

export const DEFAULT_CALL_TIMEOUT_MS = 120_000;

/**
 * Calls over one connection, which is made at the first call and again after it was lost: a call that
 * finds nobody fails with UNAVAILABLE, and the next one tries anew.
 */
export class GrpcClient implements AsyncDisposable {
  readonly #connection: Connection;

  constructor(
    methods: readonly Method[],
    options: ClientOptions | (GrpcClientOptions & { readonly address: ServerAddress }),
  ) {
    const clock = options.clock ?? realClock;
    const timeoutMs = options.timeoutMs ?? DEFAULT_CALL_TIMEOUT_MS;
    const maxMessageBytes = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
    const name = options.driverName ?? 'unknown-driver';
    const observe = callObserver(options.metrics ?? noMetrics, 'csi_sidecar', () => name);
    this.#connection = new Connection('address' in options ? options.address : options.socketPath);
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

  /** Calls that run fail with UNAVAILABLE, and so does every later one. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
