import { type Clock, type Metrics, noMetrics } from '@windlass/base';
import { callObserver, type GrpcClientOptions } from '@windlass/grpc';

/** Where a driver is called, and how long it may take. */
export interface ClientOptions {
  readonly socketPath: string;
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

/** The same, for a client of gRPC: its calls are measured under the names that the usual sidecars have. */
export function grpcOptions({ socketPath, metrics, driverName, ...rest }: ClientOptions): GrpcClientOptions {
  const name = driverName ?? 'unknown-driver';
  return {
    ...rest,
    target: { socketPath },
    observe: callObserver(metrics ?? noMetrics, 'csi_sidecar', () => name),
  };
}
