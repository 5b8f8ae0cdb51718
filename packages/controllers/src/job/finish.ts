import { findCondition, parseTime } from '@windlass/apimachinery';
import type { ReadonlyPod } from '../shared/pods.ts';
import type { Account } from './accounting.ts';
import { isIndexed, type ReadonlyJob } from './job-pods.ts';
import { judgeFailure, successMessage } from './policies.ts';

/** That a job is over, and why. */
export interface Finish {
  readonly type: 'SuccessCriteriaMet' | 'FailureTarget';
  readonly reason: string;
  readonly message: string;
}

const fail = (reason: string, message: string): Finish => ({ type: 'FailureTarget', reason, message });

/** Why the job is over, whatever its pods do now. What was decided once stays so. */
export function finishOf(
  job: ReadonlyJob,
  pods: readonly ReadonlyPod[],
  account: Account,
  startTime: string | undefined,
  now: number,
): Finish | undefined {
  const { spec, status } = job;
  for (const type of ['SuccessCriteriaMet', 'FailureTarget'] as const) {
    const decided = findCondition(status?.conditions, type);
    if (decided?.status === 'True')
      return { type, reason: decided.reason ?? '', message: decided.message ?? '' };
  }
  for (const pod of pods) {
    const { action, message } = judgeFailure(job, pod);
    if (action === 'FailJob') return fail('PodFailurePolicy', message);
  }
  const limit = spec?.backoffLimit ?? 6;
  if (account.failed > limit || hasRestartedTooOften(job, pods, limit))
    return fail('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  const deadline = spec?.activeDeadlineSeconds;
  if (deadline !== undefined && startTime !== undefined && spec?.suspend !== true)
    if (now - parseTime(startTime) >= deadline * 1000)
      return fail('DeadlineExceeded', 'Job was active longer than specified deadline');
  if (spec?.maxFailedIndexes !== undefined && account.failedIndexes.size > spec.maxFailedIndexes)
    return fail(
      'MaxFailedIndexesExceeded',
      'Job has exceeded the specified maximal number of failed indexes',
    );
  // Every index is over, and a success policy does not make up for one that failed.
  const failed = account.failedIndexes.size;
  if (failed > 0 && failed + account.succeededIndexes.size >= (spec?.completions ?? 0))
    return fail('FailedIndexes', 'Job has failed indexes');
  if (isIndexed(job) && spec?.successPolicy !== undefined) {
    const message = successMessage(spec.successPolicy.rules, account.succeededIndexes, spec.completions ?? 0);
    if (message !== undefined) return { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message };
  }
  return undefined;
}

/** That a job has enough successes and no pod is left. */
export function completionOf(job: ReadonlyJob, account: Account, active: number): Finish | undefined {
  const completions = job.spec?.completions;
  if (active > 0) return undefined;
  const done = completions === undefined ? account.succeeded > 0 : account.succeeded >= completions;
  if (done)
    return {
      type: 'SuccessCriteriaMet',
      reason: 'CompletionsReached',
      message: 'Reached expected number of succeeded pods',
    };
  return undefined;
}

/** Pods that restart in place fail without ever ending. */
function hasRestartedTooOften({ spec }: ReadonlyJob, pods: readonly ReadonlyPod[], limit: number): boolean {
  if (spec?.template.spec?.restartPolicy !== 'OnFailure') return false;
  const restarts = pods
    .filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending')
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  return limit === 0 ? restarts > 0 : restarts >= limit;
}
