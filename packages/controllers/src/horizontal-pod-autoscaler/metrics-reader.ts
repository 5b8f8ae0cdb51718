import type { DeepReadonly, Selector } from '@windlass/apimachinery';
import type { CrossVersionObjectReference } from '@windlass/apimachinery/api/autoscaling/v2';

/** Values are in thousandths, as quantities keep them. */
export interface PodMetric {
  readonly value: number;
  readonly timestamp: number;
  readonly windowMs: number;
}

/** By the names of pods. */
export type PodMetrics = ReadonlyMap<string, PodMetric>;

/** @throws MetricsError when there is nothing to go by */
export interface MetricsReader {
  /** What pods, or one container of each, use of a resource. Pods of which not all is known are left out. */
  resource(
    name: string,
    namespace: string,
    selector: Selector,
    container: string | undefined,
    signal: AbortSignal,
  ): Promise<PodMetrics>;
  /** A metric that each pod has. */
  pods(
    metric: string,
    namespace: string,
    selector: Selector,
    metricSelector: Selector,
    signal: AbortSignal,
  ): Promise<PodMetrics>;
  /** A metric of one other object. */
  object(
    metric: string,
    namespace: string,
    of: DeepReadonly<CrossVersionObjectReference>,
    metricSelector: Selector,
    signal: AbortSignal,
  ): Promise<number>;
  /** A metric of something outside of the cluster; it may have several values. */
  external(
    metric: string,
    namespace: string,
    metricSelector: Selector,
    signal: AbortSignal,
  ): Promise<readonly number[]>;
}
