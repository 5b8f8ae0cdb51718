import {
  compareQuantities,
  type FieldError,
  FieldPath,
  fieldDuplicate,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  type LabelSelectorObject,
  selectorFromObject,
  validateConfigMapKey,
  validateDns1123Label,
  validatePortNumber,
} from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { textAt, textsAt } from '../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import { notNegative, validatePodSpec } from './pod-spec.ts';

type Validate = (object: Stored) => FieldError[];

const SPEC = FieldPath.of('spec');
const MAX_DATA_BYTES = 1024 * 1024;

/** What the schema cannot say, of the kinds that people write most. */
export const builtinValidations: Readonly<Record<string, Validate>> = {
  '/v1/Pod': (object) => validatePodSpec(objectAt(object, 'spec') ?? {}, SPEC),
  '/v1/Service': validateService,
  '/v1/ConfigMap': (object) => validateData(object, 'data', 'binaryData'),
  '/v1/Secret': (object) => validateData(object, 'data'),
  '/v1/PersistentVolumeClaim': validateClaim,
  'apps/v1/Deployment': (object) => validateWorkload(object, ['Always'], 'replicas', 'minReadySeconds'),
  'apps/v1/ReplicaSet': (object) => validateWorkload(object, ['Always'], 'replicas', 'minReadySeconds'),
  'apps/v1/StatefulSet': (object) => validateWorkload(object, ['Always'], 'replicas', 'minReadySeconds'),
  'apps/v1/DaemonSet': (object) => validateWorkload(object, ['Always'], 'minReadySeconds'),
  'batch/v1/Job': (object) => validateJobSpec(objectAt(object, 'spec') ?? {}, SPEC),
  'batch/v1/CronJob': validateCronJob,
  'policy/v1/PodDisruptionBudget': validateBudget,
};

function validateWorkload(
  object: Stored,
  restartPolicies: readonly string[],
  ...counts: readonly string[]
): FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const selector = objectAt(spec, 'selector');
  const template = objectAt(spec, 'template');
  const errors = counts
    .filter((field) => typeof spec[field] === 'number' && spec[field] < 0)
    .map((field) => notNegative(SPEC.child(field), spec[field]));
  const isEmpty = selector !== undefined && Object.keys(selector).length === 0;
  if (selector === undefined) errors.push(fieldRequired(SPEC.child('selector')));
  if (isEmpty)
    errors.push(
      fieldInvalid(SPEC.child('selector'), selector, `empty selector is invalid for ${nounOf(object)}`),
    );
  else if (selector === undefined || !matches(selector, template)) {
    const labels = objectAt(objectAt(template, 'metadata'), 'labels') ?? {};
    errors.push(
      fieldInvalid(
        SPEC.child('template', 'metadata', 'labels'),
        labels,
        '`selector` does not match template `labels`',
      ),
    );
  }
  errors.push(...validateTemplate(template, SPEC.child('template'), restartPolicies));
  return errors;
}

function nounOf({ kind = '' }: Stored): string {
  // Upstream says so of both.
  return kind === 'ReplicaSet' ? 'deployment' : kind.toLowerCase();
}

function matches(selector: Fields, template: Fields | undefined): boolean {
  // The schema makes them labels.
  const labels = (objectAt(objectAt(template, 'metadata'), 'labels') ?? {}) as Record<string, string>;
  try {
    return selectorFromObject(selector satisfies LabelSelectorObject).matches(labels);
  } catch {
    return false;
  }
}

function validateTemplate(
  template: Fields | undefined,
  path: FieldPath,
  restartPolicies: readonly string[],
): FieldError[] {
  const spec = objectAt(template, 'spec') ?? {};
  const errors = validatePodSpec(spec, path.child('spec'));
  const policy = textAt(spec, 'restartPolicy');
  const at = path.child('spec', 'restartPolicy');
  // `Always` is what one gets who says nothing, so where it cannot be, something must be said.
  if (policy === 'Always' && !restartPolicies.includes(policy))
    errors.push(
      fieldRequired(at, `valid values: ${restartPolicies.map((value) => JSON.stringify(value)).join(', ')}`),
    );
  else if (!restartPolicies.includes(policy)) errors.push(fieldNotSupported(at, policy, restartPolicies));
  return errors;
}

