// How many replicas a metric asks for.
import { podRequests, Quantity } from '@windlass/apimachinery';
import { MetricsError } from '../errors.ts';
import type { AutoscalerSettings } from '../options/autoscaler-options.ts';
import { isReady, type ReadonlyPod } from '../shared/pods.ts';
import type { PodMetrics } from './metrics-reader.ts';
import { groupPods } from './pod-groups.ts';

const MAX_INT32 = 2 ** 31 - 1;

/** Within this of the target nothing is done: 0.1 is a tenth. */
export interface Tolerances {
  readonly down: number;
  readonly up: number;
}

const isWithin = ({ down, up }: Tolerances, ratio: number): boolean => 1 - down <= ratio && ratio <= 1 + up;

export interface PodProposal {
  readonly replicas: number;
  /** The average of a pod, in thousandths. */
  readonly average: number;
  /** In percent of what pods ask for; undefined where that is not what is compared. */
  readonly utilization: number | undefined;
}

export interface PodMetricInput {
  readonly metrics: PodMetrics;
  readonly pods: readonly ReadonlyPod[];
  readonly current: number;
  readonly tolerances: Tolerances;
  readonly now: number;
  readonly settings: AutoscalerSettings;
}

interface Measured {
  readonly ratio: number;
  readonly average: number;
  readonly utilization: number | undefined;
}

type Values = Map<string, number>;

/** By the share that pods use of what they ask for. @throws MetricsError */
export function replicasForUtilization(
  input: PodMetricInput,
  resource: string,
  container: string | undefined,
  target: number,
): PodProposal {
  const requests = requestsOf(input.pods, resource, container);
  const measure = (values: Values): Measured => {
    let [used, asked, count] = [0, 0, 0];
    for (const [name, value] of values) {
      const request = requests.get(name);
      if (request === undefined) continue;
      used += value;
      asked += request;
      count++;
    }
    if (asked === 0) throw new MetricsError('no metrics returned matched known pods');
    const utilization = Math.trunc((used * 100) / asked);
    return { ratio: utilization / target, average: Math.trunc(used / count), utilization };
  };
  const fallback = (name: string): number =>
    Math.trunc(((requests.get(name) ?? 0) * Math.max(100, target)) / 100);
  return replicasByPods(input, resource, measure, fallback);
}

/** By what pods use on average. @throws MetricsError */
export function replicasForAverage(
  input: PodMetricInput,
  resource: string | undefined,
  target: number,
): PodProposal {
  const measure = (values: Values): Measured => {
    const sum = [...values.values()].reduce((total, value) => total + value, 0);
    const average = Math.trunc(sum / values.size);
    return { ratio: average / target, average, utilization: undefined };
  };
  return replicasByPods(input, resource, measure, () => target);
}

/**
 * Pods without metrics are taken for what makes the change smaller: at the target when it goes down, idle
 * when it goes up. So are pods that are not ready yet, but only when it goes up.
 */
function replicasByPods(
  { metrics, pods, current, tolerances, now, settings }: PodMetricInput,
  resource: string | undefined,
  measure: (values: Values) => Measured,
  fallback: (name: string) => number,
): PodProposal {
  if (pods.length === 0)
    throw new MetricsError('no pods returned by selector while calculating replica count');
  const { ready, unready, missing, ignored } = groupPods(pods, metrics, resource, now, settings);
  const values: Values = new Map();
  for (const [name, { value }] of metrics)
    if (!ignored.has(name) && !unready.has(name)) values.set(name, value);
  if (values.size === 0)
    throw new MetricsError('did not receive metrics for targeted pods (pods might be unready)');
  const { ratio, average, utilization } = measure(values);
  const propose = (replicas: number): PodProposal => ({ replicas, average, utilization });
  const countsUnready = unready.size > 0 && ratio > 1;
  if (!countsUnready && missing.size === 0)
    return propose(isWithin(tolerances, ratio) ? current : Math.ceil(ratio * ready));
  if (ratio !== 1) for (const name of missing) values.set(name, ratio < 1 ? fallback(name) : 0);
  if (countsUnready) for (const name of unready) values.set(name, 0);
  const again = measure(values).ratio;
  const isTurned = (ratio < 1 && again > 1) || (ratio > 1 && again < 1);
  if (isWithin(tolerances, again) || isTurned) return propose(current);
  const replicas = Math.ceil(again * values.size);
  const isBackwards = (again < 1 && replicas > current) || (again > 1 && replicas < current);
  return propose(isBackwards ? current : replicas);
}

/** By one value for all: as much more or fewer as it is beyond the target. @throws MetricsError */
export function replicasForValue(
  usage: number,
  target: number,
  { pods, current, tolerances }: Omit<PodMetricInput, 'metrics' | 'now' | 'settings'>,
): number {
  const ratio = usage / target;
  if (current === 0) return Math.ceil(ratio);
  if (isWithin(tolerances, ratio)) return current;
  if (pods.length === 0)
    throw new MetricsError(
      'unable to calculate ready pods: no pods returned by selector while calculating replica count',
    );
  const ready = pods.filter((pod) => pod.status?.phase === 'Running' && isReady(pod)).length;
  return Math.min(Math.ceil(ratio * ready), MAX_INT32);
}

/** By one value that all share evenly. */
export function replicasForShare(
  usage: number,
  target: number,
  replicas: number,
  tolerances: Tolerances,
): { readonly replicas: number; readonly average: number } {
  const ratio = usage / (target * replicas);
  return {
    replicas: isWithin(tolerances, ratio) ? replicas : Math.min(Math.ceil(usage / target), MAX_INT32),
    average: Math.ceil(usage / replicas),
  };
}

/** In thousandths, by the names of pods. All containers must say what they ask for. */
function requestsOf(
  pods: readonly ReadonlyPod[],
  resource: string,
  container: string | undefined,
): ReadonlyMap<string, number> {
  return new Map(pods.map((pod) => [pod.metadata.name, requestOf(pod, resource, container)]));
}

function requestOf(pod: ReadonlyPod, resource: string, container: string | undefined): number {
  const { spec } = pod;
  if (container === undefined && Object.keys(spec?.resources?.requests ?? {}).length > 0) {
    const request = podRequests(spec, 'requests')[resource];
    if (request === undefined)
      throw new MetricsError(`missing pod-level request for ${resource} in Pod ${pod.metadata.name}`);
    return Quantity.from(request).milliValue();
  }
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const all = [...(spec?.containers ?? []), ...sidecars];
  const counted = container === undefined ? all : all.filter(({ name }) => name === container);
  if (container !== undefined && counted.length === 0)
    throw new MetricsError(`container ${container} not found in Pod ${pod.metadata.name}`);
  return counted.reduce((sum, { name, resources }) => {
    const request = resources?.requests?.[resource];
    if (request === undefined)
      throw new MetricsError(
        `missing request for ${resource} in container ${name} of Pod ${pod.metadata.name}`,
      );
    return sum + Quantity.from(request).milliValue();
  }, 0);
}
