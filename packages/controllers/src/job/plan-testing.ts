// Jobs and pods for the tests of plans.

import { formatTime, type Served } from '@windlass/apimachinery';
import { Job, type JobSpec, type JobStatus } from '@windlass/apimachinery/api/batch/v1';
import { Pod, type PodStatus } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { annotationsOf } from '../shared/meta.ts';
import { COMPLETION_INDEX, INDEX_FAILURES, TRACKING } from './job-pods.ts';
import type { JobPlan } from './plan.ts';

export const NOW = Date.UTC(2026, 0, 1, 12);
export const ago = (seconds: number): string => formatTime(NOW - seconds * 1000);

interface PodParts {
  readonly index?: number;
  readonly failures?: number;
  readonly isDeleted?: boolean;
  readonly isReady?: boolean;
  readonly isTracked?: boolean;
  readonly restarts?: number;
  readonly initRestarts?: number;
  readonly endedAgo?: number;
  readonly exitCode?: number;
}

export function pod(name: string, phase: NonNullable<PodStatus['phase']>, parts: PodParts = {}): Served<Pod> {
  const { index, failures, isDeleted = false, isReady = false, isTracked = true, restarts = 0 } = parts;
  const { initRestarts, endedAgo = 0, exitCode = phase === 'Failed' ? 1 : 0 } = parts;
  const hasEnded = phase === 'Succeeded' || phase === 'Failed';
  const container = { name: 'main', image: 'i', imageID: '', ready: isReady };
  return served(Pod, {
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      annotations: {
        ...(index !== undefined && { [COMPLETION_INDEX]: String(index) }),
        ...(failures !== undefined && { [INDEX_FAILURES]: String(failures) }),
      },
      ...(isTracked && { finalizers: [TRACKING] }),
      ...(isDeleted && { deletionTimestamp: ago(0) }),
    },
    spec: { containers: [{ name: 'main', image: 'i' }], nodeName: 'n' },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
      containerStatuses: [
        {
          ...container,
          restartCount: restarts,
          ...(hasEnded && { state: { terminated: { exitCode, finishedAt: ago(endedAgo) } } }),
        },
      ],
      ...(initRestarts !== undefined && {
        initContainerStatuses: [{ ...container, name: 'init', restartCount: initRestarts }],
      }),
    },
  });
}

export const running = (name: string, parts: PodParts = {}): Served<Pod> => pod(name, 'Running', parts);
export const failed = (name: string, parts: PodParts = {}): Served<Pod> => pod(name, 'Failed', parts);
export const succeeded = (name: string, parts: PodParts = {}): Served<Pod> => pod(name, 'Succeeded', parts);

export function job(spec: Partial<JobSpec> = {}, status: JobStatus = { startTime: ago(60) }): Served<Job> {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'i' }] } };
  return served(Job, {
    metadata: { name: 'work', namespace: 'default', uid: 'work' },
    spec: { template, ...spec },
    status,
  });
}

export const indexed = (spec: Partial<JobSpec> = {}, status: JobStatus = {}): Served<Job> =>
  job({ completionMode: 'Indexed', ...spec }, { startTime: ago(60), ...status });
export const onFailure = {
  template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'main', image: 'i' }] } },
};

/** What a plan does to pods: the names of those that go, and how many come, or which indexes. */
export function effect({ drop, kill, create }: JobPlan): Record<string, unknown> {
  const indexes = create.map((one) => annotationsOf(one)[COMPLETION_INDEX]);
  return {
    ...(drop.length > 0 && { drop: drop.map(({ metadata }) => metadata.name).toSorted() }),
    ...(kill.length > 0 && { kill: kill.map(({ metadata }) => metadata.name) }),
    ...(create.length > 0 && { create: indexes[0] === undefined ? create.length : indexes.join() }),
  };
}

export const reasons = (plan: JobPlan): string[] =>
  (plan.status(0).conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
