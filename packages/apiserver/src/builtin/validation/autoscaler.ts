// Horizontal pod autoscalers, in the form in which they are stored.
import { compareQuantities, FieldPath } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { autoscalerFromV1 } from '../autoscaling/conversion.ts';
import { textAt } from '../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import type { Findings } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';

const SPEC = FieldPath.of('spec');
const MAX_WINDOW = 3600;
const MAX_PERIOD = 1800;
/** In the order in which they are looked at; each with the field that describes it. */
const SOURCES = [
  ['Object', 'object'],
  ['External', 'external'],
  ['Pods', 'pods'],
  ['Resource', 'resource'],
  ['ContainerResource', 'containerResource'],
] as const;
const TYPES = SOURCES.map(([type]) => type).toSorted();

const validateStatus: ValidationsByKind[string]['status'] = (object, _old, findings) =>
  findings.noneNegative(FieldPath.of('status'), objectAt(object, 'status'), [
    'currentReplicas',
    'desiredReplicas',
  ]);

export const autoscalerValidations: ValidationsByKind = {
  // Told by the names of the newer version, whichever is asked.
  'autoscaling/v1/HorizontalPodAutoscaler': {
    create: (object, findings) => validateAutoscaler(autoscalerFromV1(object), findings),
    status: validateStatus,
  },
  'autoscaling/v2/HorizontalPodAutoscaler': {
    create: validateAutoscaler,
    status: validateStatus,
  },
};

function validateAutoscaler(object: Stored, findings: Findings): void {
  const spec = objectAt(object, 'spec') ?? {};
  const min = spec['minReplicas'];
  const max = Number(spec['maxReplicas'] ?? 0);
  if (typeof min === 'number' && min < 1)
    findings.invalid(SPEC.child('minReplicas'), min, 'must be greater than or equal to 1');
  if (max === 0) findings.required(SPEC.child('maxReplicas'), 'must be set and greater than 0');
  else if (max < 0) findings.invalid(SPEC.child('maxReplicas'), max, 'must be greater than or equal to 1');
  if (typeof min === 'number' && max < min)
    findings.invalid(SPEC.child('maxReplicas'), max, 'must be greater than or equal to `minReplicas`');
  validateReference(objectAt(spec, 'scaleTargetRef') ?? {}, SPEC.child('scaleTargetRef'), findings, true);
  validateMetrics(spec, min, findings);
  const behavior = objectAt(spec, 'behavior');
  for (const field of ['scaleUp', 'scaleDown'])
    validateScalingRules(objectAt(behavior, field), SPEC.child('behavior', field), findings);
}

/** `isGrouped` where the core group has nothing that could be meant. */
function validateReference(reference: Fields, path: FieldPath, findings: Findings, isGrouped = false): void {
  for (const field of ['kind', 'name']) {
    const value = textAt(reference, field);
    if (value === '') findings.required(path.child(field));
    else findings.pathSegment(path.child(field), value);
  }
  const version = textAt(reference, 'apiVersion');
  if (version.split('/').length > 2)
    findings.invalid(path.child('apiVersion'), version, `unexpected GroupVersion string: ${version}`);
  else if (isGrouped && !version.includes('/'))
    findings.invalid(path.child('apiVersion'), version, 'apiVersion must specify API group');
}

function validateMetrics(spec: Fields, min: unknown, findings: Findings): void {
  const path = SPEC.child('metrics');
  const metrics = objectsAt(spec, 'metrics');
  for (const [index, metric] of metrics.entries()) validateMetric(metric, path.index(index), findings);
  const canBeZero = metrics.some(({ type }) => type === 'Object' || type === 'External');
  if (min === 0 && !canBeZero)
    findings.forbidden(
      path,
      'must specify at least one Object or External metric to support scaling to zero replicas',
    );
}

function validateMetric(metric: Fields, path: FieldPath, findings: Findings): void {
  const type = textAt(metric, 'type');
  const expected = SOURCES.find(([known]) => known === type)?.[1];
  if (type === '') findings.required(path.child('type'), 'must specify a metric source type');
  if (expected === undefined) findings.notSupported(path.child('type'), type, TYPES);
  const present = SOURCES.map(([, field]) => field).filter((field) => objectAt(metric, field) !== undefined);
  const [first] = present;
  if (first !== undefined) validateSource(first, objectAt(metric, first) ?? {}, path.child(first), findings);
  if (expected === undefined) findings.notSupported(path.child('type'), type, TYPES);
  else if (!present.includes(expected))
    findings.required(path.child(expected), 'must populate information for the given metric source');
  if (present.length === 1) return;
  for (const field of present)
    if (field !== expected)
      findings.forbidden(path.child(field), 'must populate the given metric source only');
}

