import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import { compareQuantities } from '@windlass/apimachinery';
import type { Container, Pod, ResourceRequirements } from '@windlass/apimachinery/api/core/v1';
import { type ContainerRecord, type PodRecord, rolesOf } from './pod-record.ts';

export type Resources = DeepReadonly<ResourceRequirements>;

/** Why a pod does not get the resources that its author wants now. */
export interface ResizePending {
  /** `Deferred`: when others leave it may; `Infeasible`: this node will never have so much. */
  readonly reason: 'Deferred' | 'Infeasible';
  readonly message: string;
}

export interface WantedResize {
  readonly spec: DeepReadonly<Container>;
  readonly record: ContainerRecord;
}

/** What can be changed while a container runs. */
const RESIZABLE = ['cpu', 'memory'] as const;

/** The containers that are to have other resources than the node has granted them. */
export function wantedResizes(pod: Cached<Pod>, record: PodRecord): WantedResize[] {
  return rolesOf(pod).flatMap(({ spec, role }) => {
    const known = record.containers.get(spec.name);
    if (known === undefined || role === 'ephemeral') return [];
    return changed(known.allocated, spec.resources ?? {}).length === 0 ? [] : [{ spec, record: known }];
  });
}

/** Whether the container's author wants it to start anew for such a change. */
export function needsRestart(
  { resizePolicy = [] }: DeepReadonly<Container>,
  from: Resources,
  to: Resources,
): boolean {
  return changed(from, to).some((resource) =>
    resizePolicy.some(
      ({ resourceName, restartPolicy }) => resourceName === resource && restartPolicy === 'RestartContainer',
    ),
  );
}

/** Whether a container that runs has something else than it was granted. */
export function isInProgress({ phase, actual, allocated }: ContainerRecord): boolean {
  return phase.kind === 'running' && changed(actual, allocated).length > 0;
}

/** The pod with what its node has granted, which is what it takes from others. */
export function withAllocated(pod: Cached<Pod>, record: PodRecord): Cached<Pod> {
  if (wantedResizes(pod, record).length === 0) return pod;
  const granted = (spec: DeepReadonly<Container>): DeepReadonly<Container> => ({
    ...spec,
    resources: record.containers.get(spec.name)?.allocated ?? {},
  });
  const { containers = [], initContainers } = pod.spec ?? {};
  return {
    ...pod,
    spec: {
      ...pod.spec,
      containers: containers.map(granted),
      ...(initContainers !== undefined && { initContainers: initContainers.map(granted) }),
    },
  };
}

function changed(from: Resources, to: Resources): string[] {
  return RESIZABLE.filter((name) =>
    (['requests', 'limits'] as const).some((list) => {
      const [before, after] = [from[list]?.[name], to[list]?.[name]];
      if (before === undefined || after === undefined) return before !== after;
      return compareQuantities(before, after) !== 0;
    }),
  );
}
