import { canonicalQuantity } from '@windlass/apimachinery';
import type { TablePrinter } from '../../resource/definition.ts';
import { autoscalerFromV1 } from '../autoscaling/conversion.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  listWithMore,
  NONE,
  numberAt,
  printer,
  textAt,
  UNKNOWN,
  UNSET,
} from './columns.ts';

const MAX_METRICS = 2;

export const autoscalerPrinter: TablePrinter = printer(
  [
    column('Reference'),
    column('Targets'),
    column('MinPods'),
    column('MaxPods'),
    column('Replicas'),
    AGE_COLUMN,
  ],
  (object, now) => {
    const spec = objectAt(object, 'spec');
    const status = objectAt(object, 'status');
    const target = objectAt(spec, 'scaleTargetRef');
    const minimum = spec?.['minReplicas'];
    return [
      `${textAt(target, 'kind')}/${textAt(target, 'name')}`,
      metricsText(objectsAt(spec, 'metrics'), objectsAt(status, 'currentMetrics')),
      typeof minimum === 'number' ? String(minimum) : UNSET,
      numberAt(spec, 'maxReplicas'),
      numberAt(status, 'currentReplicas'),
      ageOf(object, now),
    ];
  },
);

/** Shows the older version by what it means in the newer. */
export const autoscalerV1Printer: TablePrinter = {
  columns: autoscalerPrinter.columns,
  cells: (object, now) => autoscalerPrinter.cells(autoscalerFromV1(object), now),
};

/** Where each type of metric keeps what it is about. */
const SOURCES: Readonly<Record<string, string>> = {
  Resource: 'resource',
  ContainerResource: 'containerResource',
  Pods: 'pods',
  Object: 'object',
  External: 'external',
};

function metricsText(metrics: readonly Fields[], current: readonly Fields[]): string {
  if (metrics.length === 0) return NONE;
  return listWithMore(
    metrics.map((metric, index) => metricText(metric, current[index])),
    MAX_METRICS,
    ', ',
  );
}

function metricText(metric: Fields, status: Fields | undefined): string {
  const type = textAt(metric, 'type');
  const field = SOURCES[type];
  if (field === undefined) return '<unknown type>';
  const source = objectAt(metric, field);
  const target = objectAt(source, 'target');
  const now = objectAt(objectAt(status, field), 'current');
  const ofResource = type === 'Resource' || type === 'ContainerResource';
  const prefix = ofResource ? `${textAt(source, 'name')}: ` : '';
  if (target?.['averageValue'] !== undefined) {
    const suffix = type === 'Object' || type === 'External' ? ' (avg)' : '';
    return `${prefix}${amount(now?.['averageValue'])}/${amount(target['averageValue'])}${suffix}`;
  }
  if (ofResource) {
    const percent = (value: unknown, otherwise: string): string =>
      typeof value === 'number' ? `${value}%` : otherwise;
    return `${prefix}${percent(now?.['averageUtilization'], UNKNOWN)}/${percent(target?.['averageUtilization'], '<auto>')}`;
  }
  return `${amount(now?.['value'])}/${amount(target?.['value'])}`;
}

function amount(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? canonicalQuantity(value) : UNKNOWN;
}
