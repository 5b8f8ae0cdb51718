import {
  controllerOf,
  deepEqual,
  isBeingDeleted,
  keyOf,
  type Selector,
  selectorFromObject,
} from '@windlass/apimachinery';
import { ControllerRevision, DaemonSet } from '@windlass/apimachinery/api/apps/v1';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { toError } from '@windlass/base';
import type { KindClient, Manager, ObjectEvent, ReconcileContext, ReconcileOutcome } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { adoptDependents } from '../shared/adoption.ts';
import { controllerAndSelectorMapping, orphanChangesMatter } from '../shared/dependent-mapping.ts';
import { labelsOf } from '../shared/meta.ts';
import { OwnerIndex } from '../shared/owner-index.ts';
import { PodControl, withKind } from '../shared/pod-control.ts';
import { isTerminal, type ReadonlyPod } from '../shared/pods.ts';
import type { ReadonlyRevision } from '../shared/revisions.ts';
import { slowStart } from '../shared/slow-start.ts';
import { TerminatingRefusals } from '../shared/terminating-refusals.ts';
import { updateStatus } from '../shared/update-status.ts';
import { newDaemonPod, podsByNode, type ReadonlyDaemonSet } from './daemon-pods.ts';
import { FailedPodsBackoff } from './failed-pods-backoff.ts';
import { DaemonHistory, hashOf } from './history.ts';
import { type EndedPod, type PlacementInput, placePods } from './placement.ts';
import { planUpdate } from './rolling-update.ts';
import { daemonSetStatus, hasCounts } from './status.ts';

/** No more pods than this are created, and no more deleted, in one run. */
const BURST_REPLICAS = 250;

const selectorOf = ({ spec }: ReadonlyDaemonSet): Selector => selectorFromObject(spec?.selector);

/** Keeps one pod on every node that should have one. */
export function addDaemonSetController(manager: Manager, options: ControllerOptions): void {
  new DaemonSetController(manager).register(manager, options);
}

class DaemonSetController {
  readonly #manager: Manager;
  readonly #sets: KindClient<DaemonSet>;
  readonly #nodes: KindClient<Node>;
  readonly #pods: KindClient<Pod>;
  readonly #refusals: TerminatingRefusals;
  readonly #podsByOwner: OwnerIndex<Pod>;
  readonly #revisions: KindClient<ControllerRevision>;
  readonly #revisionsByOwner: OwnerIndex<ControllerRevision>;
  readonly #history: DaemonHistory;
  readonly #backoff: FailedPodsBackoff;

