import { canonicalQuantity } from '@windlass/apimachinery';
import type {
  ContainerResourceMetricSource,
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricValueStatus,
} from '@windlass/apimachinery/api/autoscaling/v2';
import type { View } from '../../../resource/views.ts';
import type { PrinterOf } from '../../define-kind.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  listWithMore,
  NONE,
  printer,
  UNKNOWN,
  UNSET,
} from '../../shared/columns.ts';
import { METRIC_FIELDS } from './flat-metrics.ts';

const MAX_METRICS = 2;

export const autoscalerPrinter: PrinterOf<HorizontalPodAutoscaler> = printer(
  [
    column('Reference'),
    column('Targets'),
    column('MinPods'),
    column('MaxPods'),
    column('Replicas'),
    AGE_COLUMN,
  ],
  (object, now) => {
    const { spec = {}, status = {} } = object;
    const { kind = '', name = '' } = spec.scaleTargetRef ?? {};
    return [
      `${kind}/${name}`,
      metricsText(spec.metrics ?? [], status.currentMetrics ?? []),
      spec.minReplicas === undefined ? UNSET : String(spec.minReplicas),
      spec.maxReplicas ?? 0,
      status.currentReplicas ?? 0,
      ageOf(object, now),
    ];
  },
);

function metricsText(metrics: readonly View<MetricSpec>[], current: readonly View<MetricStatus>[]): string {
  if (metrics.length === 0) return NONE;
  return listWithMore(
    metrics.map((metric, index) => metricText(metric, current[index])),
    MAX_METRICS,
    ', ',
  );
}

function metricText(metric: View<MetricSpec>, status: View<MetricStatus> | undefined): string {
  const field = METRIC_FIELDS.get(metric.type);
  if (field === undefined) return '<unknown type>';
  // Only those of resources have a name.
  const source: View<Partial<ContainerResourceMetricSource>> | undefined = metric[field];
  const target = source?.target ?? {};
  const now: View<MetricValueStatus> = status?.[field]?.current ?? {};
  const ofResource = field === 'resource' || field === 'containerResource';
  const prefix = ofResource ? `${source?.name ?? ''}: ` : '';
  if (target.averageValue !== undefined) {
    const suffix = field === 'object' || field === 'external' ? ' (avg)' : '';
    return `${prefix}${amount(now.averageValue)}/${amount(target.averageValue)}${suffix}`;
  }
  if (ofResource)
    return `${prefix}${percent(now.averageUtilization, UNKNOWN)}/${percent(target.averageUtilization, '<auto>')}`;
  return `${amount(now.value)}/${amount(target.value)}`;
}

function percent(value: number | undefined, otherwise: string): string {
  return value === undefined ? otherwise : `${value}%`;
}

function amount(value: string | undefined): string {
  return value === undefined ? UNKNOWN : canonicalQuantity(value);
}
