import { type Cached, type DeepReadonly, deepEqual } from '@windlass/apimachinery';
import type { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { podInfo } from './cache/pod-info.ts';
import type { SchedulerCache } from './cache/scheduler-cache.ts';
import type { ClusterEvent } from './framework/cluster-event.ts';
import type { Nominations } from './queue/nominations.ts';
import type { SchedulingQueue } from './queue/scheduling-queue.ts';

export interface ClusterWatcherOptions {
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  readonly nominations: Nominations;
  /** Pods that name another scheduler are none of ours. */
  readonly isOurs: (pod: Cached<Pod>) => boolean;
  /** A pod is gone, or has ended. */
  readonly onGone: (uid: string) => void;
}

/** Brings what happens in the cluster to the cache and the queue. */
export class ClusterWatcher {
  readonly #options: ClusterWatcherOptions;

  constructor(options: ClusterWatcherOptions) {
    this.#options = options;
  }

  readonly pods = {
    onAdd: (pod: Cached<Pod>): void => this.#setPod(undefined, pod),
    onUpdate: (old: Cached<Pod>, pod: Cached<Pod>): void => {
      // Missed deletions show as another pod of the same name.
      if (old.metadata.uid !== pod.metadata.uid) {
        this.#removePod(old);
        this.#setPod(undefined, pod);
      } else if (old !== pod) this.#setPod(old, pod);
    },
    onDelete: (pod: Cached<Pod>): void => this.#removePod(pod),
  };

  readonly nodes = {
    onAdd: (node: Cached<Node>): void => {
      this.#options.cache.setNode(node);
      this.#options.queue.move('NodeAdd');
    },
    onUpdate: (old: Cached<Node>, node: Cached<Node>): void => {
      this.#options.cache.setNode(node);
      for (const event of nodeEvents(old, node)) this.#options.queue.move(event);
    },
    onDelete: (node: Cached<Node>): void => this.#options.cache.removeNode(node.metadata.name),
  };

  readonly namespaces = {
    onAdd: (): void => this.#options.queue.move('NamespaceUpdate'),
    onUpdate: (): void => this.#options.queue.move('NamespaceUpdate'),
    onDelete: (): void => {},
  };

  #setPod(old: Cached<Pod> | undefined, pod: Cached<Pod>): void {
    const { cache, queue, nominations, isOurs } = this.#options;
    const uid = pod.metadata.uid;
    if (isOver(pod)) {
      this.#removePod(pod);
      return;
    }
    if ((pod.spec?.nodeName ?? '') !== '') {
      const wasBound = (old?.spec?.nodeName ?? '') !== '';
      queue.delete(uid);
      nominations.delete(uid);
      cache.setPod(pod);
      if (!wasBound) queue.move('AssignedPodAdd');
      else if (hasChanged(old, pod)) queue.move('AssignedPodUpdate');
      return;
    }
    // Its binding is under way: the next event tells how that went.
    if (!isOurs(pod) || cache.isAssumed(uid)) return;
    if (pod.metadata?.deletionTimestamp !== undefined) {
      queue.delete(uid);
      nominations.delete(uid);
      return;
    }
    const info = podInfo(pod);
    nominations.set(info, pod.status?.nominatedNodeName ?? '');
    queue.set(info, hasChanged(old, pod));
  }

  #removePod(pod: Cached<Pod>): void {
    const { cache, queue, nominations } = this.#options;
    const uid = pod.metadata.uid;
    const wasNominated = nominations.nodeOf(uid) !== undefined;
    const wasPlaced = cache.has(uid);
    queue.delete(uid);
    nominations.delete(uid);
    cache.removePod(uid);
    this.#options.onGone(uid);
    if (wasPlaced || wasNominated) queue.move('AssignedPodDelete');
  }
}

/** It takes nothing of its node any more. */
function isOver({ status }: DeepReadonly<Pod>): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Apart from most of its status. It names the claims that were made for the pod, for which it may have waited. */
function hasChanged(old: Cached<Pod> | undefined, pod: Cached<Pod>): boolean {
  if (old === undefined) return true;
  return (
    !deepEqual(old.spec ?? null, pod.spec ?? null) ||
    !deepEqual(old.metadata?.labels ?? null, pod.metadata?.labels ?? null) ||
    old.metadata?.deletionTimestamp !== pod.metadata?.deletionTimestamp ||
    !deepEqual(old.status?.resourceClaimStatuses ?? null, pod.status?.resourceClaimStatuses ?? null)
  );
}

/** What is new for pods that look for a node. Heartbeats are not. */
export function nodeEvents(old: Cached<Node>, node: Cached<Node>): ClusterEvent[] {
  const events: ClusterEvent[] = [];
  if (!deepEqual(old.status?.allocatable ?? null, node.status?.allocatable ?? null))
    events.push('NodeAllocatable');
  if (!deepEqual(old.metadata?.labels ?? null, node.metadata?.labels ?? null)) events.push('NodeLabel');
  if (
    !deepEqual(old.spec?.taints ?? null, node.spec?.taints ?? null) ||
    old.spec?.unschedulable !== node.spec?.unschedulable
  )
    events.push('NodeTaint');
  return events;
}
