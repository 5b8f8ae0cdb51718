import { deepEqual, FieldPath } from '@windlass/apimachinery';
import type { Job, JobStatus } from '@windlass/apimachinery/api/batch/v1';
import type { View } from '../../../resource/views.ts';
import { isConditionTrue } from '../../shared/columns.ts';
import type { Findings } from '../../shared/findings.ts';
import { commonIndex, indexesProblem } from './indexes.ts';

const STATUS = FieldPath.of('status');
const CONDITIONS = STATUS.child('conditions');

const isTrue = ({ status }: View<Job>, type: string): boolean => isConditionTrue(status?.conditions, type);
const isFinished = (job: View<Job>): boolean => isTrue(job, 'Complete') || isTrue(job, 'Failed');

/**
 * What a controller may report of a job. Most rules hold only for what it changes: what was wrong before, or has become
 * so by a change of the spec, does not keep it from reporting something else.
 */
export function validateJobStatus(job: View<Job>, old: View<Job>, findings: Findings): void {
  const [status, before] = [job.status ?? {}, old.status ?? {}];
  findings.noneNegative(STATUS, status, ['active', 'succeeded', 'failed', 'ready', 'terminating']);
  validateUncounted(status, findings);
  validateOutcome(job, old, findings);
  validateTimes(job, old, findings);
  validateCounts(job, old, findings);
  validateIndexes(job, before, findings);
  for (const type of ['Failed', 'Complete', 'FailureTarget', 'SuccessCriteriaMet'])
    if (isTrue(old, type) && !isTrue(job, type))
      findings.invalid(
        CONDITIONS,
        undefined,
        `cannot disable the ${type === 'SuccessCriteriaMet' ? '' : 'terminal '}${type}=True condition`,
      );
}

