import {
  deepEqual,
  findCondition,
  formatTime,
  isBeingDeleted,
  isNotFound,
  keyOf,
} from '@windlass/apimachinery';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import type { CachedKind, KindClient, Manager, ReconcileContext, ReconcileResult } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { generationOf } from '../shared/meta.ts';
import { withKind } from '../shared/pod-control.ts';
import type { ReadonlyPod } from '../shared/pods.ts';
import { indexPodsByNode, PODS_BY_NODE } from '../shared/pods-by-node.ts';
import { evictionTime, type ReadonlyTaint, type Since, sinceWhen } from './eviction-time.ts';

const noExecute = (taints: readonly ReadonlyTaint[] | undefined): readonly ReadonlyTaint[] =>
  (taints ?? []).filter(({ effect }) => effect === 'NoExecute');

interface Watched {
  readonly uid: string;
  readonly since: Since;
  /** Whether people were told, or may have noticed, that it has to go. */
  readonly isDoomed: boolean;
}

/** Deletes pods from nodes with taints that they do not tolerate, or not for so long. */
export function addTaintEvictionController(manager: Manager, options: ControllerOptions): void {
  new TaintEvictionController(manager).register(manager, options);
}

class TaintEvictionController {
  readonly #manager: Manager;
  readonly #pods: KindClient<Pod>;
  readonly #nodes: KindClient<Node>;
  readonly #cachedPods: CachedKind<Pod>;
  readonly #cachedNodes: CachedKind<Node>;
  /** Pods on tainted nodes, by key. */
  readonly #watched = new Map<string, Watched>();

  constructor(manager: Manager) {
    this.#manager = manager;
    this.#pods = manager.objects(Pod);
    this.#nodes = manager.objects(Node);
    this.#cachedPods = manager.cluster.cache.kind(Pod);
    this.#cachedNodes = manager.cluster.cache.kind(Node);
    indexPodsByNode(this.#pods);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    manager
      .controller(name)
      .for(Pod, {
        predicates: [
          (event) =>
            event.type !== 'update' ||
            event.old.spec?.nodeName !== event.object.spec?.nodeName ||
            event.old.metadata.uid !== event.object.metadata.uid ||
            !deepEqual(event.old.spec?.tolerations ?? [], event.object.spec?.tolerations ?? []),
          ({ object }) => this.#matters(object),
        ],
      })
      .watches(Node, (node) => this.#cachedPods.byIndex(PODS_BY_NODE, node.metadata.name).map(keyOf), {
        predicates: [
          (event) =>
            event.type !== 'update' ||
            !deepEqual(noExecute(event.old.spec?.taints), noExecute(event.object.spec?.taints)),
        ],
      })
      .reconcile((key, context) => this.#look(key, context), { concurrency });
  }

  /** Of thousands of pods few are on tainted nodes. When a node gets a taint, or comes with one, its pods are told. */
  #matters(pod: ReadonlyPod): boolean {
    if (this.#watched.has(keyOf(pod))) return true;
    const { nodeName = '' } = pod.spec ?? {};
    return nodeName !== '' && noExecute(this.#cachedNodes.get(nodeName)?.spec?.taints).length > 0;
  }

  async #look(key: string, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { signal } = context;
    const pod = await this.#pods.find(key, { signal });
    const known = this.#watched.get(key);
    if (pod === undefined || (known !== undefined && known.uid !== pod.metadata.uid))
      this.#watched.delete(key);
    if (pod === undefined || isBeingDeleted(pod)) return undefined;
    const node = await this.#nodes.find(pod.spec?.nodeName ?? '', { signal });
    const taints = noExecute(node?.spec?.taints);
    const now = this.#manager.clock.now();
    const before = this.#watched.get(key);
    const since = sinceWhen(taints, before?.since ?? new Map(), now);
    const at = evictionTime(taints, pod.spec?.tolerations ?? [], since);
    if (at === Number.POSITIVE_INFINITY) {
      if (before?.isDoomed === true) this.#tell(pod, `Cancelling deletion of Pod ${key}`, context);
      if (since.size === 0) this.#watched.delete(key);
      else this.#watched.set(key, { uid: pod.metadata.uid, since, isDoomed: false });
      return undefined;
    }
    this.#watched.set(key, { uid: pod.metadata.uid, since, isDoomed: true });
    if (at > now) return { requeueAfterMs: at - now };
    this.#tell(pod, `Marking for deletion Pod ${key}`, context);
    await this.#evict(pod, signal);
    return undefined;
  }

  async #evict(pod: ReadonlyPod, signal: AbortSignal): Promise<void> {
    const uid = pod.metadata.uid;
    const before = findCondition(pod.status?.conditions, 'DisruptionTarget');
    const condition = {
      type: 'DisruptionTarget',
      status: 'True' as const,
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
      observedGeneration: generationOf(pod),
      lastTransitionTime:
        before?.status === 'True' && before.lastTransitionTime
          ? before.lastTransitionTime
          : formatTime(this.#manager.clock.now()),
    };
    try {
      await this.#pods.status.patch(
        keyOf(pod),
        { metadata: { uid }, status: { conditions: [condition] } },
        { type: 'strategic', signal },
      );
      await this.#pods.delete(keyOf(pod), { preconditions: { uid }, signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #tell(pod: ReadonlyPod, message: string, { recorder }: ReconcileContext): void {
    recorder.normal(withKind(pod, Pod), 'TaintManagerEviction', message);
  }
}
