import { deepCopy, formatTime, isConflict, isNotFound, keyOf } from '@windlass/apimachinery';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { isCancelled, toError } from '@windlass/base';
import {
  type CachedKind,
  type EventRecorder,
  type KindClient,
  type Manager,
  type ObjectEvent,
  type ReconcileResult,
  timerSource,
} from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { DEFAULT_NODE_LIFECYCLE, type NodeLifecycleOptions } from '../options/node-lifecycle-options.ts';
import { withKind } from '../shared/pod-control.ts';
import type { ReadonlyPod } from '../shared/pods.ts';
import { PodsByNode } from '../shared/pods-by-node.ts';
import { EvictionQueue } from './eviction-queue.ts';
import { judgeHealth, type NodeHealth } from './node-health.ts';
import { type NodeLifecycleMetrics, nodeLifecycleMetrics } from './node-lifecycle-metrics.ts';
import { isEvicted, type ReadonlyNode, withEvictionTaint } from './node-taints.ts';
import { NodeWriter } from './node-writer.ts';
import { markNotReady } from './not-ready-pods.ts';
import { isExcluded, judgeZones, type ZoneCount, zoneOf } from './zones.ts';

const LEASES = 'kube-node-lease';
/** No node is called so. */
const ROUND = '*';
const ZONE = 'zone:';
const POD = 'pod:';
const MAX_CONFLICTS = 5;

const comesToNode = (event: ObjectEvent<Pod>): boolean =>
  event.type === 'add' ||
  (event.type === 'update' && event.old.spec?.nodeName !== event.object.spec?.nodeName);

/**
 * Knows which nodes are well, by their status and their lease. One that is silent is Unknown; taints keep new
 * pods off nodes that are not well at once, and move pods off them at a rate that depends on how the zone is.
 * Work has four kinds of keys: a node for its taints and labels, `*` for the round over all of them, `zone:`
 * for the nodes of a zone that wait for their turn, and `pod:` for one that comes to a node which is not well.
 */
export function addNodeLifecycleController(manager: Manager, options: ControllerOptions): void {
  new NodeLifecycleController(manager, options).register(manager, options);
}

class NodeLifecycleController {
  readonly #manager: Manager;
  readonly #options: Required<NodeLifecycleOptions>;
  readonly #nodes: KindClient<Node>;
  readonly #writer: NodeWriter;
  readonly #pods: KindClient<Pod>;
  readonly #podsByNode: PodsByNode;
  readonly #leases: CachedKind<Lease>;
  readonly #recorder: EventRecorder;
  readonly #metrics: NodeLifecycleMetrics;
  #controller: { enqueue(key: string): unknown } | undefined = undefined;
  readonly #known = new Map<string, { readonly node: ReadonlyNode; health: NodeHealth | undefined }>();
  /** Silent nodes whose pods have not all been marked. */
  readonly #unmarked = new Set<string>();
  readonly #queues = new Map<string, EvictionQueue>();
  #isTotal = false;

  constructor(manager: Manager, { nodeLifecycle }: ControllerOptions) {
    this.#manager = manager;
    this.#options = { ...DEFAULT_NODE_LIFECYCLE, ...nodeLifecycle };
    this.#nodes = manager.objects(Node);
    this.#writer = new NodeWriter(this.#nodes, () => this.#now());
    this.#pods = manager.objects(Pod);
    this.#podsByNode = new PodsByNode(this.#pods);
    this.#leases = manager.cluster.cache.kind(Lease, { namespace: LEASES });
    this.#recorder = manager.recorder('node-controller');
    this.#metrics = nodeLifecycleMetrics(manager.metrics);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    const { clock } = manager;
    const { monitorPeriodMs: everyMs } = this.#options;
    this.#controller = manager
      .controller(name)
      .for(Node)
      // Its events say nothing: the round reads the cache.
      .watches(Lease, () => [], { namespace: LEASES })
      .watches(Pod, this.#keysOfPod, { predicates: [comesToNode] })
      .source(timerSource({ name: 'every round', everyMs, keys: () => [ROUND], immediately: true, clock }))
      .reconcile(
        async (key, { signal }) => {
          if (key === ROUND) return this.#round(signal);
          if (key.startsWith(ZONE)) return this.#evictNext(key.slice(ZONE.length), signal);
          if (key.startsWith(POD)) return this.#markLate(key.slice(POD.length), signal);
          const node = await this.#nodes.find(key, { signal });
          if (node !== undefined) await this.#writer.tend(node, signal);
          return undefined;
        },
        { concurrency },
      );
  }

  /** Those on the node when it fell silent were told of then. */
  readonly #keysOfPod = (pod: ReadonlyPod): string[] => {
    const status = this.#known.get(pod.spec?.nodeName ?? '')?.health?.ready?.status ?? 'True';
    return status === 'True' ? [] : [POD + keyOf(pod)];
  };

