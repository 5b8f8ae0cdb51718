// Deployments, replica sets, stateful sets, daemon sets and their older kin.
import {
  deepEqual,
  FieldPath,
  type LabelSelectorObject,
  selectorFromLabels,
  selectorFromObject,
} from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { numberAt, textAt } from '../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import { validateClaimSpec } from './claims.ts';
import { type Findings, percentOf } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';
import { validateTemplate } from './pods/pods.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const STATEFUL_SET_MUTABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];
const STATEFUL_SET_MESSAGE =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
const REVISION = FieldPath.of('revision');

export const workloadValidations: ValidationsByKind = {
  'apps/v1/Deployment': {
    create: validateDeployment,
    update(object, old, findings) {
      validateDeployment(object, findings);
      validateSameSelector(object, old, findings);
    },
    status(object, old, findings) {
      validateCounts(
        object,
        ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
        'readyReplicas',
        findings,
      );
      findings.noneNegative(STATUS, objectAt(object, 'status'), [
        'unavailableReplicas',
        'terminatingReplicas',
        'collisionCount',
      ]);
      validateCollisions(object, old, findings);
    },
  },
  'apps/v1/ReplicaSet': {
    create: validateReplicaSet,
    update(object, old, findings) {
      validateReplicaSet(object, findings);
      validateSameSelector(object, old, findings);
    },
    status(object, _old, findings) {
      validateCounts(
        object,
        ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
        'readyReplicas',
        findings,
      );
      findings.notNegative(
        STATUS.child('terminatingReplicas'),
        objectAt(object, 'status')?.['terminatingReplicas'],
      );
    },
  },
  'apps/v1/StatefulSet': {
    create: (object, findings) => validateStatefulSet(object, findings, false),
    update(object, old, findings) {
      validateStatefulSet(object, findings, true);
      const fixed = (of: Stored): Fields => {
        const copy = { ...objectAt(of, 'spec') };
        for (const field of STATEFUL_SET_MUTABLE) delete copy[field];
        return copy;
      };
      if (!deepEqual(fixed(object), fixed(old))) findings.forbidden(SPEC, STATEFUL_SET_MESSAGE);
    },
    status(object, old, findings) {
      const fields = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
      validateCounts(object, fields, 'status.readyReplicas', findings);
      findings.notNegative(STATUS.child('collisionCount'), objectAt(object, 'status')?.['collisionCount']);
      validateCollisions(object, old, findings);
    },
  },
  'apps/v1/DaemonSet': {
    create: validateDaemonSet,
    update(object, old, findings) {
      validateSameSelector(object, old, findings);
      validateDaemonSet(object, findings);
    },
    status(object, old, findings) {
      findings.noneNegative(STATUS, objectAt(object, 'status'), [
        'currentNumberScheduled',
        'numberMisscheduled',
        'desiredNumberScheduled',
        'numberReady',
        'observedGeneration',
        'updatedNumberScheduled',
        'numberAvailable',
        'numberUnavailable',
        'collisionCount',
      ]);
      validateCollisions(object, old, findings);
    },
  },
  '/v1/ReplicationController': {
    create: validateReplicationController,
    status: (object, _old, findings) =>
      validateCounts(
        object,
        ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
        'readyReplicas',
        findings,
      ),
  },
  'apps/v1/ControllerRevision': {
    create(object, findings) {
      findings.notNegative(REVISION, object['revision']);
      const { data } = object;
      const path = FieldPath.of('data');
      if (data === undefined || data === null) findings.required(path, 'data is mandatory');
      else if (typeof data !== 'object' || Array.isArray(data))
        findings.required(path, 'data must be a valid JSON object');
    },
    update(object, old, findings) {
      findings.notNegative(REVISION, object['revision']);
      findings.immutable(FieldPath.of('data'), object['data'], old['data']);
    },
  },
};

function validateSameSelector(object: Stored, old: Stored, findings: Findings): void {
  findings.immutable(
    SPEC.child('selector'),
    objectAt(object, 'spec')?.['selector'],
    objectAt(old, 'spec')?.['selector'],
  );
}

