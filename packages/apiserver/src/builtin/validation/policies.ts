// Disruption budgets, priorities, leases.
import { FieldPath } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { textAt } from '../printers/columns.ts';
import { objectAt, objectsAt } from '../values.ts';
import { validateConditions } from './conditions.ts';
import type { Findings } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const HIGHEST_PRIORITY = 1_000_000_000;

export const policyValidations: ValidationsByKind = {
  'policy/v1/PodDisruptionBudget': {
    create: validateBudget,
    status(object, _old, findings) {
      const status = objectAt(object, 'status');
      validateConditions(objectsAt(status, 'conditions'), STATUS.child('conditions'), findings);
      findings.noneNegative(STATUS, status, [
        'disruptionsAllowed',
        'currentHealthy',
        'desiredHealthy',
        'expectedPods',
      ]);
    },
  },
  'scheduling.k8s.io/v1/PriorityClass': {
    create: validatePriorityClass,
    update(object, old, findings) {
      if (object['value'] !== old['value'])
        findings.forbidden(FieldPath.of('value'), 'may not be changed in an update.');
      findings.immutable(
        FieldPath.of('preemptionPolicy'),
        object['preemptionPolicy'],
        old['preemptionPolicy'],
      );
    },
  },
  'coordination.k8s.io/v1/Lease': { create: validateLease },
};

function validateBudget(object: Stored, findings: Findings): void {
  const spec = objectAt(object, 'spec') ?? {};
  if (spec['minAvailable'] !== undefined && spec['maxUnavailable'] !== undefined)
    findings.invalid(SPEC, spec, 'minAvailable and maxUnavailable cannot be both set');
  for (const field of ['minAvailable', 'maxUnavailable']) {
    findings.countOrPercent(SPEC.child(field), spec[field]);
    findings.atMost100Percent(SPEC.child(field), spec[field]);
  }
  findings.selector(SPEC.child('selector'), objectAt(spec, 'selector'));
  findings.oneOf(SPEC.child('unhealthyPodEvictionPolicy'), spec['unhealthyPodEvictionPolicy'], [
    'AlwaysAllow',
    'IfHealthyBudget',
  ]);
}

function validatePriorityClass(object: Stored, findings: Findings): void {
  const name = object.metadata?.name ?? '';
  const value = Number(object['value'] ?? 0);
  const problem = name.startsWith('system-')
    ? systemProblem(name, value, object['globalDefault'] === true)
    : undefined;
  if (problem !== undefined)
    findings.forbidden(
      FieldPath.of('metadata', 'name'),
      `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`,
    );
  else if (name.startsWith('system-')) return;
  else if (value > HIGHEST_PRIORITY)
    findings.forbidden(
      FieldPath.of('value'),
      `maximum allowed value of a user defined priority is ${HIGHEST_PRIORITY}`,
    );
  if (object['preemptionPolicy'] === '') findings.required(FieldPath.of('preemptionPolicy'));
  else
    findings.oneOf(FieldPath.of('preemptionPolicy'), object['preemptionPolicy'], [
      'PreemptLowerPriority',
      'Never',
    ]);
}

const SYSTEM_CLASSES = new Map([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
]);

function systemProblem(name: string, value: number, isDefault: boolean): string | undefined {
  const expected = SYSTEM_CLASSES.get(name);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return isDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function validateLease(object: Stored, findings: Findings): void {
  const spec = objectAt(object, 'spec') ?? {};
  const duration = spec['leaseDurationSeconds'];
  if (typeof duration === 'number' && duration <= 0)
    findings.invalid(SPEC.child('leaseDurationSeconds'), duration, 'must be greater than 0');
  findings.notNegative(SPEC.child('leaseTransitions'), spec['leaseTransitions']);
  const strategy = textAt(spec, 'strategy');
  if (textAt(spec, 'preferredHolder') !== '' && strategy === '')
    findings.forbidden(SPEC.child('preferredHolder'), 'may only be specified if `strategy` is defined');
  if (spec['strategy'] !== undefined) validateStrategy(strategy, findings);
}

function validateStrategy(strategy: string, findings: Findings): void {
  const path = SPEC.child('strategy');
  const [domain = '', ...rest] = strategy.split('/');
  if (rest.length > 0) {
    findings.subdomain(path, domain);
    findings.qualifiedName(path, strategy);
  } else findings.oneOf(path, strategy, ['OldestEmulationVersion']);
}
