import { FieldPath } from '@windlass/apimachinery';
import type { Job, JobStatus } from '@windlass/apimachinery/api/batch/v1';
import type { View } from '../../../resource/views.ts';
import { isConditionTrue } from '../../shared/columns.ts';
import type { Findings } from '../../shared/findings.ts';
import { indexesProblem } from './indexes.ts';

const STATUS = FieldPath.of('status');
const CONDITIONS = STATUS.child('conditions');

const isTrue = ({ status }: View<Job>, type: string): boolean => isConditionTrue(status?.conditions, type);

/** What a controller may report of a job. Rules hold for what it changes, not for what was there before. */
export function validateJobStatus(job: View<Job>, old: View<Job>, findings: Findings): void {
  const [status, before] = [job.status ?? {}, old.status ?? {}];
  const { active = 0, ready = 0, terminating = 0, uncountedTerminatedPods: uncounted } = status;
  findings.noneNegative(STATUS, status, ['active', 'succeeded', 'failed', 'ready', 'terminating']);
  validateUncounted(status, findings);
  const isComplete = isTrue(job, 'Complete');
  const isFailed = isTrue(job, 'Failed');
  const isFinished = isComplete || isFailed;
  const refuse = (problem: string): void => findings.invalid(CONDITIONS, undefined, problem);
  if (isComplete && isFailed) refuse('cannot set Complete=True and Failed=true conditions');
  if (isComplete && isTrue(job, 'FailureTarget'))
    refuse('cannot set Complete=True and FailureTarget=true conditions');
  validateTimes(
    status,
    before,
    { isComplete, isFinished, isSuspended: job.spec?.suspend === true },
    findings,
  );
  if (isFailed && !isTrue(job, 'FailureTarget') && !isTrue(old, 'Failed'))
    refuse('cannot set Failed=True condition without the FailureTarget=true condition');
  if (isComplete && !isTrue(job, 'SuccessCriteriaMet') && !isTrue(old, 'Complete'))
    refuse('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  if (isFinished && active > 0)
    findings.invalid(STATUS.child('active'), active, 'active>0 is invalid for finished job');
  if (isFinished && (uncounted?.failed ?? []).length + (uncounted?.succeeded ?? []).length > 0)
    findings.invalid(STATUS.child('uncountedTerminatedPods'), uncounted, 'must be empty for finished job');
  validateIndexes(job, findings);
  if (isFinished && terminating > 0)
    findings.invalid(STATUS.child('terminating'), terminating, 'terminating>0 is invalid for finished job');
  if (ready > active)
    findings.invalid(STATUS.child('ready'), status.ready, 'cannot set more ready pods than active');
  if (isTrue(job, 'SuccessCriteriaMet')) {
    if (isFailed) refuse('cannot set SuccessCriteriaMet=True and Failed=true conditions');
    if (isTrue(job, 'FailureTarget'))
      refuse('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  }
  for (const type of ['Failed', 'Complete', 'FailureTarget'])
    if (isTrue(old, type) && !isTrue(job, type)) refuse(`cannot disable the terminal ${type}=True condition`);
  for (const field of ['failed', 'succeeded'] as const)
    if ((status[field] ?? 0) < (before[field] ?? 0))
      findings.invalid(STATUS.child(field), status[field] ?? 0, `cannot decrease the ${field} counter`);
  if (isTrue(old, 'SuccessCriteriaMet') && !isTrue(job, 'SuccessCriteriaMet'))
    refuse('cannot disable the SuccessCriteriaMet=True condition');
}

function validateUncounted({ uncountedTerminatedPods: pods }: View<JobStatus>, findings: Findings): void {
  const seen = new Set<string>();
  for (const field of ['succeeded', 'failed'] as const) {
    for (const [index, uid] of (pods?.[field] ?? []).entries()) {
      const path = STATUS.child('uncountedTerminatedPods', field).index(index);
      if (uid === '') findings.invalid(path, uid, 'must not be empty');
      else if (seen.has(uid)) findings.duplicate(path, uid);
      seen.add(uid);
    }
  }
}

function validateTimes(
  status: View<JobStatus>,
  before: View<JobStatus>,
  { isComplete, isFinished, isSuspended }: { isComplete: boolean; isFinished: boolean; isSuspended: boolean },
  findings: Findings,
): void {
  const [start, end] = [status.startTime ?? '', status.completionTime ?? ''];
  const [oldStart, oldEnd] = [before.startTime ?? '', before.completionTime ?? ''];
  const path = STATUS.child('completionTime');
  if (end !== '' && !isComplete)
    findings.invalid(path, end, 'cannot set completionTime when there is no Complete=True condition');
  if (end === '' && isComplete) findings.required(path, 'completionTime is required for Complete jobs');
  if (start !== '' && end !== '' && Date.parse(end) < Date.parse(start))
    findings.invalid(path, end, 'must be equal to or after `startTime`');
  if (start === '' && isFinished)
    findings.required(STATUS.child('startTime'), 'startTime is required for finished job');
  if (end !== '' && oldEnd !== '' && end !== oldEnd) findings.invalid(path, end, 'field is immutable');
  if (oldStart !== '' && oldStart !== start && !isSuspended)
    findings.invalid(
      STATUS.child('startTime'),
      start === '' ? null : start,
      'field is immutable for unsuspended job once set',
    );
}

function validateIndexes({ spec = {}, status = {} }: View<Job>, findings: Findings): void {
  const { completions, backoffLimitPerIndex, completionMode } = spec;
  const { completedIndexes: completed = '', failedIndexes: failed } = status;
  if (completions !== undefined) {
    const problem = indexesProblem(completed, completions);
    if (typeof problem === 'string')
      findings.invalid(
        STATUS.child('completedIndexes'),
        completed,
        `error parsing completedIndexes: ${problem}`,
      );
    if (backoffLimitPerIndex !== undefined && failed !== undefined) {
      const why = indexesProblem(failed, completions);
      if (typeof why === 'string')
        findings.invalid(STATUS.child('failedIndexes'), failed, `error parsing failedIndexes: ${why}`);
    }
  }
  if (completed !== '' && completionMode !== 'Indexed')
    findings.invalid(
      STATUS.child('completedIndexes'),
      completed,
      'cannot set non-empty completedIndexes when non-indexed completion mode',
    );
  if (failed !== undefined && backoffLimitPerIndex === undefined)
    findings.invalid(
      STATUS.child('failedIndexes'),
      failed,
      'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
    );
}
