import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Container, Pod, PodStatus } from '@windlass/apimachinery/api/core/v1';
import type { Image, ProbeKind, RunningContainer } from '../runtime/runtime.ts';
import type { ResizePending, Resources } from './resize.ts';

/**
 * `init` runs to its end before the next; `sidecar` is an init container that stays; `ephemeral` was added to
 * look at a pod that runs.
 */
export type ContainerRole = 'ephemeral' | 'init' | 'sidecar' | 'main';

export interface Terminated {
  readonly kind: 'terminated';
  readonly id: string;
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  readonly startedAt: number;
  readonly finishedAt: number;
}

export type ContainerPhase =
  | { readonly kind: 'waiting'; readonly reason: string; readonly message?: string }
  | {
      readonly kind: 'running';
      readonly id: string;
      readonly startedAt: number;
      readonly container: RunningContainer;
      /** When it will be ended at the latest; undefined while nobody has asked for its end. */
      readonly stopAt?: number;
    }
  | Terminated;

/** How one probe has gone. */
export interface ProbeRecord {
  /** Milliseconds since 1970. */
  nextAt: number;
  /** Outcomes of the same kind in a row: above 0 successes, below 0 failures. */
  run: number;
  /** The container is being asked. */
  isAsked?: boolean;
}

/** What the agent knows of a container. */
export interface ContainerRecord {
  readonly name: string;
  readonly role: ContainerRole;
  phase: ContainerPhase;
  /** How the run before this one ended. */
  last: Terminated | undefined;
  restartCount: number;
  /** The delay before the next restart, and when it was set. Undefined: the next one is immediate. */
  backOff: { readonly delayMs: number; readonly since: number } | undefined;
  /** What the node has granted it. */
  allocated: Resources;
  /** What it runs with. */
  actual: Resources;
  image: Image | undefined;
  pull: { readonly kind: 'pulling' } | PullFailure | undefined;
  /** Something that its environment names is missing: it is looked for again then. */
  configRetryAt: number | undefined;
  /** The startup probe has succeeded, or there is none. */
  isStarted: boolean;
  isReady: boolean;
  readonly probes: Map<ProbeKind, ProbeRecord>;
}

export interface PullFailure {
  readonly kind: 'failed';
  readonly reason: string;
  readonly delayMs: number;
  /** From then on people see that it waits, and no longer what went wrong. */
  readonly backOffAt: number;
  readonly retryAt: number;
}

/** Why a pod is to end although its containers would go on. */
export interface ForcedEnd {
  readonly reason: string;
  readonly message: string;
  /** How long its containers have. */
  readonly graceMs: number;
  /** The condition that says that it was disturbed from outside. */
  readonly disruption?: { readonly reason: string; readonly message: string };
}

/** What the agent knows of a pod; it is lost with the process and found again in the pod's status. */
export interface PodRecord {
  readonly uid: string;
  readonly key: string;
  readonly node: string;
  readonly containers: Map<string, ContainerRecord>;
  podIP: string | undefined;
  /** Milliseconds since 1970. */
  startedAt: number;
  forcedEnd: ForcedEnd | undefined;
  /** All regular init containers have ended well once; it is never taken back. */
  isInitialized: boolean;
  /** All that its containers mount is there. Until then none is started. */
  areVolumesMounted: boolean;
  /** Its claims for devices are allocated and reserved for it. Until then no container is started. */
  areClaimsReady: boolean;
  /** Its author wants other resources, which it does not get now. */
  resizePending: ResizePending | undefined;
  /** The status that the server has, as far as is known. */
  written: DeepReadonly<PodStatus>;
  writtenVersion: string | undefined;
}

export function rolesOf(
  pod: Cached<Pod>,
): { readonly spec: DeepReadonly<Container>; readonly role: ContainerRole }[] {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = pod.spec ?? {};
  return [
    ...ephemeralContainers.map((spec) => ({ spec, role: 'ephemeral' as const })),
    ...initContainers.map((spec) => ({
      spec,
      role: spec.restartPolicy === 'Always' ? ('sidecar' as const) : ('init' as const),
    })),
    ...containers.map((spec) => ({ spec, role: 'main' as const })),
  ];
}

/** A record of a pod that has not run yet. */
export function newPodRecord(pod: Cached<Pod>, key: string, now: number): PodRecord {
  const record: PodRecord = {
    uid: pod.metadata.uid,
    key,
    node: pod.spec?.nodeName ?? '',
    containers: new Map(),
    podIP: undefined,
    startedAt: now,
    forcedEnd: undefined,
    isInitialized: (pod.spec?.initContainers ?? []).length === 0,
    areVolumesMounted: true,
    areClaimsReady: (pod.spec?.resourceClaims ?? []).length === 0,
    resizePending: undefined,
    written: pod.status ?? {},
    writtenVersion: pod.metadata.resourceVersion,
  };
  addNewContainers(pod, record);
  return record;
}

/** Ephemeral containers may come at any time. */
export function addNewContainers(pod: Cached<Pod>, { containers }: PodRecord): void {
  const hasInit = (pod.spec?.initContainers ?? []).length > 0;
  const reason = hasInit ? 'PodInitializing' : 'ContainerCreating';
  for (const { spec, role } of rolesOf(pod))
    if (!containers.has(spec.name))
      containers.set(
        spec.name,
        newContainer(spec, role, role === 'ephemeral' ? 'ContainerCreating' : reason),
      );
}

function newContainer(spec: DeepReadonly<Container>, role: ContainerRole, reason: string): ContainerRecord {
  const resources = spec.resources ?? {};
  return {
    name: spec.name,
    role,
    phase: { kind: 'waiting', reason },
    last: undefined,
    restartCount: 0,
    backOff: undefined,
    allocated: resources,
    actual: resources,
    image: undefined,
    pull: undefined,
    configRetryAt: undefined,
    isStarted: false,
    isReady: false,
    probes: new Map(),
  };
}

/** How a container ended the last time, whether or not it waits to be started again. */
export function lastEnd({ phase, last }: ContainerRecord): Terminated | undefined {
  if (phase.kind === 'terminated') return phase;
  return phase.kind === 'waiting' ? last : undefined;
}