/** Never more of anything than there are. */
function validateCounts(object: Stored, fields: readonly string[], ready: string, findings: Findings): void {
  const status = objectAt(object, 'status') ?? {};
  findings.noneNegative(STATUS, status, ['observedGeneration', 'replicas', ...fields]);
  const all = numberAt(status, 'replicas');
  for (const field of fields) {
    const count = numberAt(status, field);
    if (count > all) findings.invalid(STATUS.child(field), count, 'cannot be greater than status.replicas');
  }
  const available = numberAt(status, 'availableReplicas');
  if (available > numberAt(status, 'readyReplicas'))
    findings.invalid(STATUS.child('availableReplicas'), available, `cannot be greater than ${ready}`);
}

function validateCollisions(object: Stored, old: Stored, findings: Findings): void {
  const count = (of: Stored): unknown => objectAt(of, 'status')?.['collisionCount'];
  const before = count(old);
  const now = count(object) ?? 0;
  if (typeof before !== 'number' || typeof now !== 'number') return;
  if (now < before || count(object) === undefined)
    findings.invalid(STATUS.child('collisionCount'), now, 'cannot be decremented');
}

/** The labels that the selector asks for; undefined when it cannot be read. */
function matches(selector: Fields | undefined, template: Fields | undefined): boolean | undefined {
  const labels = (objectAt(objectAt(template, 'metadata'), 'labels') ?? {}) as Record<string, string>;
  try {
    return selectorFromObject(selector satisfies LabelSelectorObject | undefined).matches(labels);
  } catch {
    return undefined;
  }
}

const isEmptySelector = (selector: Fields): boolean =>
  Object.keys(objectAt(selector, 'matchLabels') ?? {}).length +
    objectsAt(selector, 'matchExpressions').length ===
  0;

function validateMismatch(template: Fields | undefined, findings: Findings): void {
  findings.invalid(
    SPEC.child('template', 'metadata', 'labels'),
    objectAt(objectAt(template, 'metadata'), 'labels') ?? null,
    '`selector` does not match template `labels`',
  );
}

/** `noun` is what an empty selector is invalid for. */
function validateSelector(spec: Fields, noun: string, unreadable: string, findings: Findings): boolean {
  const selector = objectAt(spec, 'selector');
  const template = objectAt(spec, 'template');
  const path = SPEC.child('selector');
  if (selector === undefined) findings.required(path);
  else {
    findings.selector(path, selector);
    if (isEmptySelector(selector)) findings.invalid(path, selector, `empty selector is invalid for ${noun}`);
  }
  const isMatch = matches(selector, template);
  if (isMatch === undefined) {
    findings.invalid(path, selector, unreadable);
    return false;
  }
  // An absent one selects nothing.
  if (!isMatch) validateMismatch(template, findings);
  return true;
}

function validateAlways(spec: Fields, noun: string, findings: Findings): void {
  const pod = objectAt(objectAt(spec, 'template'), 'spec') ?? {};
  const path = SPEC.child('template', 'spec');
  findings.oneOf(path.child('restartPolicy'), textAt(pod, 'restartPolicy'), ['Always']);
  if (pod['activeDeadlineSeconds'] !== undefined)
    findings.forbidden(
      path.child('activeDeadlineSeconds'),
      `activeDeadlineSeconds in ${noun} is not Supported`,
    );
}

function validateReplicas(spec: Fields, findings: Findings): void {
  findings.noneNegative(SPEC, spec, ['replicas', 'minReadySeconds']);
  // Upstream says so of both.
  if (!validateSelector(spec, 'deployment', 'invalid label selector', findings)) return;
  validateTemplate(objectAt(spec, 'template'), SPEC.child('template'), findings);
  validateAlways(spec, 'ReplicaSet', findings);
}

function validateReplicaSet(object: Stored, findings: Findings): void {
  validateReplicas(objectAt(object, 'spec') ?? {}, findings);
}