function validateJobSpec(spec: Fields, path: FieldPath): FieldError[] {
  const errors = [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
  ]
    .filter((field) => typeof spec[field] === 'number' && spec[field] < 0)
    .map((field) => notNegative(path.child(field), spec[field]));
  if (spec['completionMode'] === 'Indexed' && spec['completions'] === undefined)
    errors.push(fieldRequired(path.child('completions'), 'when completion mode is Indexed'));
  const template = objectAt(spec, 'template');
  // The two are named in this order upstream.
  errors.push(...validateTemplate(template, path.child('template'), ['OnFailure', 'Never']));
  return errors;
}

function validateCronJob(object: Stored): FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const errors: FieldError[] = [];
  if (textAt(spec, 'schedule') === '') errors.push(fieldRequired(SPEC.child('schedule')));
  for (const field of ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit']) {
    const value = spec[field];
    if (typeof value === 'number' && value < 0) errors.push(notNegative(SPEC.child(field), value));
  }
  const jobSpec = objectAt(objectAt(spec, 'jobTemplate'), 'spec') ?? {};
  return [...errors, ...validateJobSpec(jobSpec, SPEC.child('jobTemplate', 'spec'))];
}

function validateService(object: Stored): FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const ports = objectsAt(spec, 'ports');
  const errors: FieldError[] = [];
  const isExternal = spec['type'] === 'ExternalName';
  if (ports.length === 0 && !isExternal && spec['clusterIP'] !== 'None')
    errors.push(fieldRequired(SPEC.child('ports')));
  const names = new Set<string>();
  const numbers = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = SPEC.child('ports').index(index);
    const name = textAt(port, 'name');
    const number = port['port'];
    if (name === '') {
      if (ports.length > 1) errors.push(fieldRequired(at.child('name')));
    } else {
      errors.push(...validateDns1123Label(name).map((why) => fieldInvalid(at.child('name'), name, why)));
      if (names.has(name)) errors.push(fieldDuplicate(at.child('name'), name));
      names.add(name);
    }
    if (typeof number === 'number')
      errors.push(...validatePortNumber(number).map((why) => fieldInvalid(at.child('port'), number, why)));
    const target = port['targetPort'];
    if (typeof target === 'number')
      errors.push(
        ...validatePortNumber(target).map((why) => fieldInvalid(at.child('targetPort'), target, why)),
      );
    const key = `${textAt(port, 'protocol')}/${String(number)}`;
    if (numbers.has(key)) errors.push(fieldDuplicate(at, { port: number, protocol: port['protocol'] }));
    numbers.add(key);
  }
  if (isExternal && textAt(spec, 'externalName') === '')
    errors.push(fieldRequired(SPEC.child('externalName')));
  return errors;
}

function validateData(object: Stored, ...fields: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (const field of fields) {
    for (const [key, value] of Object.entries(objectAt(object, field) ?? {})) {
      const path = FieldPath.of(field).key(key);
      errors.push(...validateConfigMapKey(key).map((why) => fieldInvalid(path, key, why)));
      if (seen.has(key)) errors.push(fieldInvalid(path, key, 'duplicate of key present in data'));
      seen.add(key);
      const isEncoded = field === 'binaryData' || object.kind === 'Secret';
      bytes += Buffer.byteLength(String(value), isEncoded ? 'base64' : 'utf8');
    }
  }
  if (bytes > MAX_DATA_BYTES)
    errors.push(fieldTooLong(fields.length > 1 ? undefined : FieldPath.of('data'), MAX_DATA_BYTES));
  return errors;
}

function validateClaim(object: Stored): FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const errors: FieldError[] = [];
  if (textsAt(spec, 'accessModes').length === 0)
    errors.push(fieldRequired(SPEC.child('accessModes'), 'at least 1 access mode is required'));
  const path = SPEC.child('resources').key('storage');
  const storage = objectAt(objectAt(spec, 'resources'), 'requests')?.['storage'];
  if (typeof storage !== 'string') errors.push(fieldRequired(path));
  else if (compareQuantities(storage, '0') <= 0)
    errors.push(fieldInvalid(path, storage, 'must be greater than zero'));
  return errors;
}

function validateBudget(object: Stored): FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  if (spec['minAvailable'] === undefined || spec['maxUnavailable'] === undefined) return [];
  return [fieldInvalid(SPEC, spec, 'minAvailable and maxUnavailable cannot be both set')];
}
