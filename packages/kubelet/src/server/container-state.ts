import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import { parseTime } from '@windlass/apimachinery';
import type { Container, ContainerStatus, Pod } from '@windlass/apimachinery/api/core/v1';
import { WindlassError } from '@windlass/base';

/** What a kubelet answers when it cannot do what it is asked for. */
export class NodeRequestError extends WindlassError {
  /** Of the answer over HTTP. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message, { code: 'NODE_REQUEST' });
    this.status = status;
  }
}

/** One run of a container: times in milliseconds since 1970. */
export interface ContainerRun {
  readonly startedAt: number;
  /** Undefined while it runs. */
  readonly finishedAt: number | undefined;
}

/** Of whichever kind; undefined when the pod has none of this name. */
export function containerSpec({ spec }: Cached<Pod>, name: string): DeepReadonly<Container> | undefined {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  return [...containers, ...initContainers, ...ephemeralContainers].find((each) => each.name === name);
}

function statusOf({ status }: Cached<Pod>, name: string): DeepReadonly<ContainerStatus> | undefined {
  const {
    containerStatuses = [],
    initContainerStatuses = [],
    ephemeralContainerStatuses = [],
  } = status ?? {};
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    (each) => each.name === name,
  );
}

/**
 * The run whose log is asked for.
 * @throws NodeRequestError in a kubelet's words when there is none
 */
export function loggedRun(pod: Cached<Pod>, name: string, isPrevious: boolean): ContainerRun {
  const podName = pod.metadata?.name ?? '';
  const refuse = (text: string): NodeRequestError => new NodeRequestError(400, text);
  const known = statusOf(pod, name);
  if (known === undefined) throw refuse(`container "${name}" in pod "${podName}" is not available`);
  const { running, terminated, waiting } = known.state ?? {};
  const last = known.lastState?.terminated;
  if (isPrevious) {
    if (last === undefined)
      throw refuse(`previous terminated container "${name}" in pod "${podName}" not found`);
    return runOf(last);
  }
  if (running !== undefined) return { startedAt: timeOf(running.startedAt), finishedAt: undefined };
  const ended = terminated ?? last;
  if (ended !== undefined) return runOf(ended);
  const problem =
    waiting?.reason === 'ErrImagePull'
      ? `image can't be pulled`
      : waiting?.reason === 'ImagePullBackOff'
        ? 'trying and failing to pull image'
        : (waiting?.reason ?? '');
  throw refuse(`container "${name}" in pod "${podName}" is waiting to start: ${problem}`);
}

/**
 * When the container that runs now was started.
 * @throws NodeRequestError when it does not run
 */
export function requireRunning(pod: Cached<Pod>, name: string): ContainerRun {
  const running = statusOf(pod, name)?.state?.running;
  if (running === undefined) throw new NodeRequestError(404, `container not found ("${name}")`);
  return { startedAt: timeOf(running.startedAt), finishedAt: undefined };
}

function runOf({
  startedAt,
  finishedAt,
}: {
  readonly startedAt?: unknown;
  readonly finishedAt?: unknown;
}): ContainerRun {
  return { startedAt: timeOf(startedAt), finishedAt: timeOf(finishedAt) };
}

function timeOf(value: unknown): number {
  return typeof value === 'string' ? parseTime(value) : 0;
}
