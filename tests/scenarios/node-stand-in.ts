// Stands in for scheduler and kubelet: says of each pod what a node would say. The same for every controller
// manager, so that what differs is theirs.
import { formatMicroTime, formatTime, isConflict, isNotFound } from '@windlass/apimachinery';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import { Node, Pod, type PodStatus } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import type { Client } from '@windlass/client';

/** What becomes of a pod: it is ready, runs unready, waits for ever, or ends. */
export type Behaviour =
  | 'ready'
  | 'unready'
  | 'waits'
  | 'succeeds'
  | { readonly exitCode: number }
  | { readonly disrupted: string };

export const NODE_NAME = 'stand-in';
const BEAT_MS = 10_000;

export interface NodeStandInOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly clock: Clock;
}

export async function makeNode(
  client: Client,
  clock: Clock,
  name = NODE_NAME,
  labels: Record<string, string> = {},
): Promise<void> {
  const time = formatTime(clock.now());
  const nodes = client.resource(Node);
  await nodes.create({ metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } } });
  const conditions = [
    {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      lastHeartbeatTime: time,
      lastTransitionTime: time,
    },
  ];
  const room = { cpu: '64', memory: '256Gi', pods: '1000' };
  await nodes.status.patch(name, { status: { conditions, capacity: room, allocatable: room } });
  await beat(client, clock, name);
}

/** Says that the node is alive; it must come again within 40 s. */
export async function beat(client: Client, clock: Clock, name = NODE_NAME): Promise<void> {
  const leases = client.resource(Lease).namespace('kube-node-lease');
  const spec = {
    holderIdentity: name,
    leaseDurationSeconds: 40,
    renewTime: formatMicroTime(clock.now()),
  };
  try {
    await leases.patch(name, { spec }, { type: 'merge' });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await leases.create({ metadata: { name }, spec });
  }
}

/** Writes what a node would write, one step for each pod at a time. */
export class NodeStandIn {
  readonly #options: NodeStandInOptions;
  #addresses = 0;
  readonly #nodes: string[] = [];
  #beatAt = 0;
  #behaviour: (pod: Pod) => Behaviour = () => 'ready';

  constructor(options: NodeStandInOptions) {
    this.#options = options;
  }

  set behaviour(behaviour: (pod: Pod) => Behaviour) {
    this.#behaviour = behaviour;
  }

  async makeNode(suffix: string, labels: Record<string, string> = {}): Promise<string> {
    const { client, namespace, clock } = this.#options;
    const name = `${namespace}-${suffix}`;
    await makeNode(client, clock, name, labels);
    this.#nodes.push(name);
    return name;
  }

