// autoscaling/v1 knows one target, the use of CPU. Whatever else autoscaling/v2 can say travels in annotations, so
// that nothing is lost on the way through the older version.
import type { HorizontalPodAutoscaler as AutoscalerV1 } from '@windlass/apimachinery/api/autoscaling/v1';
import type {
  HorizontalPodAutoscaler as AutoscalerV2,
  MetricSpec,
  MetricStatus,
} from '@windlass/apimachinery/api/autoscaling/v2';
import type { DraftOf, View } from '../../../resource/views.ts';
import { readBehavior, readConditions, readMetricStatuses, readMetrics } from './annotations.ts';
import { metricStatusToV1, metricToV1 } from './flat-metrics.ts';

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
export const METRICS_ANNOTATION = `${PREFIX}metrics`;
const CURRENT_METRICS = `${PREFIX}current-metrics`;
const CONDITIONS = `${PREFIX}conditions`;
const BEHAVIOR = `${PREFIX}behavior`;

export function autoscalerToV1(object: View<AutoscalerV2>): View<AutoscalerV1> {
  const { metadata, ...rest } = object;
  const { metrics, behavior, ...spec } = object.spec ?? {};
  const { currentMetrics, conditions, ...status } = object.status ?? {};
  const annotations: Record<string, string> = { ...metadata?.annotations };
  const cpu = metrics?.find(isCpuUtilization);
  const others = (metrics ?? []).filter((metric) => !isCpuUtilization(metric));
  if (others.length > 0) annotations[METRICS_ANNOTATION] = JSON.stringify(others.map(metricToV1));
  const current = currentMetrics ?? [];
  if (current.length > 0) annotations[CURRENT_METRICS] = JSON.stringify(current.map(metricStatusToV1));
  const states = conditions ?? [];
  if (states.length > 0) annotations[CONDITIONS] = JSON.stringify(states);
  if (behavior !== undefined) annotations[BEHAVIOR] = JSON.stringify(behavior);
  const utilization = cpu?.resource?.target?.averageUtilization;
  const used = current.find(isCpu)?.resource?.current?.averageUtilization;
  return {
    ...rest,
    apiVersion: 'autoscaling/v1',
    metadata: { ...metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: { ...spec, ...(utilization !== undefined && { targetCPUUtilizationPercentage: utilization }) },
    status: {
      currentReplicas: 0,
      desiredReplicas: 0,
      ...status,
      ...(used !== undefined && { currentCPUUtilizationPercentage: used }),
    },
  };
}

export function autoscalerFromV1(draft: DraftOf<AutoscalerV1>): DraftOf<AutoscalerV2> {
  // All that the view shows was made for it, or is the draft's own.
  return viewFromV1(draft) as DraftOf<AutoscalerV2>;
}

/** What the older version means in the newer. Annotations that cannot be read are left where they are. */
export function viewFromV1(object: View<AutoscalerV1>): View<AutoscalerV2> {
  const { metadata, ...rest } = object;
  const { targetCPUUtilizationPercentage: target, ...spec } = object.spec ?? {};
  const { currentCPUUtilizationPercentage: used, ...status } = object.status ?? {};
  const annotations: Record<string, string> = { ...metadata?.annotations };
  const take = <T>(name: string, read: (text: string) => T | undefined): T | undefined => {
    const text = annotations[name];
    const value = text === undefined ? undefined : read(text);
    if (value !== undefined) delete annotations[name];
    return value;
  };
  const metrics = take(METRICS_ANNOTATION, readMetrics) ?? [];
  if (target !== undefined) metrics.push(cpuUtilization(target));
  const currentMetrics = take(CURRENT_METRICS, readMetricStatuses) ?? [];
  if (used !== undefined && !currentMetrics.some(isCpu)) currentMetrics.push(cpuUse(used));
  const conditions = take(CONDITIONS, readConditions) ?? [];
  const behavior = take(BEHAVIOR, readBehavior);
  const { annotations: _, ...restMetadata } = { ...metadata };
  return {
    ...rest,
    apiVersion: 'autoscaling/v2',
    metadata: { ...restMetadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: {
      ...spec,
      ...(metrics.length > 0 && { metrics }),
      ...(behavior !== undefined && { behavior }),
    },
    status: {
      ...status,
      ...(currentMetrics.length > 0 && { currentMetrics }),
      ...(conditions.length > 0 && { conditions }),
    },
  };
}

function cpuUtilization(averageUtilization: number): DraftOf<MetricSpec> {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

function cpuUse(averageUtilization: number): DraftOf<MetricStatus> {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } };
}

function isCpu({ type, resource }: View<MetricSpec> | View<MetricStatus>): boolean {
  return type === 'Resource' && resource?.name === 'cpu';
}

function isCpuUtilization(metric: View<MetricSpec>): boolean {
  return isCpu(metric) && metric.resource?.target?.averageUtilization !== undefined;
}
