import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import { parseTime } from '@windlass/apimachinery';
import type { Container, Pod } from '@windlass/apimachinery/api/core/v1';
import type { ProbeKind } from '../runtime/runtime.ts';
import { areMainsDone, hasFailedForGood, isTerminalPhase } from './pod-phase.ts';
import { type ContainerRecord, type PodRecord, rolesOf } from './pod-record.ts';
import { activeProbes, nextProbeAt } from './probes.ts';
import { isRestarted, restartAt } from './restart-policy.ts';

/** The one thing to do next for a pod. */
export type Step =
  | { readonly do: 'pull'; readonly container: string }
  | { readonly do: 'pullBackOff'; readonly container: string }
  | { readonly do: 'start'; readonly container: string }
  | { readonly do: 'backOff'; readonly container: string; readonly delayMs: number }
  | { readonly do: 'stop'; readonly container: string; readonly graceMs: number }
  | { readonly do: 'probe'; readonly container: string; readonly kind: ProbeKind }
  | { readonly do: 'initialized' }
  /** Its time is up. */
  | { readonly do: 'deadline' }
  /** Nothing runs and nothing will. */
  | { readonly do: 'finish' }
  /** Nothing to do before this time, in milliseconds since 1970; Infinity: before something happens. */
  | { readonly do: 'wait'; readonly until: number };

interface Known {
  readonly spec: DeepReadonly<Container>;
  readonly record: ContainerRecord;
}

const DEFAULT_GRACE_S = 30;
/** No registry is asked for these, so that there is nothing to back off from. */
const STAYS_WRONG = new Set(['InvalidImageName', 'ErrImageNeverPull']);

/** Whether nothing of the pod is to be started any more. */
export function isEnding(pod: Cached<Pod>, record: PodRecord): boolean {
  return (
    record.forcedEnd !== undefined ||
    pod.metadata?.deletionTimestamp !== undefined ||
    isTerminalPhase(pod.status?.phase) ||
    isTerminalPhase(record.written.phase)
  );
}

/** Decides from what is known, and changes nothing. */
export function nextStep(pod: Cached<Pod>, record: PodRecord, now: number): Step {
  const known: Known[] = rolesOf(pod).flatMap(({ spec }) => {
    const container = record.containers.get(spec.name);
    return container === undefined ? [] : [{ spec, record: container }];
  });
  if (isEnding(pod, record)) return endAll(known, graceOf(pod, record, now), now);
  if (record.isInitialized ? areMainsDone(pod, record) : hasFailedForGood(pod, record, 'init'))
    return endAll(known, podGraceMs(pod), now);
  let until = Number.POSITIVE_INFINITY;
  const { activeDeadlineSeconds } = pod.spec ?? {};
  if (activeDeadlineSeconds !== undefined) {
    const deadline = record.startedAt + activeDeadlineSeconds * 1000;
    if (deadline <= now) return { do: 'deadline' };
    until = deadline;
  }
  const wait = (step: Step | undefined): Step | undefined => {
    if (step?.do !== 'wait') return step;
    until = Math.min(until, step.until);
    return undefined;
  };
  const isPrepared = record.areVolumesMounted && record.areClaimsReady;
  for (const each of known) {
    const { role } = each.record;
    if (role === 'main' && !record.isInitialized) return { do: 'initialized' };
    if (role === 'init' && record.isInitialized) continue;
    const step = wait(bringUp(pod, each, isPrepared, now)) ?? wait(probe(each, now));
    if (step !== undefined) return step;
    if (role !== 'ephemeral' && !record.isInitialized && !isPassed(each.record)) break;
  }
  return { do: 'wait', until };
}

/** Whether the init container after this one may start. */
function isPassed({ role, phase, isStarted }: ContainerRecord): boolean {
  if (role === 'sidecar') return phase.kind === 'running' && isStarted;
  return phase.kind === 'terminated' && phase.exitCode === 0;
}

function bringUp(
  pod: Cached<Pod>,
  { spec, record }: Known,
  isPrepared: boolean,
  now: number,
): Step | undefined {
  const { phase, name } = record;
  if (phase.kind === 'running') return undefined;
  const end = phase.kind === 'terminated' ? phase : record.last;
  if (end !== undefined) {
    if (!isRestarted(pod, spec, record.role, end.exitCode)) return undefined;
    const at = restartAt(record, end);
    if (at > now) {
      if (phase.kind === 'terminated')
        return { do: 'backOff', container: name, delayMs: record.backOff?.delayMs ?? 0 };
      return { do: 'wait', until: at };
    }
  }
  if (!isPrepared) return undefined;
  const { pull } = record;
  if (pull?.kind === 'pulling') return undefined;
  if (pull?.kind === 'failed' && pull.retryAt > now) {
    const isShown = phase.kind === 'waiting' && phase.reason === 'ImagePullBackOff';
    if (isShown || STAYS_WRONG.has(pull.reason)) return { do: 'wait', until: pull.retryAt };
    return pull.backOffAt > now
      ? { do: 'wait', until: pull.backOffAt }
      : { do: 'pullBackOff', container: name };
  }
  if (record.image === undefined || pull?.kind === 'failed') return { do: 'pull', container: name };
  if ((record.configRetryAt ?? 0) > now) return { do: 'wait', until: record.configRetryAt ?? 0 };
  return { do: 'start', container: name };
}

function probe({ spec, record }: Known, now: number): Step | undefined {
  let until = Number.POSITIVE_INFINITY;
  for (const kind of activeProbes(spec, record)) {
    const at = nextProbeAt(spec, record, kind);
    if (at <= now) return { do: 'probe', container: record.name, kind };
    until = Math.min(until, at);
  }
  return { do: 'wait', until };
}

/** Main containers first, all at a time; then the sidecars, the last one first. */
function endAll(known: readonly Known[], graceMs: number, now: number): Step {
  const running = known.map(({ record }) => record).filter(({ phase }) => phase.kind === 'running');
  if (running.length === 0) return { do: 'finish' };
  const mains = running.filter(({ role }) => role !== 'sidecar');
  const due = mains.length > 0 ? mains : running.slice(-1);
  for (const { name, phase } of due) {
    if (phase.kind !== 'running') continue;
    if (phase.stopAt === undefined || phase.stopAt > now + graceMs)
      return { do: 'stop', container: name, graceMs };
  }
  return { do: 'wait', until: Number.POSITIVE_INFINITY };
}

function graceOf(pod: Cached<Pod>, { forcedEnd }: PodRecord, now: number): number {
  const { deletionTimestamp } = pod.metadata ?? {};
  // The server has added the grace to the time of the request, so that an agent that comes late gives less.
  if (deletionTimestamp !== undefined) return Math.max(0, parseTime(deletionTimestamp) - now);
  return forcedEnd?.graceMs ?? podGraceMs(pod);
}

/** What the pod's author gave it. */
export function podGraceMs(pod: Cached<Pod>): number {
  return (pod.spec?.terminationGracePeriodSeconds ?? DEFAULT_GRACE_S) * 1000;
}