const isZero = (value: unknown): boolean =>
  (percentOf(value) ?? (typeof value === 'number' ? value : 0)) === 0;

function validateDeployment(object: Stored, findings: Findings): void {
  const spec = objectAt(object, 'spec') ?? {};
  validateReplicas(spec, findings);
  const strategy = objectAt(spec, 'strategy') ?? {};
  const rolling = objectAt(strategy, 'rollingUpdate');
  const path = SPEC.child('strategy');
  const at = path.child('rollingUpdate');
  if (strategy['type'] === 'Recreate') {
    if (rolling !== undefined)
      findings.forbidden(at, "may not be specified when strategy `type` is 'Recreate'");
  } else if (strategy['type'] !== 'RollingUpdate')
    findings.notSupported(path, strategy, ['Recreate', 'RollingUpdate']);
  else if (rolling !== undefined) {
    for (const field of ['maxUnavailable', 'maxSurge'])
      findings.countOrPercent(at.child(field), rolling[field]);
    if (isZero(rolling['maxUnavailable']) && isZero(rolling['maxSurge']))
      findings.invalid(
        at.child('maxUnavailable'),
        rolling['maxUnavailable'],
        'may not be 0 when `maxSurge` is 0',
      );
    findings.atMost100Percent(at.child('maxUnavailable'), rolling['maxUnavailable']);
  }
  findings.notNegative(SPEC.child('revisionHistoryLimit'), spec['revisionHistoryLimit']);
  const deadline = spec['progressDeadlineSeconds'];
  if (typeof deadline !== 'number') return;
  findings.notNegative(SPEC.child('progressDeadlineSeconds'), deadline);
  if (deadline <= numberAt(spec, 'minReadySeconds'))
    findings.invalid(SPEC.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds');
}

function validateStatefulSet(object: Stored, findings: Findings, isUpdate: boolean): void {
  const spec = objectAt(object, 'spec') ?? {};
  const policy = textAt(spec, 'podManagementPolicy');
  if (policy !== 'OrderedReady' && policy !== 'Parallel')
    findings.invalid(SPEC.child('podManagementPolicy'), policy, "must be 'OrderedReady' or 'Parallel'");
  validateStatefulSetStrategy(objectAt(spec, 'updateStrategy') ?? {}, findings);
  const retention = objectAt(spec, 'persistentVolumeClaimRetentionPolicy') ?? {};
  for (const field of ['whenDeleted', 'whenScaled'])
    findings.oneOf(SPEC.child('persistentVolumeClaimRetentionPolicy', field), textAt(retention, field), [
      'Retain',
      'Delete',
    ]);
  const claims = objectsAt(spec, 'volumeClaimTemplates');
  if (!isUpdate)
    for (const [index, claim] of claims.entries())
      validateClaimSpec(
        objectAt(claim, 'spec') ?? {},
        SPEC.child('volumeClaimTemplates').index(index).child('spec'),
        findings,
      );
  findings.noneNegative(SPEC, spec, ['replicas', 'minReadySeconds']);
  findings.notNegative(SPEC.child('ordinals.start'), objectAt(spec, 'ordinals')?.['start']);
  const service = textAt(spec, 'serviceName');
  if (!isUpdate && service !== '') findings.label(SPEC.child('serviceName'), service);
  if (validateSelector(spec, 'statefulset', '', findings)) {
    const template = withClaims(objectAt(spec, 'template') ?? {}, claims);
    // Some of it is looked at twice upstream, and told once.
    validateTemplate(template, SPEC.child('template'), findings);
  }
  validateAlways(spec, 'StatefulSet', findings);
}

/** Each claim is a volume of the pods; names for the network are given later. */
function withClaims(template: Fields, claims: readonly Fields[]): Fields {
  const { subdomain: _subdomain, hostname: _hostname, ...spec } = objectAt(template, 'spec') ?? {};
  const names = new Set(claims.map((claim) => textAt(objectAt(claim, 'metadata') ?? {}, 'name')));
  const made = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const others = objectsAt(spec, 'volumes').filter((volume) => !names.has(textAt(volume, 'name')));
  return { ...template, spec: claims.length === 0 ? spec : { ...spec, volumes: [...made, ...others] } };
}

function validateStatefulSetStrategy(strategy: Fields, findings: Findings): void {
  const path = SPEC.child('updateStrategy');
  const rolling = objectAt(strategy, 'rollingUpdate');
  const at = path.child('rollingUpdate');
  if (strategy['type'] === 'OnDelete') {
    if (rolling !== undefined)
      findings.invalid(at, rolling, "only allowed for updateStrategy 'RollingUpdate'");
  } else if (strategy['type'] !== 'RollingUpdate')
    findings.invalid(path, strategy, "must be 'RollingUpdate' or 'OnDelete'");
  else if (rolling !== undefined) {
    findings.notNegative(at.child('partition'), rolling['partition']);
    const max = rolling['maxUnavailable'];
    if (max === undefined) return;
    findings.countOrPercent(at.child('maxUnavailable'), max);
    if (isZero(max)) findings.invalid(at.child('maxUnavailable'), max, 'cannot be 0');
    findings.atMost100Percent(at.child('maxUnavailable'), max);
  }
}

function validateDaemonSet(object: Stored, findings: Findings): void {
  const spec = objectAt(object, 'spec') ?? {};
  const selector = objectAt(spec, 'selector');
  const template = objectAt(spec, 'template');
  findings.selector(SPEC.child('selector'), selector);
  if (matches(selector, template) === false) validateMismatch(template, findings);
  if (selector !== undefined && isEmptySelector(selector))
    findings.invalid(SPEC.child('selector'), selector, 'empty selector is invalid for daemonset');
  validateTemplate(template, SPEC.child('template'), findings);
  validateAlways(spec, 'DaemonSet', findings);
  findings.noneNegative(SPEC, spec, ['minReadySeconds', 'revisionHistoryLimit']);
  validateDaemonSetStrategy(objectAt(spec, 'updateStrategy') ?? {}, findings);
}

function validateDaemonSetStrategy(strategy: Fields, findings: Findings): void {
  const path = SPEC.child('updateStrategy');
  if (strategy['type'] === 'OnDelete') return;
  if (strategy['type'] !== 'RollingUpdate') {
    findings.notSupported(path, strategy, ['RollingUpdate', 'OnDelete']);
    return;
  }
  const rolling = objectAt(strategy, 'rollingUpdate') ?? {};
  const at = path.child('rollingUpdate');
  const { maxUnavailable, maxSurge } = rolling;
  findings.countOrPercent(at.child('maxUnavailable'), maxUnavailable);
  findings.countOrPercent(at.child('maxSurge'), maxSurge);
  findings.atMost100Percent(at.child('maxUnavailable'), maxUnavailable);
  findings.atMost100Percent(at.child('maxSurge'), maxSurge);
  if (!isZero(maxUnavailable) && !isZero(maxSurge))
    findings.invalid(at.child('maxSurge'), maxSurge, 'may not be set when maxUnavailable is non-zero');
  else if (isZero(maxUnavailable) && isZero(maxSurge))
    findings.required(at.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0');
}

function validateReplicationController(object: Stored, findings: Findings): void {
  const spec = objectAt(object, 'spec') ?? {};
  const selector = (objectAt(spec, 'selector') ?? {}) as Record<string, string>;
  const template = objectAt(spec, 'template');
  findings.noneNegative(SPEC, spec, ['minReadySeconds', 'replicas']);
  const isEmpty = Object.keys(selector).length === 0;
  if (isEmpty) findings.required(SPEC.child('selector'));
  if (template === undefined) {
    findings.required(SPEC.child('template'));
    return;
  }
  const labels = (objectAt(objectAt(template, 'metadata'), 'labels') ?? {}) as Record<string, string>;
  if (!isEmpty && !selectorFromLabels(selector).matches(labels)) validateMismatch(template, findings);
  validateTemplate(template, SPEC.child('template'), findings);
  validateAlways(spec, 'ReplicationController', findings);
}
