import { deepEqual, FieldPath, selectorFromObject, validateDns1123Label } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { numberAt, textAt } from '../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import { validateSchedule, validateTimeZone } from './cron.ts';
import { validateDomainPath } from './domain-path.ts';
import type { Findings } from './findings.ts';
import { indexesProblem } from './indexes.ts';
import { validateJobStatus } from './job-status.ts';
import type { ValidationsByKind } from './kind-validation.ts';
import { validateTemplate } from './pods/pods.ts';

const SPEC = FieldPath.of('spec');
const MAX_PARALLELISM = 100_000;
const MANY = 100_000;
const MAX_MANAGED_BY = 63;
const MAX_RULES = 20;
const MAX_CRON_NAME = 52;
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const INDEXED = 'requires indexed completion mode';

export const jobValidations: ValidationsByKind = {
  'batch/v1/Job': {
    create: validateJob,
    update: validateJobUpdate,
    status: validateJobStatus,
  },
  'batch/v1/CronJob': {
    create(job, findings) {
      validateCronJob(job, undefined, findings);
      const name = job.metadata?.name ?? '';
      if (name.length > MAX_CRON_NAME)
        findings.invalid(
          FieldPath.of('metadata', 'name'),
          name,
          `must be no more than ${MAX_CRON_NAME} characters`,
        );
    },
    update: (job, old, findings) => validateCronJob(job, old, findings),
  },
};

function validateJob(job: Stored, findings: Findings): void {
  const spec = objectAt(job, 'spec') ?? {};
  validateGenerated(job, spec, findings);
  validateSelectedJob(spec, findings);
  const completions = spec['completions'];
  if (spec['completionMode'] !== 'Indexed' || typeof completions !== 'number' || completions <= 0) return;
  const name = job.metadata?.name ?? '';
  const last = `${name}-${completions - 1}`;
  if (validateDns1123Label(last).length > 0)
    findings.invalid(
      FieldPath.of('metadata', 'name'),
      name,
      `will not able to create pod with invalid DNS label: ${last}`,
    );
}

/** A job finds its pods by labels that nobody else has. */
function validateGenerated(job: Stored, spec: Fields, findings: Findings): void {
  const selector = objectAt(spec, 'selector');
  if (spec['manualSelector'] === true || selector === undefined) return;
  const [uid, name] = [job.metadata?.uid ?? '', job.metadata?.name ?? ''];
  const expected = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  };
  const labels = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels') ?? {};
  const path = SPEC.child('template', 'metadata', 'labels');
  for (const [key, value] of Object.entries(expected)) {
    if (labels[key] === undefined) findings.required(path.key(key), `must be '${value}'`);
    else if (labels[key] !== value) findings.invalid(path.key(key), labels, `must be '${value}'`);
  }
  try {
    if (!selectorFromObject(selector).matches(expected))
      findings.invalid(SPEC.child('selector'), selector, '`selector` not auto-generated');
  } catch {
    // What is wrong with the selector itself is told elsewhere.
  }
}