  /** Whether anything was written. */
  async step(): Promise<boolean> {
    const { client, namespace, clock } = this.#options;
    if (clock.monotonic() - this.#beatAt > BEAT_MS) {
      this.#beatAt = clock.monotonic();
      for (const name of this.#nodes) await beat(client, clock, name);
    }
    const { items } = await client.resource(Pod).namespace(namespace).list();
    const moved = await Promise.all(items.map((pod) => this.#move(pod)));
    return moved.includes(true);
  }

  async #move(pod: Pod): Promise<boolean> {
    try {
      return await this.#moveOn(pod);
    } catch (error) {
      // Somebody else was faster; the next step sees it.
      if (isNotFound(error) || isConflict(error)) return true;
      throw error;
    }
  }

  async #moveOn(pod: Pod): Promise<boolean> {
    const { client, namespace } = this.#options;
    const pods = client.resource(Pod).namespace(namespace);
    const name = pod.metadata?.name ?? '';
    const phase = pod.status?.phase ?? 'Pending';
    const isOver = phase === 'Succeeded' || phase === 'Failed';
    if (pod.spec?.nodeName === undefined) {
      if (pod.metadata?.deletionTimestamp !== undefined) return false;
      await pods.bind(name, nodeFor(pod));
      return true;
    }
    if (pod.metadata?.deletionTimestamp !== undefined) {
      const isHeld = (pod.metadata.finalizers?.length ?? 0) > 0;
      // A kubelet tells how a pod ended before it lets it go: who counts ends must not miss one.
      if (!isOver && isHeld) {
        await pods.status.replace({ ...pod, status: this.#ended(pod, 'Failed', 137) });
        return true;
      }
      if (pod.metadata.deletionGracePeriodSeconds === 0) return false;
      await pods.delete(name, { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid ?? '' } });
      return true;
    }
    if (isOver) return false;
    const status = this.#next(pod, this.#behaviour(pod));
    if (status === undefined) return false;
    await pods.status.replace({ ...pod, status });
    return true;
  }

  #next(pod: Pod, behaviour: Behaviour): PodStatus | undefined {
    if (behaviour === 'waits') return undefined;
    const wantsReady = behaviour !== 'unready';
    const isReady = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
    if (pod.status?.phase !== 'Running' || isReady !== wantsReady) return this.#running(pod, wantsReady);
    if (behaviour === 'succeeds') return this.#ended(pod, 'Succeeded', 0);
    if (typeof behaviour !== 'object') return undefined;
    if ('exitCode' in behaviour) return this.#ended(pod, 'Failed', behaviour.exitCode);
    const status = this.#ended(pod, 'Failed', 137);
    const time = formatTime(this.#options.clock.now());
    const disrupted = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: behaviour.disrupted,
      lastTransitionTime: time,
    };
    return { ...status, reason: 'Evicted', conditions: [...(status.conditions ?? []), disrupted] };
  }

  #running({ status, spec }: Pod, isReady: boolean): PodStatus {
    const startedAt = formatTime(this.#options.clock.now());
    const podIP =
      status?.podIP ?? `10.1.${Math.floor(++this.#addresses / 250)}.${(this.#addresses % 250) + 1}`;
    return {
      ...status,
      phase: 'Running',
      podIP,
      podIPs: [{ ip: podIP }],
      hostIP: '192.0.2.7',
      hostIPs: [{ ip: '192.0.2.7' }],
      startTime: status?.startTime ?? startedAt,
      conditions: conditions(startedAt, isReady),
      containerStatuses: (spec?.containers ?? []).map(({ name, image = '' }) => ({
        name,
        image,
        imageID: image,
        ready: isReady,
        started: true,
        restartCount: 0,
        state: { running: { startedAt } },
      })),
    };
  }

  #ended(pod: Pod, phase: 'Succeeded' | 'Failed', exitCode: number): PodStatus {
    const status = pod.status?.phase === 'Running' ? pod.status : this.#running(pod, false);
    const time = formatTime(this.#options.clock.now());
    return {
      ...status,
      phase,
      conditions: conditions(time, false),
      containerStatuses: (status.containerStatuses ?? []).map((container) => ({
        ...container,
        ready: false,
        started: false,
        state: {
          terminated: {
            exitCode,
            reason: exitCode === 0 ? 'Completed' : 'Error',
            startedAt: container.state?.running?.startedAt ?? time,
            finishedAt: time,
          },
        },
      })),
    };
  }
}

function conditions(lastTransitionTime: string, isReady: boolean): NonNullable<PodStatus['conditions']> {
  const of = (type: string, holds: boolean) => ({
    type,
    status: holds ? 'True' : 'False',
    lastTransitionTime,
  });
  return [
    of('PodScheduled', true),
    of('Initialized', true),
    of('ContainersReady', isReady),
    of('Ready', isReady),
  ];
}

/** The node that its affinity names, as the pods of a daemon set do. */
function nodeFor({ spec }: Pod): string {
  const terms =
    spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const field = terms?.[0]?.matchFields?.find(({ key }) => key === 'metadata.name');
  return field?.values?.[0] ?? NODE_NAME;
}