  async #markLate(key: string, signal: AbortSignal): Promise<ReconcileResult | undefined> {
    const pod = await this.#pods.find(key, { signal });
    const isOn = pod !== undefined && this.#keysOfPod(pod).length > 0;
    const options = { now: this.#now(), recorder: this.#recorder, signal };
    return isOn && !(await markNotReady(this.#pods, [pod], options)) ? { requeue: true } : undefined;
  }

  async #round(signal: AbortSignal): Promise<undefined> {
    const nodes = await this.#nodes.list({ signal });
    this.#meet(nodes);
    const counts = new Map<string, ZoneCount>();
    for (const node of nodes) {
      const current = await this.#check(node, signal).catch((thrown: unknown) => {
        if (isCancelled(thrown)) throw thrown;
        // One that cannot be judged must not keep the others from it.
        const fields = { node: node.metadata.name, error: toError(thrown) };
        this.#manager.logger.warn('the health of a node could not be judged in this round', fields);
        return 'failed';
      });
      if (isExcluded(node) || current === 'failed') continue;
      const { ready, notReady } = counts.get(zoneOf(node)) ?? { ready: 0, notReady: 0 };
      counts.set(
        zoneOf(node),
        current === 'True' ? { ready: ready + 1, notReady } : { ready, notReady: notReady + 1 },
      );
    }
    this.#metrics.counted(counts);
    await this.#judge(counts, nodes, signal);
    return undefined;
  }

  /** Greets new ones, and forgets those that are gone. */
  #meet(nodes: readonly ReadonlyNode[]): void {
    const tell = (node: ReadonlyNode, reason: string, what: string): void =>
      this.#recorder.normal(withKind(node, Node), reason, `Node ${node.metadata.name} event: ${what}`);
    const names = new Set(nodes.map(({ metadata }) => metadata.name));
    for (const [name, { node }] of this.#known) {
      if (names.has(name)) continue;
      this.#known.delete(name);
      this.#unmarked.delete(name);
      this.#queueOf(node).delete(name);
      tell(node, 'RemovingNode', `Removing Node ${name} from Controller`);
    }
    for (const node of nodes) {
      const before = this.#known.get(node.metadata.name);
      const isSame = before !== undefined && before.node.metadata.uid === node.metadata.uid;
      this.#known.set(node.metadata.name, { node, health: isSame ? before.health : undefined });
      if (!isSame) tell(node, 'RegisteredNode', `Registered Node ${node.metadata.name} in Controller`);
    }
  }

  /** Whether it is ready, by its own word or by its silence. */
  async #check(seen: ReadonlyNode, signal: AbortSignal): Promise<string | undefined> {
    const known = this.#known.get(seen.metadata.name);
    if (known === undefined) return undefined;
    let node = seen;
    for (let attempt = 1; ; attempt++) {
      const now = this.#manager.clock.now();
      const lease = this.#leases.find(`${LEASES}/${node.metadata.name}`);
      const { health, conditions, observed, current } = judgeHealth({
        node,
        lease,
        before: known.health,
        now,
        ...this.#options,
      });
      // Noted before anything can go wrong. The process before this one may have died between the node and its pods.
      if (current === 'True') this.#unmarked.delete(node.metadata.name);
      else if (current === 'Unknown' && (known.health?.ready?.status ?? 'True') === 'True')
        this.#unmarked.add(node.metadata.name);
      try {
        if (conditions !== undefined) {
          const next = deepCopy<Node>(node);
          next.status = { ...next.status, conditions: deepCopy(conditions) };
          node = await this.#nodes.status.update(next, { signal });
        }
        known.health = health;
        if (current !== undefined) await this.#follow(node, observed, current, signal);
        return current;
      } catch (error) {
        if (isNotFound(error)) return current;
        // It may have reported this moment, so it is judged anew.
        if (!isConflict(error) || attempt >= MAX_CONFLICTS) throw error;
        node = await this.#nodes.live().get(node.metadata.name, { signal });
      }
    }
  }

  async #follow(node: ReadonlyNode, observed: string, current: string, signal: AbortSignal): Promise<void> {
    const name = node.metadata.name;
    const taints = withEvictionTaint(node, current, this.#now());
    if (taints === undefined || current === 'True' || isEvicted(node)) {
      // To go back, or from one reason to the other, needs no patience.
      this.#queueOf(node).delete(name);
      if (taints !== undefined) await this.#writer.setEviction(node, current, signal);
    }
    // Its turn comes after the round, which says how fast pods may be moved off the zone.
    else this.#queueOf(node).add(name);
    if (current === 'True') return;
    if (observed === 'True')
      this.#recorder.normal(withKind(node, Node), 'NodeNotReady', `Node ${name} status is now: NodeNotReady`);
    if (!this.#unmarked.has(name)) return;
    const pods = await this.#podsByNode.list(name, signal);
    if (await markNotReady(this.#pods, pods, { now: this.#now(), recorder: this.#recorder, signal }))
      this.#unmarked.delete(name);
  }

  async #judge(
    counts: ReadonlyMap<string, ZoneCount>,
    nodes: readonly ReadonlyNode[],
    signal: AbortSignal,
  ): Promise<void> {
    const { isTotal, rates } = judgeZones(counts, this.#options);
    const was = this.#isTotal;
    this.#isTotal = isTotal;
    for (const [zone, rate] of rates) this.#queue(zone).rate = rate;
    for (const zone of this.#queues.keys()) this.#controller?.enqueue(ZONE + zone);
    if (isTotal && !was)
      for (const seen of nodes) {
        const node = await this.#nodes.find(seen.metadata.name, { signal });
        if (node !== undefined) await this.#writer.setEviction(node, 'True', signal);
      }
    // Who comes back from a time without news gives every node its time again.
    const now = this.#manager.clock.now();
    if (was && !isTotal)
      for (const known of this.#known.values())
        if (known.health !== undefined) known.health = { ...known.health, heardAt: now };
  }

  async #evictNext(zone: string, signal: AbortSignal): Promise<ReconcileResult | undefined> {
    const queue = this.#queue(zone);
    const { clock } = this.#manager;
    const name = queue.take(clock.now());
    const node = name === undefined ? undefined : await this.#nodes.find(name, { signal });
    if (node !== undefined) {
      await this.#writer.setEviction(node, undefined, signal);
      this.#metrics.evicted(zone);
    }
    const waitMs = queue.waitMs(clock.now());
    return Number.isFinite(waitMs) ? { requeueAfterMs: Math.max(1, waitMs) } : undefined;
  }

  #queueOf(node: ReadonlyNode): EvictionQueue {
    return this.#queue(zoneOf(node));
  }

  #queue(zone: string): EvictionQueue {
    let queue = this.#queues.get(zone);
    if (queue === undefined) {
      queue = new EvictionQueue(this.#options.evictionRate);
      this.#queues.set(zone, queue);
    }
    return queue;
  }

  #now(): string {
    return formatTime(this.#manager.clock.now());
  }
}
