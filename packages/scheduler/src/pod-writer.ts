import { type Cached, findCondition, formatTime, isNotFound, StatusError } from '@windlass/apimachinery';
import { type Binding, Pod, type PodCondition } from '@windlass/apimachinery/api/core/v1';
import { isCancelled, sleep } from '@windlass/base';
import type { Manager } from '@windlass/runtime';
import type { PodInfo } from './cache/pod-info.ts';

const FIRST_LOOK_MS = 50;
const MAX_LOOK_MS = 5000;

/** What the scheduler writes. Each call is one request, and none when nothing would change. */
export class PodWriter {
  readonly #manager: Manager;

  constructor(manager: Manager) {
    this.#manager = manager;
  }

  /** By its uid too: another pod may have its name by now. */
  async bind({ pod, uid, namespace }: PodInfo, node: string, signal: AbortSignal): Promise<void> {
    const name = pod.metadata.name;
    const binding: Binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target: { apiVersion: 'v1', kind: 'Node', name: node },
    };
    const bindings = this.#pods(namespace).subresource<Binding>('binding');
    try {
      await bindings.create(name, binding, { signal });
    } catch (error) {
      if (!mayHaveWorked(error)) throw error;
      // If it is not there, what was decided may be wrong by now, and is decided anew.
      if ((await this.#nodeOf({ namespace, name, uid }, signal)) !== node) throw error;
    }
  }

  /**
   * Where the pod is; undefined when it is nowhere, or gone. However long it takes to learn that: until then its room
   * counts as taken, and others must not get it.
   */
  async #nodeOf(
    { namespace, name, uid }: { readonly namespace: string; readonly name: string; readonly uid: string },
    signal: AbortSignal,
  ): Promise<string | undefined> {
    for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(2 * waitMs, MAX_LOOK_MS)) {
      try {
        const { metadata, spec } = await this.#pods(namespace).get(name, { signal });
        return metadata.uid === uid ? spec?.nodeName : undefined;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        if (signal.aborted) throw error;
        await sleep(this.#manager.clock, waitMs, signal);
      }
    }
  }

  async unschedulable(
    { pod, namespace, uid }: PodInfo,
    { reason, message }: { readonly reason: string; readonly message: string },
    nominatedNode: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const before = findCondition(pod.status?.conditions, 'PodScheduled');
    const isSame = before?.status === 'False' && before.reason === reason && before.message === message;
    const isNominated = nominatedNode === undefined || pod.status?.nominatedNodeName === nominatedNode;
    if (isSame && isNominated) return;
    const condition = this.#condition(pod, { type: 'PodScheduled', status: 'False', reason, message });
    const status = {
      conditions: [condition],
      ...(nominatedNode !== undefined && { nominatedNodeName: nominatedNode }),
    };
    await this.#patch(pod, namespace, uid, status, signal);
  }

  async clearNomination({ pod, namespace, uid }: PodInfo, signal: AbortSignal): Promise<void> {
    if (pod.status?.nominatedNodeName === undefined) return;
    await this.#patch(pod, namespace, uid, { nominatedNodeName: null }, signal);
  }

  /** Tells why, then asks it to go. */
  async preempt({ pod, namespace, uid }: PodInfo, message: string, signal: AbortSignal): Promise<void> {
    if (pod.metadata?.deletionTimestamp !== undefined) return;
    const condition = this.#condition(pod, {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      message,
    });
    try {
      await this.#patch(pod, namespace, uid, { conditions: [condition] }, signal);
      await this.#pods(namespace).delete(pod.metadata.name, { preconditions: { uid }, signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #condition(
    pod: Cached<Pod>,
    stated: Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>,
  ): PodCondition {
    const before = findCondition(pod.status?.conditions, stated.type);
    const since = before?.status === stated.status ? before.lastTransitionTime : undefined;
    const { generation } = pod.metadata ?? {};
    return {
      ...stated,
      lastTransitionTime: since ?? formatTime(this.#manager.clock.now()),
      ...(generation !== undefined && { observedGeneration: generation }),
    };
  }

  async #patch(
    { metadata }: Cached<Pod>,
    namespace: string,
    uid: string,
    status: object,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#pods(namespace).status.patch(
      metadata.name,
      { metadata: { uid }, status },
      { type: 'strategic', signal },
    );
  }

  #pods(namespace: string) {
    return this.#manager.client.resource(Pod).namespace(namespace);
  }
}

/** An answer that did not come, or that the server gave up on, says nothing about what was done. */
function mayHaveWorked(error: unknown): boolean {
  if (isCancelled(error)) return false;
  return !(error instanceof StatusError) || error.statusCode >= 500;
}
