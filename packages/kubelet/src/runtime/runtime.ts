import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Container, Pod, ResourceRequirements, Secret } from '@windlass/apimachinery/api/core/v1';
import { WindlassError } from '@windlass/base';

/** One container of one pod, in its so-manieth run. */
export interface ContainerRequest {
  readonly pod: Cached<Pod>;
  readonly container: DeepReadonly<Container>;
  /** Whether it runs to its end before others start. */
  readonly isInit: boolean;
  /** 0 at first, one more with each restart. */
  readonly attempt: number;
}

/** A container that is to run, with what it needs to. Who only pretends to run it need not ask. */
export interface StartRequest extends ContainerRequest {
  /** As `pull` gave it. */
  readonly image: Image;
  /** Its variables: those of services, and those of its own spec. */
  readonly environment: () => Promise<ReadonlyMap<string, string>>;
  /** Where the pod's volumes are on the machine, by the name that the pod gives them. */
  readonly volumes: () => ReadonlyMap<string, string>;
  /** Aborts when the pod is to end, and the container need not start any more. */
  readonly signal: AbortSignal;
  /** It is made, and about to start. */
  readonly onCreated: () => void;
  /** What was to run after its start or before its end did not go well. */
  readonly onHookFailed: (hook: 'PostStart' | 'PreStop', message: string) => void;
}

/** A container whose image is wanted. */
export interface PullRequest extends ContainerRequest {
  /** A secret of the pod's namespace; undefined when there is none of this name. */
  readonly secret: (name: string) => Promise<Cached<Secret> | undefined>;
}

/** An image that is on the node. */
export interface Image {
  /** With registry and tag, as the runtime knows it. */
  readonly image: string;
  readonly imageID: string;
  /** As the runtime wants to be asked for a container of it. @default its name */
  readonly ref?: string;
  readonly sizeBytes: number;
  /** Whether it was there before anybody asked. */
  readonly wasPresent: boolean;
}

/** How a container ended. */
export interface ContainerExit {
  readonly exitCode: number;
  /** @default `Completed` for 0, else `Error` */
  readonly reason?: string;
  readonly message?: string;
  /** Milliseconds since 1970. @default when it was told */
  readonly finishedAt?: number;
}

/** What a probe decides about. */
export type ProbeKind = 'startup' | 'readiness' | 'liveness';

/** What a probe found. */
export interface ProbeOutcome {
  readonly isSuccess: boolean;
  /** What the probe printed, for people. */
  readonly output?: string;
  /**
   * The next outcome is this one too, until the pod is changed: there is no need to ask again. A runtime
   * that cannot promise that leaves it out.
   */
  readonly isSteady?: boolean;
}

/** A container that has been started. */
export interface RunningContainer {
  /** With the runtime's scheme: `windlass://…`. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Asks it to end, and ends it after the grace. May be called again with less grace; never lengthens it. */
  stop(graceMs: number): void;
  /** Its program has ended by itself, as somebody who was attached to it has seen. Only simulated ones can. */
  finish?(exitCode: number): void;
  /** It is to have these resources from now on, without a restart. Runtimes that only pretend need not be told. */
  resize?(resources: DeepReadonly<ResourceRequirements>, pod: Cached<Pod>): void;
  /** With the pod as it is now. */
  probe(kind: ProbeKind, pod: Cached<Pod>): Promise<ProbeOutcome>;
}

/** One run of a container that an agent before this one has started. */
export interface FoundRun {
  readonly container: string;
  readonly attempt: number;
  readonly id: string;
  readonly startedAt: number;
  readonly image: Image;
  /** Undefined while it runs. */
  readonly exit: (ContainerExit & { readonly finishedAt: number }) | undefined;
}

/** What a runtime keeps for a pod as a whole. */
export interface RuntimePods {
  /**
   * Makes what the pod's containers share, or finds it.
   * @returns the pod's addresses; none for a pod in the network of the node
   * @throws StartError
   */
  ensure(pod: Cached<Pod>, signal: AbortSignal): Promise<readonly string[]>;
  /** What has been started for the pod and not been forgotten yet, in whatever order. */
  find(pod: Cached<Pod>): Promise<readonly FoundRun[]>;
  /** Nothing of the pod runs any more, and its address is free. What it printed stays. Idempotent. */
  end(uid: string): Promise<void>;
  /** Nothing of the pod is left. Idempotent. */
  remove(uid: string): Promise<void>;
  /** Removes what is of no pod among these, which an agent before this one has left. */
  removeOthers(uids: ReadonlySet<string>): Promise<void>;
}

/**
 * Runs containers. The node agent decides what shall run, and says so here; everything that people see of a
 * pod follows from what comes back. All methods may be called for many pods at a time.
 */
export interface ContainerRuntime {
  /** In the node's status: `containerd://2.1.0`. */
  readonly version: string;
  /** Whether its containers can read what is mounted for them. @default true */
  readonly readsFiles?: boolean;
  /**
   * Undefined: pods have nothing but their containers. They get addresses of the node's range, and what an agent before
   * this one has started is known from their status alone.
   */
  readonly pods?: RuntimePods;
  /** Probes take their time: the pod goes on meanwhile. @default false */
  readonly areProbesSlow?: boolean;
  /** Why the node cannot run pods now, in one sentence; undefined: it can. @default it always can */
  readonly problem?: string | undefined;
  /**
   * Brings the image to the node, or finds it there. `onPulling` is called when it is not there and has to be
   * fetched.
   * @throws ImageError
   */
  pull(request: PullRequest, onPulling: () => void, signal: AbortSignal): Promise<Image>;
  /**
   * Starts a container. `onExit` is called once, when it has ended by itself or was stopped, and never
   * before this has resolved.
   * @throws StartError
   */
  start(request: StartRequest, onExit: (exit: ContainerExit) => void): Promise<RunningContainer>;
  /**
   * Finds a container that an agent before this one has started. Undefined when it does not run: it has
   * been lost then.
   */
  attach(
    request: ContainerRequest,
    known: { readonly id: string; readonly startedAt: number },
    onExit: (exit: ContainerExit) => void,
  ): Promise<RunningContainer | undefined>;
}

/** An image that cannot be had. */
export class ImageError extends WindlassError {
  /** As it stands in the container's status: `ErrImagePull`, `ErrImageNeverPull`, `InvalidImageName`. */
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message, { code: 'IMAGE' });
    this.reason = reason;
  }
}

/** A container that cannot be started now; it is tried again. */
export class StartError extends WindlassError {
  /** As it stands in the container's status: `CreateContainerError`, `CreatePodSandboxError`. */
  readonly reason: string;

  constructor(reason: string, message: string, cause?: unknown) {
    super(message, { code: 'START', cause });
    this.reason = reason;
  }
}
