import type { DeepReadonly } from '@windlass/apimachinery';
import type { Container, PodSpec } from '@windlass/apimachinery/api/core/v1';

/** A pod, or what pods are made from. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: DeepReadonly<PodSpec>;
}

export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** Undefined when there is nothing against the pod. */
export type PodCheck = (pod: CheckedPod) => Violation | undefined;

export interface SecurityCheck {
  readonly id: string;
  /** From which minor version on which form of it holds, rising. */
  readonly since: readonly (readonly [minor: number, check: PodCheck])[];
  /** The check of the baseline that it makes unnecessary. */
  readonly replaces?: string;
}

type Checked = Pick<DeepReadonly<Container>, 'name' | 'securityContext' | 'ports' | 'lifecycle'> &
  Pick<DeepReadonly<Container>, 'livenessProbe' | 'readinessProbe' | 'startupProbe'>;

/** In the order in which violations name them. */
export function containersOf({ spec }: CheckedPod): Checked[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}

export function namesWhere(pod: CheckedPod, isBad: (container: Checked) => boolean): string[] {
  return containersOf(pod)
    .filter(isBad)
    .map(({ name }) => name);
}

export function quoted(items: Iterable<string>): string {
  return [...items].map((item) => `"${item}"`).join(', ');
}

export function sorted(items: Iterable<string>): string[] {
  return [...new Set(items)].toSorted();
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** `containers "a", "b"` */
export function containersText(names: readonly string[]): string {
  return `${plural(names.length, 'container')} ${quoted(names)}`;
}

/** `pod and containers "a", "b"`; empty when nobody did it. */
export function settersText(isPod: boolean, containers: readonly string[]): string {
  return [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])].join(
    ' and ',
  );
}

/** In a user namespace root is nobody outside, so less needs to be forbidden. */
export function unlessInUserNamespace(check: PodCheck): PodCheck {
  return (pod) => (pod.spec.hostUsers === false ? undefined : check(pod));
}

/** What Linux forbids means nothing elsewhere. */
export function unlessWindows(check: PodCheck): PodCheck {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : check(pod));
}
