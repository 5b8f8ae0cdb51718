import type { DeepReadonly } from '@windlass/apimachinery';
import type { Container, Probe } from '@windlass/apimachinery/api/core/v1';
import type { ProbeKind, ProbeOutcome } from '../runtime/runtime.ts';
import type { ContainerRecord } from './pod-record.ts';

const DEFAULT_PERIOD_S = 10;
const DEFAULT_FAILURES = 3;

export function probeSpec(spec: DeepReadonly<Container>, kind: ProbeKind): DeepReadonly<Probe> | undefined {
  if (kind === 'startup') return spec.startupProbe;
  return kind === 'readiness' ? spec.readinessProbe : spec.livenessProbe;
}

/** The probes that count now: until the container has started only the startup probe does. */
export function activeProbes(spec: DeepReadonly<Container>, record: ContainerRecord): readonly ProbeKind[] {
  if (record.phase.kind !== 'running' || record.phase.stopAt !== undefined) return [];
  const kinds: readonly ProbeKind[] = record.isStarted ? ['readiness', 'liveness'] : ['startup'];
  return kinds.filter((kind) => probeSpec(spec, kind) !== undefined);
}

/** Milliseconds since 1970. Infinity: the outcome is known for good. */
export function nextProbeAt(spec: DeepReadonly<Container>, record: ContainerRecord, kind: ProbeKind): number {
  const known = record.probes.get(kind);
  if (known !== undefined) return known.isAsked === true ? Number.POSITIVE_INFINITY : known.nextAt;
  const startedAt = record.phase.kind === 'running' ? record.phase.startedAt : 0;
  return startedAt + (probeSpec(spec, kind)?.initialDelaySeconds ?? 0) * 1000;
}

/** The container is being asked, and is not asked again before it has answered. */
export function beginProbe({ probes }: ContainerRecord, kind: ProbeKind): void {
  const { run = 0, nextAt = 0 } = probes.get(kind) ?? {};
  probes.set(kind, { run, nextAt, isAsked: true });
}

/** What an outcome means: nothing yet, or that the probe has now passed or failed. */
export type Verdict = 'passed' | 'failed' | undefined;

/** Counts an outcome. A threshold that is met once stays met, until an outcome of the other kind. */
export function countOutcome(
  spec: DeepReadonly<Container>,
  record: ContainerRecord,
  kind: ProbeKind,
  outcome: ProbeOutcome,
  now: number,
): Verdict {
  const probe = probeSpec(spec, kind) ?? {};
  const before = record.probes.get(kind)?.run ?? 0;
  const run = outcome.isSuccess ? Math.max(before, 0) + 1 : Math.min(before, 0) - 1;
  const threshold = outcome.isSuccess
    ? (probe.successThreshold ?? 1)
    : (probe.failureThreshold ?? DEFAULT_FAILURES);
  const isMet = Math.abs(run) >= threshold;
  const isKnownForGood = isMet && outcome.isSteady === true;
  const periodMs = (probe.periodSeconds ?? DEFAULT_PERIOD_S) * 1000;
  record.probes.set(kind, { run, nextAt: isKnownForGood ? Number.POSITIVE_INFINITY : now + periodMs });
  if (!isMet) return undefined;
  return outcome.isSuccess ? 'passed' : 'failed';
}

/** Makes probes whose outcome cannot change by itself due again. */
export function forgetSteadyOutcomes({ probes }: ContainerRecord, now: number): void {
  for (const probe of probes.values()) if (!Number.isFinite(probe.nextAt)) probe.nextAt = now;
}
