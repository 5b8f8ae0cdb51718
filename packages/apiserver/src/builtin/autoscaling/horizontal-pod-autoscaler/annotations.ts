// What annotations of the older version say. Anybody may have written them, so they are decoded as any other input
// is: what comes out has the form of autoscaling/v2. Each function answers undefined for a text that it cannot read.
import { TypedFormError, toTypedForm } from '@windlass/apimachinery';
import {
  HorizontalPodAutoscaler,
  type HorizontalPodAutoscalerBehavior,
  type HorizontalPodAutoscalerCondition,
  type MetricSpec,
  type MetricStatus,
} from '@windlass/apimachinery/api/autoscaling/v2';
import type { DraftOf } from '../../../resource/views.ts';
import { type FlatMetric, type FlatMetricStatus, metricFromV1, metricStatusFromV1 } from './flat-metrics.ts';

type Autoscaler = DraftOf<HorizontalPodAutoscaler>;

export function readMetrics(text: string): DraftOf<MetricSpec>[] | undefined {
  return read(text, (value) => {
    const metrics = objectsIn<FlatMetric>(value).map(metricFromV1);
    return typed({ spec: { metrics } }).spec?.metrics ?? [];
  });
}

export function readMetricStatuses(text: string): DraftOf<MetricStatus>[] | undefined {
  return read(text, (value) => {
    const currentMetrics = objectsIn<FlatMetricStatus>(value).map(metricStatusFromV1);
    return typed({ status: { currentMetrics } }).status?.currentMetrics ?? [];
  });
}

export function readConditions(text: string): DraftOf<HorizontalPodAutoscalerCondition>[] | undefined {
  return read(text, (value) => typed({ status: { conditions: objectsIn(value) } }).status?.conditions ?? []);
}

export function readBehavior(text: string): DraftOf<HorizontalPodAutoscalerBehavior> | undefined {
  return read(text, (behavior) => typed({ spec: { behavior } }).spec?.behavior);
}

function read<T>(text: string, decode: (value: unknown) => T): T | undefined {
  try {
    return decode(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypedFormError) return undefined;
    throw error;
  }
}

function typed(parts: { readonly spec?: object; readonly status?: object }): Autoscaler {
  const { group, version, kind } = HorizontalPodAutoscaler;
  return toTypedForm(`${group}/${version}`, kind, parts).object;
}

function objectsIn<T extends object>(value: unknown): T[] {
  if (!Array.isArray(value)) return [];
  // Every field of T is optional and of any type: what else a stranger has put there is found when it is decoded.
  return value.filter((item): item is T => typeof item === 'object' && item !== null);
}
