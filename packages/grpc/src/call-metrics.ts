import type { Metrics } from '@windlass/base';
import { type GrpcCode, grpcCodeLabel } from './codes.ts';

/** Seconds. The bounds of the usual sidecars, and finer ones for what takes no disk. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600];

export type CallObserver = (path: string, code: GrpcCode | 'OK', seconds: number) => void;

/** Measures calls under the names that the usual sidecars and drivers have. */
export function callObserver(
  metrics: Metrics,
  side: 'csi_plugin' | 'csi_sidecar',
  driverName: () => string,
): CallObserver {
  const durations = metrics.histogram({
    name: `${side}_operations_seconds`,
    help: 'How long CSI calls took, by method and gRPC code',
    labelNames: ['driver_name', 'method_name', 'grpc_status_code'],
    buckets: BUCKETS,
  });
  return (path, code, seconds) =>
    durations
      .labels({ driver_name: driverName(), method_name: path, grpc_status_code: grpcCodeLabel(code) })
      .observe(seconds);
}
