// What happens to the record of a container when something has happened to the container.
import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Container, Pod } from '@windlass/apimachinery/api/core/v1';
import type { ContainerExit, Image, ImageError, RunningContainer } from '../runtime/runtime.ts';
import { podFullName } from './pod-events.ts';
import type { ContainerRecord, Terminated } from './pod-record.ts';
import { INITIAL_BACK_OFF_MS, MAX_BACK_OFF_MS, nextBackOff } from './restart-policy.ts';

/** What somebody forgot to make is looked for this often, and a runtime is asked again. */
const CONFIG_RETRY_MS = 10_000;
/** So long people see why an image could not be had. */
const SHOW_ERROR_MS = 1000;

export function pullEnded(record: ContainerRecord, image: Image): void {
  record.image = image;
  record.pull = undefined;
}

export function pullFailed(
  record: ContainerRecord,
  spec: DeepReadonly<Container>,
  { reason, message }: ImageError,
  now: number,
): void {
  const before = record.pull?.kind === 'failed' ? record.pull.delayMs * 2 : INITIAL_BACK_OFF_MS;
  const delayMs = Math.min(before, MAX_BACK_OFF_MS);
  record.pull = { kind: 'failed', reason, delayMs, backOffAt: now + SHOW_ERROR_MS, retryAt: now + delayMs };
  leaveFor(record, { kind: 'waiting', reason, message: message === '' ? (spec.image ?? '') : message });
}

/** It waits before its image is asked for again. */
export function pullBacksOff(record: ContainerRecord, spec: DeepReadonly<Container>): void {
  const why = record.pull?.kind === 'failed' ? record.pull.reason : 'ErrImagePull';
  const said = record.phase.kind === 'waiting' ? (record.phase.message ?? '') : '';
  leaveFor(record, {
    kind: 'waiting',
    reason: 'ImagePullBackOff',
    message: `Back-off pulling image "${spec.image}": ${why}: ${said}`,
  });
}

/** It cannot be started: its environment names what is not there, or the runtime refuses it. */
export function cannotStart(
  record: ContainerRecord,
  { reason, message }: { readonly reason: string; readonly message: string },
  now: number,
): void {
  record.configRetryAt = now + CONFIG_RETRY_MS;
  leaveFor(record, { kind: 'waiting', reason, message });
}

/** It was started, for the first time or again. */
export function started(
  record: ContainerRecord,
  spec: DeepReadonly<Container>,
  container: RunningContainer,
  now: number,
): void {
  const end = record.phase.kind === 'terminated' ? record.phase : record.last;
  if (end !== undefined) {
    record.backOff = nextBackOff(record, end, now);
    record.last = end;
    record.restartCount++;
  }
  record.configRetryAt = undefined;
  record.actual = record.allocated;
  running(record, spec, container);
}

/** It runs; also one that an agent before this one has started. */
export function running(
  record: ContainerRecord,
  spec: DeepReadonly<Container>,
  container: RunningContainer,
): void {
  record.phase = { kind: 'running', id: container.id, startedAt: container.startedAt, container };
  record.probes.clear();
  record.isStarted = spec.startupProbe === undefined;
  record.isReady = record.isStarted && spec.readinessProbe === undefined;
}

export function exited(record: ContainerRecord, exit: ContainerExit, now: number): void {
  const { phase } = record;
  if (phase.kind !== 'running') return;
  const { exitCode, message } = exit;
  const end: Terminated = {
    kind: 'terminated',
    id: phase.id,
    exitCode,
    reason: exit.reason ?? (exitCode === 0 ? 'Completed' : 'Error'),
    ...(message !== undefined && { message }),
    startedAt: phase.startedAt,
    finishedAt: exit.finishedAt ?? now,
  };
  record.phase = end;
  record.isStarted = false;
  record.isReady = false;
  record.probes.clear();
}

/** It waits before it is started again. */
export function backsOff(record: ContainerRecord, pod: Cached<Pod>, delayMs: number): void {
  leaveFor(record, {
    kind: 'waiting',
    reason: 'CrashLoopBackOff',
    message: `back-off ${goSeconds(delayMs)} restarting failed container=${record.name} pod=${podFullName(pod)}`,
  });
}

/** The runtime does not know it any more. */
export function lost(
  record: ContainerRecord,
  known: { readonly id: string; readonly startedAt: number },
  now: number,
): void {
  record.phase = {
    kind: 'terminated',
    id: known.id,
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
    startedAt: known.startedAt,
    finishedAt: now,
  };
}

function leaveFor(record: ContainerRecord, phase: ContainerRecord['phase']): void {
  if (record.phase.kind === 'terminated') record.last = record.phase;
  record.phase = phase;
}

/** Whole seconds as Go writes a duration: 10s, 1m20s, 5m0s. */
function goSeconds(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
