import type { FieldPath } from '@windlass/apimachinery';
import type { JobSpec } from '@windlass/apimachinery/api/batch/v1';
import type { View } from '../../../resource/views.ts';
import { validateTemplate } from '../../core/pod-spec/template.ts';
import { validateDomainPath } from '../../shared/domain-path.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateFailurePolicy } from './failure-policy-validation.ts';
import { validateSuccessPolicy } from './success-policy-validation.ts';

const MAX_PARALLELISM = 100_000;
const MANY = 100_000;
const MAX_OF_MANY = 10_000;
const MAX_MANAGED_BY = 63;
const INDEXED = 'requires indexed completion mode';

/** What every job needs, and a template of jobs with it. */
export function validateJobSpec(spec: View<JobSpec>, path: FieldPath, findings: Findings): void {
  findings.noneNegative(path, spec, [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ]);
  const { managedBy, completionMode: mode, podFailurePolicy, template } = spec;
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined)
    findings.required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified');
  if (managedBy !== undefined) {
    validateDomainPath(managedBy, path.child('managedBy'), findings);
    if (Buffer.byteLength(managedBy) > MAX_MANAGED_BY)
      findings.tooLong(path.child('managedBy'), MAX_MANAGED_BY);
  }
  findings.oneOf(path.child('completionMode'), mode, ['NonIndexed', 'Indexed']);
  if (mode === 'Indexed') validateIndexed(spec, path, findings);
  else if (mode === undefined || mode === 'NonIndexed')
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const)
      if (spec[field] !== undefined) findings.invalid(path.child(field), spec[field], INDEXED);
  validatePolicies(spec, path, findings);
  findings.oneOf(
    path.child('podReplacementPolicy'),
    spec.podReplacementPolicy,
    podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'],
  );
  validateTemplate(template, path.child('template'), findings);
  validateRestart(spec, path.child('template', 'spec', 'restartPolicy'), findings);
}

function validatePolicies(spec: View<JobSpec>, path: FieldPath, findings: Findings): void {
  validateFailurePolicy(spec, path.child('podFailurePolicy'), findings);
  const { successPolicy, completionMode, completions = 0 } = spec;
  const at = path.child('successPolicy');
  if (successPolicy === undefined) return;
  if (completionMode !== 'Indexed') findings.invalid(at, successPolicy, INDEXED);
  else validateSuccessPolicy(successPolicy, completions, at.child('rules'), findings);
}

function validateRestart(
  { template, podFailurePolicy }: View<JobSpec>,
  path: FieldPath,
  findings: Findings,
): void {
  const policy = template?.spec?.restartPolicy ?? '';
  if (policy === 'Always' || policy === '') findings.required(path, 'valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never')
    findings.notSupported(path, policy, ['OnFailure', 'Never']);
  else if (podFailurePolicy !== undefined && policy !== 'Never')
    findings.invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified');
}

function validateIndexed(spec: View<JobSpec>, path: FieldPath, findings: Findings): void {
  const { completions, parallelism, maxFailedIndexes: failed } = spec;
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
  if (completions === undefined || completions <= MANY || spec.backoffLimitPerIndex === undefined) return;
  const many = `must be less than or equal to ${MAX_OF_MANY} when completions are above ${MANY} and used with backoff limit per index`;
  if (failed === undefined) findings.required(at, `must be specified when completions is above ${MANY}`);
  if (parallelism !== undefined && parallelism > MAX_OF_MANY)
    findings.invalid(path.child('parallelism'), parallelism, many);
  if (failed !== undefined && failed > MAX_OF_MANY) findings.invalid(at, failed, many);
}