function validateSelectedJob(spec: Fields, findings: Findings): void {
  validateJobSpec(spec, SPEC, findings);
  const selector = objectAt(spec, 'selector');
  if (selector === undefined) findings.required(SPEC.child('selector'));
  else findings.selector(SPEC.child('selector'), selector);
  const labels = (objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels') ?? {}) as Record<
    string,
    string
  >;
  try {
    if (selectorFromObject(selector).matches(labels)) return;
    findings.invalid(
      SPEC.child('template', 'metadata', 'labels'),
      objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels') ?? null,
      '`selector` does not match template `labels`',
    );
  } catch {
    // What is wrong with the selector itself is told already.
  }
}

export function validateJobSpec(spec: Fields, path: FieldPath, findings: Findings): void {
  findings.noneNegative(path, spec, [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ]);
  if (spec['maxFailedIndexes'] !== undefined && spec['backoffLimitPerIndex'] === undefined)
    findings.required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified');
  const manager = spec['managedBy'];
  if (typeof manager === 'string') {
    validateDomainPath(manager, path.child('managedBy'), findings);
    if (Buffer.byteLength(manager) > MAX_MANAGED_BY)
      findings.tooLong(path.child('managedBy'), MAX_MANAGED_BY);
  }
  const mode = spec['completionMode'];
  findings.oneOf(path.child('completionMode'), mode, ['NonIndexed', 'Indexed']);
  if (mode === 'Indexed') validateIndexed(spec, path, findings);
  else if (mode === undefined || mode === 'NonIndexed')
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'])
      if (spec[field] !== undefined) findings.invalid(path.child(field), spec[field], INDEXED);
  validateFailurePolicy(spec, path.child('podFailurePolicy'), findings);
  const success = objectAt(spec, 'successPolicy');
  if (success !== undefined) {
    if (mode !== 'Indexed') findings.invalid(path.child('successPolicy'), success, INDEXED);
    else
      validateSuccessPolicy(
        success,
        numberAt(spec, 'completions'),
        path.child('successPolicy', 'rules'),
        findings,
      );
  }
  findings.oneOf(
    path.child('podReplacementPolicy'),
    spec['podReplacementPolicy'],
    spec['podFailurePolicy'] === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'],
  );
  validateTemplate(objectAt(spec, 'template'), path.child('template'), findings);
  validateRestart(spec, path.child('template', 'spec', 'restartPolicy'), findings);
}

function validateRestart(spec: Fields, path: FieldPath, findings: Findings): void {
  const policy = textAt(objectAt(objectAt(spec, 'template'), 'spec') ?? {}, 'restartPolicy');
  if (policy === 'Always' || policy === '') findings.required(path, 'valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never')
    findings.notSupported(path, policy, ['OnFailure', 'Never']);
  else if (spec['podFailurePolicy'] !== undefined && policy !== 'Never')
    findings.invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified');
}

function validateIndexed(spec: Fields, path: FieldPath, findings: Findings): void {
  const { completions, parallelism, maxFailedIndexes: failed } = spec as Record<string, number | undefined>;
  if (completions === undefined)
    findings.required(path.child('completions'), 'when completion mode is Indexed');
  if (parallelism !== undefined && parallelism > MAX_PARALLELISM)
    findings.invalid(
      path.child('parallelism'),
      parallelism,
      `must be less than or equal to ${MAX_PARALLELISM} when completion mode is Indexed`,
    );
  const at = path.child('maxFailedIndexes');
  if (completions !== undefined && failed !== undefined && failed > completions)
    findings.invalid(at, failed, 'must be less than or equal to completions');
  if (failed !== undefined && failed > MAX_PARALLELISM)
    findings.invalid(at, failed, `must be less than or equal to ${MAX_PARALLELISM}`);
  if (completions === undefined || completions <= MANY || spec['backoffLimitPerIndex'] === undefined) return;
  const many = `must be less than or equal to 10000 when completions are above ${MANY} and used with backoff limit per index`;
  if (failed === undefined) findings.required(at, `must be specified when completions is above ${MANY}`);
  if (parallelism !== undefined && parallelism > 10_000)
    findings.invalid(path.child('parallelism'), parallelism, many);
  if (failed !== undefined && failed > 10_000) findings.invalid(at, failed, many);
}

function validateFailurePolicy(spec: Fields, path: FieldPath, findings: Findings): void {
  const policy = objectAt(spec, 'podFailurePolicy');
  if (policy === undefined) return;
  const pod = objectAt(objectAt(spec, 'template'), 'spec') ?? {};
  const names = new Set(
    [...objectsAt(pod, 'containers'), ...objectsAt(pod, 'initContainers')].map((container) =>
      textAt(container, 'name'),
    ),
  );
  const rules = objectsAt(policy, 'rules');
  if (rules.length > MAX_RULES) findings.tooMany(path.child('rules'), rules.length, MAX_RULES);
  for (const [index, rule] of rules.entries()) {
    const at = path.child('rules').index(index);
    const action = textAt(rule, 'action');
    if (action === '')
      findings.required(
        at.child('action'),
        `valid values: [${ACTIONS.map((known) => JSON.stringify(known)).join(' ')}]`,
      );
    else if (action === 'FailIndex') {
      if (spec['backoffLimitPerIndex'] === undefined)
        findings.invalid(at.child('action'), action, 'requires the backoffLimitPerIndex to be set');
    } else findings.oneOf(at.child('action'), action, ACTIONS);
    const codes = objectAt(rule, 'onExitCodes');
    const conditions = objectsAt(rule, 'onPodConditions');
    if (codes !== undefined) validateExitCodes(codes, names, at.child('onExitCodes'), findings);
    for (const [place, condition] of conditions.entries())
      validatePattern(condition, at.child('onPodConditions').index(place), findings);
    const both = codes !== undefined && conditions.length > 0;
    if (both || (codes === undefined && conditions.length === 0))
      findings.invalid(
        at,
        undefined,
        both
          ? 'specifying both OnExitCodes and OnPodConditions is not supported'
          : 'specifying one of OnExitCodes and OnPodConditions is required',
      );
  }
}

function validatePattern(condition: Fields, path: FieldPath, findings: Findings): void {
  findings.qualifiedName(path.child('type'), textAt(condition, 'type'));
  const status = textAt(condition, 'status');
  if (status === '') findings.required(path.child('status'), 'valid values: ["False" "True" "Unknown"]');
  else findings.oneOf(path.child('status'), status, ['False', 'True', 'Unknown']);
}

function validateExitCodes(
  codes: Fields,
  names: ReadonlySet<string>,
  path: FieldPath,
  findings: Findings,
): void {
  const operator = textAt(codes, 'operator');
  if (operator === '') findings.required(path.child('operator'), 'valid values: ["In" "NotIn"]');
  else findings.oneOf(path.child('operator'), operator, ['In', 'NotIn']);
  const name = codes['containerName'];
  if (typeof name === 'string' && !names.has(name))
    findings.invalid(
      path.child('containerName'),
      name,
      'must be one of the container or initContainer names in the pod template',
    );
  // The typed form makes them numbers.
  const values = (Array.isArray(codes['values']) ? codes['values'] : []) as number[];
  const at = path.child('values');
  if (values.length === 0) findings.invalid(at, codes['values'] ?? null, 'at least one value is required');
  else if (values.length > 255) findings.tooMany(at, values.length, 255);
  for (const [index, value] of values.entries()) {
    if (operator === 'In' && value === 0)
      findings.invalid(at.index(index), value, 'must not be 0 for the In operator');
    if (values.indexOf(value) < index) findings.duplicate(at.index(index), value);
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? value) > value))
    findings.invalid(at, values, 'must be ordered');
}