  constructor(manager: Manager) {
    this.#manager = manager;
    this.#sets = manager.objects(DaemonSet);
    this.#nodes = manager.objects(Node);
    this.#pods = manager.objects(Pod);
    this.#refusals = new TerminatingRefusals(manager.clock);
    this.#podsByOwner = new OwnerIndex(this.#pods);
    this.#revisions = manager.objects(ControllerRevision);
    this.#revisionsByOwner = new OwnerIndex(this.#revisions);
    const [sets, revisions, pods] = [this.#sets, this.#revisions, this.#pods];
    this.#history = new DaemonHistory({ sets, revisions, pods });
    this.#backoff = new FailedPodsBackoff(manager.clock);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    const cachedSets = manager.cluster.cache.kind(DaemonSet);
    const predicates = [orphanChangesMatter];
    manager
      .controller(name)
      .for(DaemonSet)
      .watches(Pod, controllerAndSelectorMapping<Pod, DaemonSet>(DaemonSet, cachedSets, selectorOf), {
        predicates,
      })
      .watches(
        ControllerRevision,
        controllerAndSelectorMapping<ControllerRevision, DaemonSet>(DaemonSet, cachedSets, selectorOf),
        { predicates: [orphanChangesMatter, isNotOwnedFromTheStart] },
      )
      .watches(Node, () => cachedSets.list().map(keyOf), { predicates: [eligibilityMayChange] })
      .reconcile((key, context) => this.#reconcile(key, context), { concurrency });
  }

  async #reconcile(key: string, context: ReconcileContext): Promise<ReconcileOutcome> {
    const { signal, recorder } = context;
    const set = await this.#sets.find(key, { signal });
    if (set === undefined) return undefined;
    if (selectorOf(set).isEmpty) {
      const note = 'This daemon set is selecting all pods. A non-empty selector is required.';
      recorder.warning(withKind(set, DaemonSet), 'SelectingAll', note);
      return undefined;
    }
    // Its history may be gone before its pods, so that nothing could be counted.
    if (isBeingDeleted(set)) return undefined;
    const claimPods = (): Promise<readonly ReadonlyPod[]> => this.#claimPods(set, signal);
    const revisions = await this.#claimRevisions(set, signal);
    const { current, old } = await this.#history.sync(set, revisions, claimPods, signal);
    const nodes = await this.#nodes.list({ signal });
    const look = async (): Promise<PlacementInput> => {
      // One that has ended and is on its way out is no longer anybody's concern.
      const pods = (await claimPods()).filter((pod) => !(isTerminal(pod) && isBeingDeleted(pod)));
      return { set, nodes, byNode: podsByNode(pods), hash: hashOf(current), now: this.#manager.clock.now() };
    };
    let seen = await look();
    let failure: Error | undefined;
    let againInMs = Number.POSITIVE_INFINITY;
    try {
      const managed = await this.#manage(seen, context);
      ({ againInMs } = managed);
      if (managed.hasActed) seen = await look();
      await this.#history.trim(set, old, claimPods, signal);
    } catch (error) {
      failure = toError(error);
      seen = await look();
    }
    const { counts, nextAvailableInMs } = daemonSetStatus(seen);
    if (!hasCounts(set, counts))
      await updateStatus<DaemonSet>(
        this.#sets,
        set,
        (now) => ({ ...now, status: { ...now.status, ...counts } }),
        signal,
      );
    if (failure !== undefined) throw failure;
    // The second more covers that times in objects are cut to seconds.
    againInMs = Math.min(againInMs, nextAvailableInMs + 1000);
    return Number.isFinite(againInMs) ? { requeueAfterMs: againInMs } : undefined;
  }

  /** Places pods; when all are in their place, updates some. Says when to look again for the sake of failed ones. */
  async #manage(
    input: PlacementInput,
    context: ReconcileContext,
  ): Promise<{ readonly hasActed: boolean; readonly againInMs: number }> {
    const { set, hash } = input;
    const placement = placePods(input);
    const { due, againInMs } = this.#dueFailures(set, placement.failed);
    const subject = withKind(set, DaemonSet);
    for (const { pod, node } of due)
      context.recorder.warning(
        subject,
        'FailedDaemonPod',
        `Found failed daemon pod ${keyOf(pod)} on node ${node}, will try to kill it`,
      );
    for (const { pod, node } of placement.succeeded)
      context.recorder.normal(
        subject,
        'SucceededDaemonPod',
        `Found succeeded daemon pod ${keyOf(pod)} on node ${node}, will try to delete it`,
      );
    const ended = [...due, ...placement.succeeded].map(({ pod }) => pod);
    const deleted = [...ended, ...placement.delete];
    await this.#sync(set, placement.create, deleted, hash, context);
    if (placement.create.length > 0 || deleted.length > 0) return { hasActed: true, againInMs };
    if (set.spec?.updateStrategy?.type === 'OnDelete') return { hasActed: false, againInMs };
    // Only where all are in their place is it clear what may be updated.
    const step = planUpdate(input);
    await this.#sync(set, step.create, step.delete, hash, context);
    return { hasActed: step.create.length > 0 || step.delete.length > 0, againInMs };
  }

  #dueFailures(
    set: ReadonlyDaemonSet,
    failed: readonly EndedPod[],
  ): { readonly due: readonly EndedPod[]; readonly againInMs: number } {
    let againInMs = Number.POSITIVE_INFINITY;
    const due = failed.filter(({ node }) => {
      // With another template it may go better.
      const inMs = this.#backoff.next(`${set.metadata.uid}/${set.status?.observedGeneration ?? 0}/${node}`);
      if (inMs > 0) againInMs = Math.min(againInMs, inMs);
      return inMs === 0;
    });
    return { due, againInMs };
  }

  async #sync(
    set: ReadonlyDaemonSet,
    create: readonly string[],
    deleted: readonly ReadonlyPod[],
    hash: string,
    { recorder, signal }: ReconcileContext,
  ): Promise<void> {
    const control = new PodControl<DaemonSet>({
      pods: this.#pods,
      owner: set,
      ownerType: DaemonSet,
      refusals: this.#refusals,
      recorder,
      signal,
    });
    const left = create.slice(0, BURST_REPLICAS);
    const { error } = await slowStart(left.length, async () => {
      const node = left.shift();
      if (node !== undefined) await control.create(newDaemonPod(set, node, hash));
    });
    const results = await Promise.allSettled(
      deleted.slice(0, BURST_REPLICAS).map((pod) => control.delete(pod)),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (error !== undefined) throw error;
    if (failed !== undefined) throw toError(failed.reason);
  }

  async #claimPods(set: ReadonlyDaemonSet, signal: AbortSignal): Promise<readonly ReadonlyPod[]> {
    return adoptDependents<DaemonSet, Pod>({
      owner: set,
      ownerType: DaemonSet,
      owners: this.#sets,
      selector: selectorOf(set),
      dependents: this.#pods,
      candidates: await this.#podsByOwner.candidates(set, signal),
      signal,
    });
  }

  async #claimRevisions(set: ReadonlyDaemonSet, signal: AbortSignal): Promise<readonly ReadonlyRevision[]> {
    return adoptDependents<DaemonSet, ControllerRevision>({
      owner: set,
      ownerType: DaemonSet,
      owners: this.#sets,
      selector: selectorOf(set),
      dependents: this.#revisions,
      candidates: await this.#revisionsByOwner.candidates(set, signal),
      signal,
    });
  }
}

/** A node says something every few seconds that concerns no daemon. */
function eligibilityMayChange(event: ObjectEvent<Node>): boolean {
  if (event.type !== 'update') return true;
  const { old, object } = event;
  return (
    old.metadata.name !== object.metadata.name ||
    !deepEqual(labelsOf(old), labelsOf(object)) ||
    !deepEqual(old.spec?.taints ?? [], object.spec?.taints ?? [])
  );
}

/** A revision that is made with its owner was made by this controller, or by somebody who wants it as it is. */
function isNotOwnedFromTheStart({ type, object }: ObjectEvent<ControllerRevision>): boolean {
  return type !== 'add' || controllerOf(object) === undefined;
}
