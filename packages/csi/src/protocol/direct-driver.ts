import {
  type Clock,
  type Logger,
  type Metrics,
  noMetrics,
  realClock,
  silentLogger,
  withDeadline,
} from '@windlass/base';
import type { CallOptions, GrpcCode, Handler } from '@windlass/grpc';
import { callObserver, DEFAULT_CALL_TIMEOUT_MS, GrpcError, runCall, toGrpcError } from '@windlass/grpc';
import { type CsiDriver, type CsiServices, csiHandlers } from './services.ts';

/** How a driver of this process is called. */
export interface DirectDriverOptions {
  /** @default the machine's clock */
  readonly clock?: Clock | undefined;
  /** @default says nothing */
  readonly logger?: Logger | undefined;
  /** @default measures nothing */
  readonly metrics?: Metrics | undefined;
  /** @default 120000 */
  readonly timeoutMs?: number | undefined;
  /** @default 'unknown-driver' */
  readonly driverName?: string | undefined;
}

/**
 * A driver of the same process, called as if it stood behind a socket: the same checks and defaults,
 * deadlines and errors, and no message is shared between the two sides.
 */
export function directDriver(services: CsiServices, options: DirectDriverOptions = {}): CsiDriver {
  const { clock = realClock, logger = silentLogger, metrics = noMetrics } = options;
  const name = options.driverName ?? 'unknown-driver';
  const observe = callObserver(metrics, 'csi_sidecar', () => name);
  const call = async (handler: Handler, request: unknown, each?: CallOptions): Promise<unknown> => {
    const { method } = handler;
    const started = clock.monotonic();
    let code: GrpcCode | 'OK' = 'OK';
    try {
      const received = method.request.decode(method.request.encode(request));
      const timeoutMs = each?.timeoutMs ?? options.timeoutMs ?? DEFAULT_CALL_TIMEOUT_MS;
      using deadline = withDeadline(clock, timeoutMs, method.path, each?.signal);
      const answer = await runCall(handler, received, { logger, signal: deadline.signal });
      return method.response.decode(method.response.encode(answer));
    } catch (error) {
      const failure = toGrpcError(error);
      code = failure.code;
      throw failure === error ? new GrpcError(failure.code, failure.message, failure) : failure;
    } finally {
      observe(method.path, code, (clock.monotonic() - started) / 1000);
    }
  };
  const methods = csiHandlers(services).map(
    (handler) =>
      [handler.method.name, (request: unknown, each?: CallOptions) => call(handler, request, each)] as const,
  );
  // The methods come from the table at run time; the generated types say which ones.
  return Object.fromEntries(methods) as unknown as CsiDriver;
}

/** Whatever a caller has: services of this process, or a driver that can be called. */
export function asDriver(driver: CsiDriver | CsiServices, options: DirectDriverOptions = {}): CsiDriver {
  return 'identity' in driver ? directDriver(driver, options) : driver;
}
