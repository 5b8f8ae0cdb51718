import { type Cached, controllerOf, type DeepReadonly, isBeingDeleted } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { toError } from '@windlass/base';
import type { CachedKind, KindClient, Manager, ReconcileContext, ReconcileOutcome } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { adoptDependents } from '../shared/adoption.ts';
import { controllerAndSelectorMapping, orphanChangesMatter } from '../shared/dependent-mapping.ts';
import { generationOf } from '../shared/meta.ts';
import { OwnerIndex } from '../shared/owner-index.ts';
import { PodControl, podFromTemplate } from '../shared/pod-control.ts';
import { podsToDelete } from '../shared/pod-ranking.ts';
import { isActive, isTerminal, type ReadonlyPod } from '../shared/pods.ts';
import { slowStart } from '../shared/slow-start.ts';
import { TerminatingRefusals } from '../shared/terminating-refusals.ts';
import { updateStatus } from '../shared/update-status.ts';
import {
  type Replicated,
  type ReplicatedKind,
  type ReplicatedStatus,
  replicaSetKind,
  replicationControllerKind,
} from './replicated.ts';
import { isSameStatus, replicatedStatus } from './status.ts';

/** No more pods than this are created or deleted in one run: others want to be heard as well. */
export const BURST_REPLICAS = 500;

/**
 * To count the pods of a large set takes milliseconds, and while they start each of them is a reason to count
 * again. So a set with nothing to create or delete rests after it was counted, for a time that grows with it:
 * 100 ms for 5,000 pods. With `npm run bench -- controllers/embedded` that is a tenth of all time.
 */
const PODS_COUNTED_A_MS = 50;

/** Keeps as many pods as a ReplicaSet wants. */
export function addReplicaSetController(manager: Manager, options: ControllerOptions): void {
  new ReplicasController(manager, replicaSetKind).register(manager, options);
}

/** Keeps as many pods as a ReplicationController wants. */
export function addReplicationControllerController(manager: Manager, options: ControllerOptions): void {
  new ReplicasController(manager, replicationControllerKind).register(manager, options);
}

/**
 * Keeps as many pods as a ReplicaSet or a ReplicationController wants.
 *
 * It needs no expectations: a list of pods waits until the cache has seen every pod that this process has
 * created or deleted, and asks the server where that takes too long. So a run never counts with less than
 * what earlier runs did.
 */
class ReplicasController<T extends Replicated> {
  readonly #kind: ReplicatedKind<T>;
  readonly #manager: Manager;
  readonly #sets: KindClient<T>;
  readonly #cachedSets: CachedKind<T>;
  readonly #pods: KindClient<Pod>;
  readonly #refusals: TerminatingRefusals;
  readonly #byOwner: OwnerIndex<Pod>;
  /** Until when large sets rest, by key, on the clock that never jumps. */
  readonly #rests = new Map<string, number>();