function validateSuccessPolicy(
  policy: Fields,
  completions: number,
  path: FieldPath,
  findings: Findings,
): void {
  const rules = objectsAt(policy, 'rules');
  if (rules.length === 0)
    findings.required(path, 'at least one rules must be specified when the successPolicy is specified');
  if (rules.length > MAX_RULES) findings.tooMany(path, rules.length, MAX_RULES);
  for (const [index, rule] of rules.entries()) {
    const at = path.index(index);
    const { succeededCount: count, succeededIndexes: indexes } = rule;
    if (count === undefined && indexes === undefined)
      findings.required(at, 'at least one of succeededCount or succeededIndexes must be specified');
    const parsed = typeof indexes === 'string' ? indexesProblem(indexes, completions) : undefined;
    if (typeof parsed === 'string')
      findings.invalid(at.child('succeededIndexes'), indexes, `error parsing succeededIndexes: ${parsed}`);
    if (typeof count !== 'number') continue;
    const where = at.child('succeededCount');
    findings.notNegative(where, count);
    if (count > completions)
      findings.invalid(
        where,
        count,
        `must be less than or equal to ${completions} (the number of specified completions)`,
      );
    const total = typeof parsed === 'number' ? parsed : 0;
    if (indexes !== undefined && count > total)
      findings.invalid(
        where,
        count,
        `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`,
      );
  }
}

