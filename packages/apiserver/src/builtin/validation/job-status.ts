import { FieldPath } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { conditionOf, numberAt, textAt, textsAt } from '../printers/columns.ts';
import { objectAt } from '../values.ts';
import type { Findings } from './findings.ts';
import { indexesProblem } from './indexes.ts';

const STATUS = FieldPath.of('status');
const CONDITIONS = STATUS.child('conditions');

const isTrue = (job: Stored, type: string): boolean => conditionOf(job, type)?.['status'] === 'True';

/** What a controller may report of a job. Rules hold for what it changes, not for what was there before. */
export function validateJobStatus(job: Stored, old: Stored, findings: Findings): void {
  const status = objectAt(job, 'status') ?? {};
  const before = objectAt(old, 'status') ?? {};
  const spec = objectAt(job, 'spec') ?? {};
  findings.noneNegative(STATUS, status, ['active', 'succeeded', 'failed', 'ready', 'terminating']);
  validateUncounted(status, findings);
  const isComplete = isTrue(job, 'Complete');
  const isFailed = isTrue(job, 'Failed');
  const isFinished = isComplete || isFailed;
  const refuse = (problem: string): void => findings.invalid(CONDITIONS, undefined, problem);
  if (isComplete && isFailed) refuse('cannot set Complete=True and Failed=true conditions');
  if (isComplete && isTrue(job, 'FailureTarget'))
    refuse('cannot set Complete=True and FailureTarget=true conditions');
  validateTimes(status, before, { isComplete, isFinished, isSuspended: spec['suspend'] === true }, findings);
  if (isFailed && !isTrue(job, 'FailureTarget') && !isTrue(old, 'Failed'))
    refuse('cannot set Failed=True condition without the FailureTarget=true condition');
  if (isComplete && !isTrue(job, 'SuccessCriteriaMet') && !isTrue(old, 'Complete'))
    refuse('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  if (isFinished && numberAt(status, 'active') > 0)
    findings.invalid(STATUS.child('active'), status['active'], 'active>0 is invalid for finished job');
  const uncounted = objectAt(status, 'uncountedTerminatedPods');
  if (isFinished && textsAt(uncounted, 'failed').length + textsAt(uncounted, 'succeeded').length > 0)
    findings.invalid(STATUS.child('uncountedTerminatedPods'), uncounted, 'must be empty for finished job');
  validateIndexes(job, findings);
  if (isFinished && numberAt(status, 'terminating') > 0)
    findings.invalid(
      STATUS.child('terminating'),
      status['terminating'],
      'terminating>0 is invalid for finished job',
    );
  if (numberAt(status, 'ready') > numberAt(status, 'active'))
    findings.invalid(STATUS.child('ready'), status['ready'], 'cannot set more ready pods than active');
  if (isTrue(job, 'SuccessCriteriaMet')) {
    if (isFailed) refuse('cannot set SuccessCriteriaMet=True and Failed=true conditions');
    if (isTrue(job, 'FailureTarget'))
      refuse('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
  }
  for (const type of ['Failed', 'Complete', 'FailureTarget'])
    if (isTrue(old, type) && !isTrue(job, type)) refuse(`cannot disable the terminal ${type}=True condition`);
  for (const field of ['failed', 'succeeded'])
    if (numberAt(status, field) < numberAt(before, field))
      findings.invalid(STATUS.child(field), numberAt(status, field), `cannot decrease the ${field} counter`);
  if (isTrue(old, 'SuccessCriteriaMet') && !isTrue(job, 'SuccessCriteriaMet'))
    refuse('cannot disable the SuccessCriteriaMet=True condition');
}

function validateUncounted(status: Readonly<Record<string, unknown>>, findings: Findings): void {
  const seen = new Set<string>();
  for (const field of ['succeeded', 'failed']) {
    for (const [index, uid] of textsAt(objectAt(status, 'uncountedTerminatedPods'), field).entries()) {
      const path = STATUS.child('uncountedTerminatedPods', field).index(index);
      if (uid === '') findings.invalid(path, uid, 'must not be empty');
      else if (seen.has(uid)) findings.duplicate(path, uid);
      seen.add(uid);
    }
  }
}

function validateTimes(
  status: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
  { isComplete, isFinished, isSuspended }: { isComplete: boolean; isFinished: boolean; isSuspended: boolean },
  findings: Findings,
): void {
  const [start, end] = [textAt(status, 'startTime'), textAt(status, 'completionTime')];
  const path = STATUS.child('completionTime');
  if (end !== '' && !isComplete)
    findings.invalid(path, end, 'cannot set completionTime when there is no Complete=True condition');
  if (end === '' && isComplete) findings.required(path, 'completionTime is required for Complete jobs');
  if (start !== '' && end !== '' && Date.parse(end) < Date.parse(start))
    findings.invalid(path, end, 'must be equal to or after `startTime`');
  if (start === '' && isFinished)
    findings.required(STATUS.child('startTime'), 'startTime is required for finished job');
  if (end !== '' && textAt(before, 'completionTime') !== '' && end !== textAt(before, 'completionTime'))
    findings.invalid(path, end, 'field is immutable');
  if (textAt(before, 'startTime') !== '' && textAt(before, 'startTime') !== start && !isSuspended)
    findings.invalid(
      STATUS.child('startTime'),
      start === '' ? null : start,
      'field is immutable for unsuspended job once set',
    );
}

function validateIndexes(job: Stored, findings: Findings): void {
  const spec = objectAt(job, 'spec') ?? {};
  const status = objectAt(job, 'status') ?? {};
  const { completions } = spec;
  const completed = textAt(status, 'completedIndexes');
  const failed = status['failedIndexes'];
  if (typeof completions === 'number') {
    const problem = indexesProblem(completed, completions);
    if (typeof problem === 'string')
      findings.invalid(
        STATUS.child('completedIndexes'),
        completed,
        `error parsing completedIndexes: ${problem}`,
      );
    if (spec['backoffLimitPerIndex'] !== undefined && typeof failed === 'string') {
      const why = indexesProblem(failed, completions);
      if (typeof why === 'string')
        findings.invalid(STATUS.child('failedIndexes'), failed, `error parsing failedIndexes: ${why}`);
    }
  }
  if (completed !== '' && spec['completionMode'] !== 'Indexed')
    findings.invalid(
      STATUS.child('completedIndexes'),
      completed,
      'cannot set non-empty completedIndexes when non-indexed completion mode',
    );
  if (failed !== undefined && spec['backoffLimitPerIndex'] === undefined)
    findings.invalid(
      STATUS.child('failedIndexes'),
      failed,
      'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
    );
}
