import { FieldPath } from '@windlass/apimachinery';
import type { CronJob } from '@windlass/apimachinery/api/batch/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateJobSpec } from '../job/spec-validation.ts';
import { validateSchedule, validateTimeZone } from './schedule-validation.ts';

const SPEC = FieldPath.of('spec');
const MAX_NAME = 52;

export const cronJobValidation: ValidationOf<CronJob> = {
  create(job, findings) {
    validateCronJob(job, undefined, findings);
    const name = job.metadata?.name ?? '';
    if (name.length > MAX_NAME)
      findings.invalid(FieldPath.of('metadata', 'name'), name, `must be no more than ${MAX_NAME} characters`);
  },
  update: validateCronJob,
};

function validateCronJob(
  { spec = {} }: View<CronJob>,
  old: View<CronJob> | undefined,
  findings: Findings,
): void {
  const { schedule = '', timeZone } = spec;
  if (schedule === '') findings.required(SPEC.child('schedule'));
  else
    validateSchedule(
      schedule,
      { hadZone: (old?.spec?.schedule ?? '').includes('TZ'), timeZone },
      SPEC.child('schedule'),
      findings,
    );
  findings.noneNegative(SPEC, spec, [
    'startingDeadlineSeconds',
    'successfulJobsHistoryLimit',
    'failedJobsHistoryLimit',
  ]);
  if (old?.spec === undefined || old.spec.timeZone !== timeZone)
    validateTimeZone(timeZone, SPEC.child('timeZone'), findings);
  findings.oneOf(SPEC.child('concurrencyPolicy'), spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']);
  const { spec: job = {} } = spec.jobTemplate ?? {};
  const path = SPEC.child('jobTemplate', 'spec');
  validateJobSpec(job, path, findings);
  if (job.selector !== undefined)
    findings.invalid(path.child('selector'), job.selector, '`selector` will be auto-generated');
  if (job.manualSelector === true)
    findings.notSupported(path.child('manualSelector'), true, ['nil', 'false']);
}