/** Which conditions may be true together. */
function validateOutcome(job: View<Job>, old: View<Job>, findings: Findings): void {
  const refuse = (problem: string): void => findings.invalid(CONDITIONS, undefined, problem);
  const changed = (...types: readonly string[]): boolean =>
    types.some((type) => isTrue(job, type) !== isTrue(old, type));
  const [isComplete, isFailed] = [isTrue(job, 'Complete'), isTrue(job, 'Failed')];
  const [isFailing, isMet] = [isTrue(job, 'FailureTarget'), isTrue(job, 'SuccessCriteriaMet')];
  if (isComplete && isFailed && changed('Complete', 'Failed'))
    refuse('cannot set Complete=True and Failed=true conditions');
  if (isComplete && isFailing && changed('Complete', 'FailureTarget'))
    refuse('cannot set Complete=True and FailureTarget=true conditions');
  const hasOtherFailures = job.status?.failedIndexes !== old.status?.failedIndexes;
  if (isFailed && !isFailing && (changed('Failed') || hasOtherFailures))
    refuse('cannot set Failed=True condition without the FailureTarget=true condition');
  if (isComplete && !isMet && changed('Complete', 'SuccessCriteriaMet'))
    refuse('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  if (isMet && isFailed) refuse('cannot set SuccessCriteriaMet=True and Failed=true conditions');
  if (isMet && isFailing) refuse('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  if (job.spec?.successPolicy !== undefined && !isMet && isComplete)
    refuse('cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True');
  if (isTrue(old, 'Complete') && !isTrue(old, 'SuccessCriteriaMet') && isMet)
    refuse('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions');
}

function validateCounts(job: View<Job>, old: View<Job>, findings: Findings): void {
  const [status, before] = [job.status ?? {}, old.status ?? {}];
  const { active = 0, ready, terminating = 0, uncountedTerminatedPods: uncounted } = status;
  const isOver = isFinished(job);
  const isNews = isOver !== isFinished(old);
  const isActiveChanged = active !== (before.active ?? 0);
  if (isOver && active > 0 && (isNews || isActiveChanged))
    findings.invalid(STATUS.child('active'), active, 'active>0 is invalid for finished job');
  const hasUncounted = (uncounted?.failed ?? []).length + (uncounted?.succeeded ?? []).length > 0;
  if (isOver && hasUncounted && (isNews || !deepEqual(uncounted, before.uncountedTerminatedPods)))
    findings.invalid(STATUS.child('uncountedTerminatedPods'), uncounted, 'must be empty for finished job');
  if (isOver && terminating > 0 && (isNews || terminating !== before.terminating))
    findings.invalid(STATUS.child('terminating'), terminating, 'terminating>0 is invalid for finished job');
  if (ready !== undefined && ready > active && (ready !== before.ready || isActiveChanged))
    findings.invalid(STATUS.child('ready'), ready, 'cannot set more ready pods than active');
  const { completionMode, completions, parallelism } = job.spec ?? {};
  // Such a job may be scaled down, and then has fewer indexes that succeeded.
  const isElastic = completionMode === 'Indexed' && completions === parallelism;
  for (const field of isElastic ? (['failed'] as const) : (['failed', 'succeeded'] as const))
    if ((status[field] ?? 0) < (before[field] ?? 0))
      findings.invalid(STATUS.child(field), status[field] ?? 0, `cannot decrease the ${field} counter`);
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

function validateTimes(job: View<Job>, old: View<Job>, findings: Findings): void {
  const [start, end] = [job.status?.startTime ?? '', job.status?.completionTime ?? ''];
  const [oldStart, oldEnd] = [old.status?.startTime ?? '', old.status?.completionTime ?? ''];
  const isComplete = isTrue(job, 'Complete');
  const [isStartChanged, isEndChanged] = [start !== oldStart, end !== oldEnd];
  const path = STATUS.child('completionTime');
  if (isEndChanged || isComplete !== isTrue(old, 'Complete')) {
    if (end !== '' && !isComplete)
      findings.invalid(path, end, 'cannot set completionTime when there is no Complete=True condition');
    if (end === '' && isComplete) findings.required(path, 'completionTime is required for Complete jobs');
  }
  const isEarly = start !== '' && end !== '' && Date.parse(end) < Date.parse(start);
  if (isEarly && (isStartChanged || isEndChanged))
    findings.invalid(path, end, 'must be equal to or after `startTime`');
  const { suspend = false, completions } = job.spec ?? {};
  const isNews = isFinished(job) !== isFinished(old) || isStartChanged;
  if (start === '' && isFinished(job) && isNews && !(suspend && completions === 0))
    findings.required(STATUS.child('startTime'), 'startTime is required for finished job');
  if (end !== '' && oldEnd !== '' && isEndChanged) findings.invalid(path, end, 'field is immutable');
  const { conditions = [] } = job.status ?? {};
  const isResumed =
    isTrue(old, 'Suspended') &&
    (conditions ?? []).some(({ type, status }) => type === 'Suspended' && status === 'False');
  if (oldStart !== '' && isStartChanged && !isResumed && !suspend)
    findings.invalid(
      STATUS.child('startTime'),
      start === '' ? null : start,
      'field is immutable for unsuspended job once set',
    );
}

function validateIndexes(
  { spec = {}, status = {} }: View<Job>,
  before: View<JobStatus>,
  findings: Findings,
): void {
  const { completions, backoffLimitPerIndex, completionMode } = spec;
  const { completedIndexes: completed = '', failedIndexes: failed } = status;
  if (completed !== (before.completedIndexes ?? '')) {
    const at = STATUS.child('completedIndexes');
    const problem = completions === undefined ? 0 : indexesProblem(completed, completions);
    if (typeof problem === 'string')
      findings.invalid(at, completed, `error parsing completedIndexes: ${problem}`);
    if (completed !== '' && completionMode !== 'Indexed')
      findings.invalid(
        at,
        completed,
        'cannot set non-empty completedIndexes when non-indexed completion mode',
      );
  }
  if (failed === undefined) return;
  const at = STATUS.child('failedIndexes');
  if (failed !== before.failedIndexes) {
    const isLooked = completions !== undefined && backoffLimitPerIndex !== undefined;
    const problem = isLooked ? indexesProblem(failed, completions) : 0;
    if (typeof problem === 'string') findings.invalid(at, failed, `error parsing failedIndexes: ${problem}`);
    if (backoffLimitPerIndex === undefined)
      findings.invalid(at, failed, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null');
  }
  if (completions === undefined) return;
  if (failed === before.failedIndexes && completed === (before.completedIndexes ?? '')) return;
  const common = commonIndex(completed, failed, completions);
  if (common !== undefined)
    findings.invalid(at, failed, `failedIndexes and completedIndexes overlap at index: ${common}`);
}
