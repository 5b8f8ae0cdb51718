import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Container, Pod } from '@windlass/apimachinery/api/core/v1';
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

/** An image that is on the node. */
export interface Image {
  /** With registry and tag, as the runtime knows it. */
  readonly image: string;
  readonly imageID: string;
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
  /** With the pod as it is now. */
  probe(kind: ProbeKind, pod: Cached<Pod>): Promise<ProbeOutcome>;
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
   * Brings the image to the node, or finds it there. `onPulling` is called when it is not there and has to be
   * fetched.
   * @throws ImageError
   */
  pull(request: ContainerRequest, onPulling: () => void, signal: AbortSignal): Promise<Image>;
  /**
   * Starts a container. `onExit` is called once, when it has ended by itself or was stopped, and never
   * before this has resolved.
   */
  start(request: ContainerRequest, onExit: (exit: ContainerExit) => void): Promise<RunningContainer>;
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
