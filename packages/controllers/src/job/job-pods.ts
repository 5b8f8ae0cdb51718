import { type Cached, deepCopy, isBeingDeleted, isConditionTrue, parseTime } from '@windlass/apimachinery';
import { Job } from '@windlass/apimachinery/api/batch/v1';
import type { Container, Pod, PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import { annotationsOf } from '../shared/meta.ts';
import { podFromTemplate } from '../shared/pod-control.ts';
import type { ReadonlyPod } from '../shared/pods.ts';

export type ReadonlyJob = Cached<Job>;

/** A pod that has it has not been counted. */
export const TRACKING = 'batch.kubernetes.io/job-tracking';
export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';
export const INDEX_FAILURES = 'batch.kubernetes.io/job-index-failure-count';
export const INDEX_IGNORED_FAILURES = 'batch.kubernetes.io/job-index-ignored-failure-count';

const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';
const MAX_GENERATED_PREFIX = 58;

export const isIndexed = ({ spec }: ReadonlyJob): boolean => spec?.completionMode === 'Indexed';

/** It is over, well or badly, and nothing about it changes any more. */
export function isFinished({ status }: ReadonlyJob): boolean {
  return isConditionTrue(status?.conditions, 'Complete') || isConditionTrue(status?.conditions, 'Failed');
}

export const isTracked = (pod: ReadonlyPod): boolean => pod.metadata?.finalizers?.includes(TRACKING) === true;

export function indexOf(pod: ReadonlyPod): number | undefined {
  const text = annotationsOf(pod)[COMPLETION_INDEX];
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}

export function failuresOfIndex(pod: ReadonlyPod, annotation = INDEX_FAILURES): number {
  const text = annotationsOf(pod)[annotation];
  return text === undefined || !/^\d+$/.test(text) ? 0 : Number(text);
}

/** Whether a pod that goes makes room for another one at once; else only when it has ended. */
export const replacesTerminating = ({ spec }: ReadonlyJob): boolean =>
  spec?.podReplacementPolicy !== 'Failed';

/** One that is deleted before it has succeeded has failed, or one that never ran would be waited for for ever. */
export function hasFailed(pod: ReadonlyPod, job: ReadonlyJob): boolean {
  if (pod.status?.phase === 'Failed') return true;
  return replacesTerminating(job) && isBeingDeleted(pod) && pod.status?.phase !== 'Succeeded';
}

/** When it ended, as well as one can tell. */
export function finishedAt(pod: ReadonlyPod, now: number): number {
  const ends = (pod.status?.containerStatuses ?? []).flatMap(({ state }) =>
    state?.terminated?.finishedAt ? [parseTime(state.terminated.finishedAt)] : [],
  );
  if (ends.length > 0) return Math.max(...ends);
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
  if (ready) return parseTime(ready);
  return pod.metadata?.deletionTimestamp === undefined ? now : parseTime(pod.metadata.deletionTimestamp);
}

export interface NewPodOptions {
  readonly index?: number;
  /** With a limit for each index: what the index has behind it. */
  readonly failures?: number;
  readonly ignoredFailures?: number;
}

export function newPod(job: ReadonlyJob, { index, failures, ignoredFailures }: NewPodOptions = {}): Pod {
  const template = deepCopy<PodTemplateSpec>(job.spec?.template ?? {});
  const pod = podFromTemplate<Job>(template, job, Job);
  pod.metadata = {
    ...pod.metadata,
    finalizers: [...new Set([...(pod.metadata?.finalizers ?? []), TRACKING])],
  };
  if (index === undefined) return pod;
  const prefix = `${job.metadata.name.slice(0, MAX_GENERATED_PREFIX - `-${index}-`.length)}-${index}-`;
  pod.metadata = {
    ...pod.metadata,
    generateName: prefix,
    labels: { ...pod.metadata.labels, [COMPLETION_INDEX]: String(index) },
    annotations: {
      ...pod.metadata.annotations,
      [COMPLETION_INDEX]: String(index),
      ...(failures !== undefined && { [INDEX_FAILURES]: String(failures) }),
      ...(ignoredFailures !== undefined &&
        ignoredFailures > 0 && { [INDEX_IGNORED_FAILURES]: String(ignoredFailures) }),
    },
  };
  if (pod.spec !== undefined) {
    pod.spec.hostname = `${job.metadata.name}-${index}`;
    for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers])
      tellIndex(container);
  }
  return pod;
}

function tellIndex(container: Container): void {
  if (container.env?.some(({ name }) => name === INDEX_VARIABLE) === true) return;
  const fieldPath = `metadata.labels['${COMPLETION_INDEX}']`;
  container.env = [
    ...(container.env ?? []),
    { name: INDEX_VARIABLE, valueFrom: { fieldRef: { fieldPath } } },
  ];
}