function validateJobUpdate(job: Stored, old: Stored, findings: Findings): void {
  const [spec, before] = [objectAt(job, 'spec') ?? {}, objectAt(old, 'spec') ?? {}];
  validateJob(job, findings);
  if (spec['completionMode'] !== 'Indexed')
    findings.immutable(SPEC.child('completions'), spec['completions'], before['completions']);
  else if (
    spec['completions'] !== undefined &&
    spec['completions'] !== before['completions'] &&
    spec['completions'] !== spec['parallelism']
  )
    findings.invalid(
      SPEC.child('completions'),
      spec['completions'],
      'can only be modified in tandem with spec.parallelism',
    );
  findings.immutable(SPEC.child('selector'), spec['selector'], before['selector']);
  validateTemplateUpdate(old, spec, before, findings);
  for (const field of [
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ])
    findings.immutable(SPEC.child(field), spec[field], before[field]);
}

/** While a job is suspended and has never run, where its pods go and what they ask for may change. */
function validateTemplateUpdate(old: Stored, spec: Fields, before: Fields, findings: Findings): void {
  const [template, oldTemplate] = [objectAt(spec, 'template') ?? {}, objectAt(before, 'template') ?? {}];
  const isSuspended = before['suspend'] === true;
  const hasRun = objectAt(old, 'status')?.['startTime'] !== undefined;
  if (!isSuspended || hasRun) {
    findings.immutable(SPEC.child('template'), template, oldTemplate);
    return;
  }
  const [pod, oldPod] = [objectAt(template, 'spec') ?? {}, objectAt(oldTemplate, 'spec') ?? {}];
  if (!deepEqual(withoutScheduling(pod), withoutScheduling(oldPod)))
    findings.invalid(SPEC.child('template.spec'), pod, 'field is immutable');
}

function withoutScheduling(pod: Fields): Fields {
  const { nodeSelector: _selector, tolerations: _tolerations, schedulingGates: _gates, ...rest } = pod;
  const { nodeAffinity: _node, ...affinity } = objectAt(pod, 'affinity') ?? {};
  const bare: Fields = { ...rest, affinity };
  for (const list of ['containers', 'initContainers'])
    bare[list] = objectsAt(pod, list).map(({ resources: _resources, ...container }) => container);
  return bare;
}

function validateCronJob(job: Stored, old: Stored | undefined, findings: Findings): void {
  const spec = objectAt(job, 'spec') ?? {};
  const before = objectAt(old, 'spec');
  const schedule = textAt(spec, 'schedule');
  if (schedule === '') findings.required(SPEC.child('schedule'));
  else
    validateSchedule(
      schedule,
      { hadZone: textAt(before, 'schedule').includes('TZ'), timeZone: spec['timeZone'] },
      SPEC.child('schedule'),
      findings,
    );
  findings.noneNegative(SPEC, spec, [
    'startingDeadlineSeconds',
    'successfulJobsHistoryLimit',
    'failedJobsHistoryLimit',
  ]);
  if (before === undefined || before['timeZone'] !== spec['timeZone'])
    validateTimeZone(spec['timeZone'], SPEC.child('timeZone'), findings);
  findings.oneOf(SPEC.child('concurrencyPolicy'), spec['concurrencyPolicy'], ['Allow', 'Forbid', 'Replace']);
  const jobSpec = objectAt(objectAt(spec, 'jobTemplate'), 'spec') ?? {};
  const path = SPEC.child('jobTemplate', 'spec');
  validateJobSpec(jobSpec, path, findings);
  if (jobSpec['selector'] !== undefined)
    findings.invalid(path.child('selector'), jobSpec['selector'], '`selector` will be auto-generated');
  if (jobSpec['manualSelector'] === true)
    findings.notSupported(path.child('manualSelector'), true, ['nil', 'false']);
}
