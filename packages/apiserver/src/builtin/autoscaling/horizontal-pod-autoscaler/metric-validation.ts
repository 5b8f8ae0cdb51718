// One metric of an autoscaler.
import { compareQuantities, type FieldPath } from '@windlass/apimachinery';
import type {
  ContainerResourceMetricSource,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
} from '@windlass/apimachinery/api/autoscaling/v2';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateContainerResourceName } from '../../shared/resource-names.ts';
import { type GroupRule, validateReference } from './reference-validation.ts';

/** In the order in which they are looked at; each with the field that describes it. */
const SOURCES = [
  ['Object', 'object'],
  ['External', 'external'],
  ['Pods', 'pods'],
  ['Resource', 'resource'],
  ['ContainerResource', 'containerResource'],
] as const;
const TYPES = SOURCES.map(([type]) => type).toSorted();

type SourceField = (typeof SOURCES)[number][1];
/** Has the fields of all sources. */
type AnySource = View<ObjectMetricSource & ContainerResourceMetricSource>;

/** @param groups of the objects that metrics describe */
export function validateMetric(
  metric: View<MetricSpec>,
  path: FieldPath,
  groups: GroupRule,
  findings: Findings,
): void {
  const { type = '' } = metric;
  const expected = SOURCES.find(([known]) => known === type)?.[1];
  if (type === '') findings.required(path.child('type'), 'must specify a metric source type');
  if (expected === undefined) findings.notSupported(path.child('type'), type, TYPES);
  const present = SOURCES.map(([, field]) => field).filter((field) => metric[field] !== undefined);
  const [first] = present;
  if (first === 'object')
    validateReference(
      metric.object?.describedObject ?? {},
      path.child(first, 'describedObject'),
      groups,
      findings,
    );
  if (first !== undefined) validateSource(first, metric[first] ?? {}, path.child(first), findings);
  if (expected === undefined) findings.notSupported(path.child('type'), type, TYPES);
  else if (!present.includes(expected))
    findings.required(path.child(expected), 'must populate information for the given metric source');
  if (present.length === 1) return;
  for (const field of present)
    if (field !== expected)
      findings.forbidden(path.child(field), 'must populate the given metric source only');
}

function validateSource(field: SourceField, source: AnySource, path: FieldPath, findings: Findings): void {
  const { metric, name = '', container = '', target = {} } = source;
  if (field === 'object' || field === 'external' || field === 'pods') {
    const at = path.child('metric', 'name');
    if ((metric?.name ?? '') === '') findings.required(at, 'must specify a metric name');
    else findings.pathSegment(at, metric?.name ?? '');
  } else if (name === '') findings.required(path.child('name'), 'must specify a resource name');
  if (field === 'containerResource') {
    // The name of a resource of whole pods is not looked at.
    if (name !== '') validateContainerResourceName(name, path.child('name'), findings);
    if (container === '') findings.required(path.child('container'), 'must specify a container');
    else findings.label(path.child('container'), container);
  }
  validateTarget(target, path.child('target'), findings);
  validateTargetOf(field, target, path.child('target'), findings);
}

/** Which of its values the target of a source must have. */
function validateTargetOf(
  field: SourceField,
  target: View<MetricTarget>,
  at: FieldPath,
  findings: Findings,
): void {
  const hasValue = target.value !== undefined;
  const hasAverage = target.averageValue !== undefined;
  const hasUtilization = target.averageUtilization !== undefined;
  switch (field) {
    case 'object':
      if (!hasValue && !hasAverage)
        findings.required(at.child('averageValue'), 'must set either a target value or averageValue');
      break;
    case 'external':
      if (!hasValue && !hasAverage)
        findings.required(
          at.child('averageValue'),
          'must set either a target value for metric or a per-pod target',
        );
      if (hasValue && hasAverage)
        findings.forbidden(
          at.child('value'),
          'may not set both a target value for metric and a per-pod target',
        );
      break;
    case 'pods':
      if (!hasAverage)
        findings.required(at.child('averageValue'), 'must specify a positive target averageValue');
      break;
    default:
      if (!hasUtilization && !hasAverage)
        findings.required(
          at.child('averageUtilization'),
          'must set either a target raw value or a target utilization',
        );
      if (hasUtilization && hasAverage)
        findings.forbidden(
          at.child('averageValue'),
          'may not set both a target raw value and a target utilization',
        );
  }
}

function validateTarget(target: View<MetricTarget>, path: FieldPath, findings: Findings): void {
  const { type = '', averageUtilization: utilization } = target;
  if (type === '') findings.required(path.child('type'), 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(type))
    findings.invalid(path.child('type'), type, 'must be either Utilization, Value, or AverageValue');
  for (const field of ['value', 'averageValue'] as const) {
    const value = target[field];
    if (value !== undefined && compareQuantities(value, '0') <= 0)
      findings.invalid(path.child(field), value, 'must be positive');
  }
  if (utilization !== undefined && utilization < 1)
    findings.invalid(path.child('averageUtilization'), utilization, 'must be greater than 0');
}
