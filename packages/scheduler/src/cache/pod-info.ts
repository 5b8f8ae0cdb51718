import { type Cached, claimsOfPod, keyOf, type PodClaim, parseTime } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { type AffinityTerm, affinityTerm, type WeightedAffinityTerm } from './affinity-term.ts';
import { type HostPort, hostPortsOf } from './host-ports.ts';
import { type Amounts, assumedRequests, podRequests } from './pod-requests.ts';

/** A pod, with what the scheduler asks of it again and again. */
export interface PodInfo {
  readonly pod: Cached<Pod>;
  readonly key: string;
  readonly uid: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly priority: number;
  readonly requests: Amounts;
  readonly assumed: Amounts;
  readonly ports: readonly HostPort[];
  /** Those that it names and those that are made for it. */
  readonly claims: readonly PodClaim[];
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly WeightedAffinityTerm[];
  readonly preferredAntiAffinity: readonly WeightedAffinityTerm[];
  /** When it began to run, in milliseconds since 1970; Infinity when it has not. */
  readonly startedAt: number;
  readonly isTerminating: boolean;
}

const infos = new WeakMap<Cached<Pod>, PodInfo>();

/** Computed once for each version of a pod. */
export function podInfo(pod: Cached<Pod>): PodInfo {
  let info = infos.get(pod);
  if (info === undefined) {
    info = create(pod);
    infos.set(pod, info);
  }
  return info;
}

function create(pod: Cached<Pod>): PodInfo {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const required = (
    terms: NonNullable<typeof podAffinity>['requiredDuringSchedulingIgnoredDuringExecution'],
  ) => (terms ?? []).map((term) => affinityTerm(pod, term));
  const preferred = (
    terms: NonNullable<typeof podAffinity>['preferredDuringSchedulingIgnoredDuringExecution'],
  ) =>
    (terms ?? []).map(({ weight, podAffinityTerm }) => ({ ...affinityTerm(pod, podAffinityTerm), weight }));
  const { startTime } = pod.status ?? {};
  return {
    pod,
    key: keyOf(pod),
    uid: pod.metadata.uid,
    namespace: pod.metadata.namespace,
    labels: pod.metadata?.labels ?? {},
    priority: pod.spec?.priority ?? 0,
    requests: podRequests(pod),
    assumed: assumedRequests(pod),
    ports: hostPortsOf(pod),
    claims: claimsOfPod(pod),
    requiredAffinity: required(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    requiredAntiAffinity: required(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    preferredAffinity: preferred(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    preferredAntiAffinity: preferred(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    startedAt: startTime === undefined ? Number.POSITIVE_INFINITY : parseTime(startTime),
    isTerminating: pod.metadata?.deletionTimestamp !== undefined,
  };
}

export function hasAffinity({
  requiredAffinity,
  requiredAntiAffinity,
  preferredAffinity,
  preferredAntiAffinity,
}: PodInfo): boolean {
  return (
    requiredAffinity.length > 0 ||
    requiredAntiAffinity.length > 0 ||
    preferredAffinity.length > 0 ||
    preferredAntiAffinity.length > 0
  );
}
