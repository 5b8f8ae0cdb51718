import { humanDuration } from '@windlass/apimachinery';
import type { Job } from '@windlass/apimachinery/api/batch/v1';
import type { View } from '../../../resource/views.ts';
import { containerCells, SELECTED_CONTAINERS } from '../../core/pod-spec/columns.ts';
import type { PrinterOf } from '../../define-kind.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  isConditionTrue,
  printer,
  selectorText,
  timeOf,
} from '../../shared/columns.ts';

export const jobPrinter: PrinterOf<Job> = printer(
  [column('Status'), column('Completions'), column('Duration'), AGE_COLUMN, ...SELECTED_CONTAINERS],
  (job, now) => [
    statusText(job),
    completionsText(job),
    durationText(job, now),
    ageOf(job, now),
    ...containerCells(job.spec?.template?.spec),
    selectorText(job.spec?.selector),
  ],
);

function statusText({ metadata, status }: View<Job>): string {
  const isTrue = (type: string): boolean => isConditionTrue(status?.conditions, type);
  if (isTrue('Complete')) return 'Complete';
  if (isTrue('Failed')) return 'Failed';
  if (metadata?.deletionTimestamp !== undefined) return 'Terminating';
  if (isTrue('Suspended')) return 'Suspended';
  return isTrue('FailureTarget') ? 'FailureTarget' : 'Running';
}

function completionsText({ spec, status }: View<Job>): string {
  const { completions, parallelism = 0 } = spec ?? {};
  const succeeded = status?.succeeded ?? 0;
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText({ status }: View<Job>, now: number): string {
  const start = timeOf(status?.startTime);
  if (start === undefined) return '';
  return humanDuration((timeOf(status?.completionTime) ?? now) - start);
}
