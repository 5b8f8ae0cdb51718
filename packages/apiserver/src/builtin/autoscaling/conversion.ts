import type { Draft, Stored } from '../../resource/strategy.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import { metricFromV1, metricStatusFromV1, metricStatusToV1, metricToV1 } from './metrics.ts';

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const METRICS = `${PREFIX}metrics`;
const CURRENT_METRICS = `${PREFIX}current-metrics`;
const CONDITIONS = `${PREFIX}conditions`;
const BEHAVIOR = `${PREFIX}behavior`;

/**
 * autoscaling/v1 knows one target, the use of CPU. Whatever else autoscaling/v2 can say travels in
 * annotations, so that nothing is lost on the way through the older version.
 */
export function autoscalerToV1(object: Stored): Stored {
  const { metadata, ...rest } = object;
  const { metrics, behavior, ...spec } = { ...objectAt(object, 'spec') };
  const { currentMetrics, conditions, ...status } = { ...objectAt(object, 'status') };
  const annotations: Record<string, string> = { ...metadata?.annotations };
  const all = objectsAt({ metrics }, 'metrics');
  const cpu = all.find(isCpuUtilization);
  const others = all.filter((metric) => !isCpuUtilization(metric));
  if (others.length > 0) annotations[METRICS] = JSON.stringify(others.map(metricToV1));
  const current = objectsAt({ currentMetrics }, 'currentMetrics');
  if (current.length > 0) annotations[CURRENT_METRICS] = JSON.stringify(current.map(metricStatusToV1));
  const states = objectsAt({ conditions }, 'conditions');
  if (states.length > 0) annotations[CONDITIONS] = JSON.stringify(states);
  if (behavior !== undefined) annotations[BEHAVIOR] = JSON.stringify(behavior);
  const utilization = objectAt(objectAt(cpu, 'resource'), 'target')?.['averageUtilization'];
  const used = objectAt(
    objectAt(
      current.find((metric) => isCpu(metric)),
      'resource',
    ),
    'current',
  )?.['averageUtilization'];
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

/** Back again. Annotations that cannot be read are left where they are. */
export function autoscalerFromV1(object: Stored | Draft): Draft {
  const { metadata, ...rest } = object as Draft;
  const { targetCPUUtilizationPercentage: target, ...spec } = { ...objectAt(object, 'spec') };
  const { currentCPUUtilizationPercentage: used, ...status } = { ...objectAt(object, 'status') };
  const annotations: Record<string, string> = { ...metadata?.annotations };
  const take = (name: string): unknown => {
    const value = parsed(annotations[name]);
    if (value !== undefined) delete annotations[name];
    return value;
  };
  const metrics = asObjects(take(METRICS)).map(metricFromV1);
  if (target !== undefined) metrics.push(cpuUtilization(target));
  const currentMetrics = asObjects(take(CURRENT_METRICS)).map(metricStatusFromV1);
  if (used !== undefined && !currentMetrics.some(isCpu)) {
    currentMetrics.push({
      type: 'Resource',
      resource: { name: 'cpu', current: { averageUtilization: used } },
    });
  }
  const conditions = asObjects(take(CONDITIONS));
  const behavior = take(BEHAVIOR);
  const { annotations: _, ...restMetadata } = { ...metadata };
  return {
    ...rest,
    apiVersion: 'autoscaling/v2',
    metadata: { ...restMetadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: {
      ...spec,
      ...(metrics.length > 0 && { metrics }),
      ...(typeof behavior === 'object' && { behavior }),
    },
    status: {
      ...status,
      ...(currentMetrics.length > 0 && { currentMetrics }),
      ...(conditions.length > 0 && { conditions }),
    },
  };
}

function cpuUtilization(percent: unknown): Fields {
  return {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
  };
}

function isCpu(metric: Fields): boolean {
  return metric['type'] === 'Resource' && objectAt(metric, 'resource')?.['name'] === 'cpu';
}

function isCpuUtilization(metric: Fields): boolean {
  return (
    isCpu(metric) && objectAt(objectAt(metric, 'resource'), 'target')?.['averageUtilization'] !== undefined
  );
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function asObjects(value: unknown): Fields[] {
  return objectsAt({ value }, 'value');
}