function validateSource(kind: string, source: Fields, path: FieldPath, findings: Findings): void {
  const target = objectAt(source, 'target') ?? {};
  const has = (field: string): boolean => target[field] !== undefined;
  const at = path.child('target');
  if (kind === 'object')
    validateReference(objectAt(source, 'describedObject') ?? {}, path.child('describedObject'), findings);
  if (kind === 'object' || kind === 'external' || kind === 'pods') {
    const name = textAt(objectAt(source, 'metric') ?? {}, 'name');
    if (name === '') findings.required(path.child('metric', 'name'), 'must specify a metric name');
    else findings.pathSegment(path.child('metric', 'name'), name);
  } else if (textAt(source, 'name') === '')
    findings.required(path.child('name'), 'must specify a resource name');
  if (kind === 'containerResource')
    validateContainer(textAt(source, 'container'), path.child('container'), findings);
  validateTarget(target, at, findings);
  if (kind === 'object') {
    if (!has('value') && !has('averageValue'))
      findings.required(at.child('averageValue'), 'must set either a target value or averageValue');
  } else if (kind === 'external') {
    if (!has('value') && !has('averageValue'))
      findings.required(
        at.child('averageValue'),
        'must set either a target value for metric or a per-pod target',
      );
    if (has('value') && has('averageValue'))
      findings.forbidden(
        at.child('value'),
        'may not set both a target value for metric and a per-pod target',
      );
  } else if (kind === 'pods') {
    if (!has('averageValue'))
      findings.required(at.child('averageValue'), 'must specify a positive target averageValue');
  } else {
    if (!has('averageUtilization') && !has('averageValue'))
      findings.required(
        at.child('averageUtilization'),
        'must set either a target raw value or a target utilization',
      );
    if (has('averageUtilization') && has('averageValue'))
      findings.forbidden(
        at.child('averageValue'),
        'may not set both a target raw value and a target utilization',
      );
  }
}

function validateContainer(container: string, path: FieldPath, findings: Findings): void {
  if (container === '') findings.required(path, 'must specify a container');
  else findings.label(path, container);
}

function validateTarget(target: Fields, path: FieldPath, findings: Findings): void {
  const type = textAt(target, 'type');
  if (type === '') findings.required(path.child('type'), 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(type))
    findings.invalid(path.child('type'), type, 'must be either Utilization, Value, or AverageValue');
  for (const field of ['value', 'averageValue']) {
    const value = target[field];
    if (typeof value === 'string' && compareQuantities(value, '0') <= 0)
      findings.invalid(path.child(field), value, 'must be positive');
  }
  const utilization = target['averageUtilization'];
  if (typeof utilization === 'number' && utilization < 1)
    findings.invalid(path.child('averageUtilization'), utilization, 'must be greater than 0');
}

function validateScalingRules(rules: Fields | undefined, path: FieldPath, findings: Findings): void {
  if (rules === undefined) return;
  const window = rules['stabilizationWindowSeconds'];
  const at = path.child('stabilizationWindowSeconds');
  if (typeof window === 'number' && window < 0)
    findings.invalid(at, window, 'must be greater than or equal to zero');
  if (typeof window === 'number' && window > MAX_WINDOW)
    findings.invalid(at, window, `must be less than or equal to ${MAX_WINDOW}`);
  findings.oneOf(path.child('selectPolicy'), rules['selectPolicy'], ['Disabled', 'Max', 'Min']);
  const policies = objectsAt(rules, 'policies');
  if (policies.length === 0) findings.required(path.child('policies'), 'must specify at least one Policy');
  for (const [index, policy] of policies.entries()) {
    const where = path.child('policies').index(index);
    findings.oneOf(where.child('type'), textAt(policy, 'type'), ['Percent', 'Pods']);
    for (const field of ['value', 'periodSeconds']) {
      const value = Number(policy[field] ?? 0);
      if (value <= 0) findings.invalid(where.child(field), value, 'must be greater than zero');
    }
    const period = Number(policy['periodSeconds'] ?? 0);
    if (period > MAX_PERIOD)
      findings.invalid(where.child('periodSeconds'), period, `must be less than or equal to ${MAX_PERIOD}`);
  }
  findings.notNegativeQuantity(path.child('tolerance'), rules['tolerance']);
}