  constructor(manager: Manager, kind: ReplicatedKind<T>) {
    this.#kind = kind;
    this.#manager = manager;
    this.#sets = manager.objects(kind.type);
    this.#cachedSets = manager.cluster.cache.kind(kind.type);
    this.#pods = manager.objects(Pod);
    this.#refusals = new TerminatingRefusals(manager.clock);
    this.#byOwner = new OwnerIndex(this.#pods);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    const kind = this.#kind;
    const toSets = controllerAndSelectorMapping<Pod, T>(kind.type, this.#cachedSets, (set) =>
      kind.selector(set),
    );
    manager
      .controller(name)
      .for(kind.type)
      .watches(Pod, toSets, { predicates: [orphanChangesMatter] })
      .reconcile((key, context) => this.#reconcile(key, context), {
        concurrency,
        recorder: manager.recorder(kind.eventSource),
      });
  }

  async #reconcile(key: string, context: ReconcileContext): Promise<ReconcileOutcome> {
    const { signal } = context;
    const restsForMs = (this.#rests.get(key) ?? 0) - this.#manager.clock.monotonic();
    if (restsForMs > 0) return { requeueAfterMs: restsForMs };
    this.#rests.delete(key);
    const set = await this.#sets.find(key, { signal });
    if (set === undefined) return undefined;
    const selector = this.#kind.selector(set);
    const candidates = (await this.#byOwner.candidates(set, signal)).filter((pod) => !isTerminal(pod));
    const active = await adoptDependents<T, Pod>({
      owner: set,
      ownerType: this.#kind.type,
      owners: this.#sets,
      selector,
      dependents: this.#pods,
      candidates: candidates.filter((pod) => !isBeingDeleted(pod)),
      signal,
    });
    let error: Error | undefined;
    if (!isBeingDeleted(set)) error = await this.#manage(set, active, context);
    const now = this.#manager.clock.now();
    const terminating = candidates.filter(
      (pod) =>
        isBeingDeleted(pod) &&
        controllerOf(pod)?.uid === set.metadata.uid &&
        selector.matches(pod.metadata?.labels),
    ).length;
    const { status, nextAvailableInMs } = replicatedStatus({
      set,
      template: this.#kind.template(set),
      active,
      // Only ReplicaSets have the field.
      terminating: this.#kind.type.kind === 'ReplicaSet' ? terminating : undefined,
      error,
      now,
    });
    await this.#writeStatus(set, status, signal);
    if (error !== undefined) throw error;
    if (active.length >= BURST_REPLICAS && active.length === set.spec?.replicas)
      this.#rests.set(key, this.#manager.clock.monotonic() + active.length / PODS_COUNTED_A_MS);
    // The second more covers that times in objects are cut to seconds.
    if (Number.isFinite(nextAvailableInMs)) return { requeueAfterMs: nextAvailableInMs + 1000 };
    return undefined;
  }

  /** Creates what is missing, or deletes what is too much. Returns what went wrong. */
  async #manage(
    set: Cached<T>,
    active: readonly ReadonlyPod[],
    { recorder, signal }: ReconcileContext,
  ): Promise<Error | undefined> {
    const wanted = set.spec?.replicas ?? 1;
    const difference = active.length - wanted;
    const template = this.#kind.template(set);
    if (difference === 0 || template === undefined) return undefined;
    const ownerType = this.#kind.type;
    const control = new PodControl<T>({
      pods: this.#pods,
      owner: set,
      ownerType,
      refusals: this.#refusals,
      recorder,
      signal,
    });
    const count = Math.min(Math.abs(difference), BURST_REPLICAS);
    if (difference < 0) {
      const pod = podFromTemplate(template, set, ownerType);
      return (await slowStart(count, () => control.create(pod))).error;
    }
    const related = await this.#relatedPods(set, signal);
    const victims = podsToDelete(active, count, related, this.#manager.clock.now());
    const results = await Promise.allSettled(victims.map((pod) => control.delete(pod)));
    const failed = results.find((result) => result.status === 'rejected');
    return failed === undefined ? undefined : toError(failed.reason);
  }

  /** Active pods of all sets that have the same owner: during a rollout they do the same work. */
  async #relatedPods(set: Cached<T>, signal: AbortSignal): Promise<readonly ReadonlyPod[]> {
    const owner = controllerOf(set)?.uid;
    const sets =
      owner === undefined
        ? [set]
        : this.#cachedSets
            .list({ namespace: set.metadata.namespace ?? '' })
            .filter((other) => controllerOf(other)?.uid === owner);
    const pods = await Promise.all(
      sets.map((other) => this.#byOwner.controlledBy(other.metadata.uid, signal)),
    );
    return pods.flat().filter(isActive);
  }

  async #writeStatus(set: Cached<T>, status: ReplicatedStatus, signal: AbortSignal): Promise<void> {
    const old: DeepReadonly<ReplicatedStatus> | undefined = set.status;
    if (isSameStatus(old, status) && old?.observedGeneration === generationOf(set)) return;
    await updateStatus<T>(this.#sets, set, (current) => ({ ...current, status }), signal);
  }
}
