import {
  controllerReferenceTo,
  type DeepReadonly,
  deepCopy,
  deepEqual,
  isAlreadyExists,
  isBeingDeleted,
  keyOf,
  type OwnerReference,
  selectorFromObject,
} from '@windlass/apimachinery';
import { ControllerRevision, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import { PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { toError } from '@windlass/base';
import type {
  CachedKind,
  EventRecorder,
  KindClient,
  Manager,
  ReconcileContext,
  ReconcileOutcome,
} from '@windlass/runtime';
import { ClaimGoingError } from '../errors.ts';
import type { ControllerOptions } from '../options/controller-options.ts';
import { adoptDependents } from '../shared/adoption.ts';
import { controllerAndSelectorMapping, orphanChangesMatter } from '../shared/dependent-mapping.ts';
import { OwnerIndex } from '../shared/owner-index.ts';
import { withKind } from '../shared/pod-control.ts';
import type { ReadonlyPod } from '../shared/pods.ts';
import { type ReadonlyRevision, templateIn } from '../shared/revisions.ts';
import { updateStatus } from '../shared/update-status.ts';
import { planSet, type Step } from './plan.ts';
import { Revisions } from './revisions.ts';
import {
  claimOwners,
  claimsFor,
  identified,
  newPod,
  ordinalOf,
  type ReadonlyStatefulSet,
  replicasOf,
  revisionOf,
  startOf,
} from './stateful-pods.ts';
import { statefulSetStatus } from './status.ts';

/** Keeps pods that have a name, a place in a row and storage of their own. */
export function addStatefulSetController(manager: Manager, options: ControllerOptions): void {
  new StatefulSetController(manager).register(manager, options);
}

class StatefulSetController {
  readonly #manager: Manager;
  readonly #sets: KindClient<StatefulSet>;
  readonly #cachedSets: CachedKind<StatefulSet>;
  readonly #pods: KindClient<Pod>;
  readonly #claims: KindClient<PersistentVolumeClaim>;
  readonly #byOwner: OwnerIndex<Pod>;
  readonly #revisionKind: KindClient<ControllerRevision>;
  readonly #revisionsByOwner: OwnerIndex<ControllerRevision>;
  readonly #revisions: Revisions;

  constructor(manager: Manager) {
    this.#manager = manager;
    this.#sets = manager.objects(StatefulSet);
    this.#cachedSets = manager.cluster.cache.kind(StatefulSet);
    this.#pods = manager.objects(Pod);
    this.#claims = manager.objects(PersistentVolumeClaim);
    this.#byOwner = new OwnerIndex(this.#pods);
    this.#revisionKind = manager.objects(ControllerRevision);
    this.#revisionsByOwner = new OwnerIndex(this.#revisionKind);
    this.#revisions = new Revisions(this.#revisionKind);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    const toSets = controllerAndSelectorMapping<Pod, StatefulSet>(StatefulSet, this.#cachedSets, ({ spec }) =>
      selectorFromObject(spec?.selector),
    );
    manager
      .controller(name)
      .for(StatefulSet)
      .watches(Pod, toSets, { predicates: [orphanChangesMatter] })
      .reconcile((key, context) => this.#reconcile(key, context), { concurrency });
  }

  async #reconcile(key: string, context: ReconcileContext): Promise<ReconcileOutcome> {
    const { signal } = context;
    const set = await this.#sets.find(key, { signal });
    if (set === undefined) return undefined;
    const owner = { owner: set, ownerType: StatefulSet, owners: this.#sets, signal };
    const selector = selectorFromObject(set.spec?.selector);
    await adoptDependents<StatefulSet, ControllerRevision>({
      ...owner,
      selector,
      dependents: this.#revisionKind,
      candidates: await this.#revisionsByOwner.candidates(set, signal),
    });
    const candidates = await this.#byOwner.candidates(set, signal);
    const pods = await adoptDependents<StatefulSet, Pod>({
      ...owner,
      selector,
      dependents: this.#pods,
      // A pod of another name is never one of the set, whatever its labels are.
      candidates: candidates.filter((pod) => ordinalOf(set, pod) !== undefined),
    });
    const all = await this.#revisions.list(set, signal);
    const revisions = await this.#revisions.sync(set, all, signal);
    const now = this.#manager.clock.now();
    const { current, update } = revisions;
    const steps = planSet({ set, pods, current: current.metadata.name, update: update.metadata.name, now });
    let failure: Error | undefined;
    let isNameTaken = false;
    try {
      if (!isBeingDeleted(set)) await this.#retain(set, pods, signal, teller(set, context.recorder));
      for (const step of steps)
        isNameTaken =
          (await this.#take(step, set, [current, update], context)) === 'name taken' || isNameTaken;
    } catch (error) {
      failure = toError(error);
    }
    const { status, nextAvailableInMs } = statefulSetStatus(set, pods, revisions, now);
    const old = { ...set.status };
    // The status was made just now, so its fields are those of the type.
    const isSame = Object.entries(status).every(([field, value]) =>
      deepEqual(old[field as keyof typeof old] ?? (typeof value === 'number' ? 0 : ''), value),
    );
    if (!isSame) await updateStatus<StatefulSet>(this.#sets, set, (now_) => ({ ...now_, status }), signal);
    const live = new Set([current.metadata.name, update.metadata.name, ...pods.map(revisionOf)]);
    await this.#revisions.trim(set, all, live, signal);
    if (failure !== undefined) throw failure;
    // The pod that has the name may belong to somebody else, whose events do not lead here.
    if (isNameTaken) return { requeue: true };
    return Number.isFinite(nextAvailableInMs) ? { requeueAfterMs: nextAvailableInMs + 1000 } : undefined;
  }

  async #take(
    step: Step,
    set: ReadonlyStatefulSet,
    revisions: readonly ReadonlyRevision[],
    { recorder, signal }: ReconcileContext,
  ): Promise<'done' | 'name taken'> {
    const say = teller(set, recorder);
    if (step.type === 'claims') {
      await this.#ensureClaims(set, step.ordinal, say, signal);
      return 'done';
    }
    if (step.type === 'identify') {
      await this.#pods.update(identified(set, step.pod, step.ordinal), { signal });
      return 'done';
    }
    if (step.type === 'delete') {
      const what = `Pod ${step.pod.metadata.name}`;
      try {
        await this.#pods.delete(keyOf(step.pod), { preconditions: { uid: step.pod.metadata.uid }, signal });
        say('Delete', what);
      } catch (error) {
        say('Delete', what, error);
        throw error;
      }
      return 'done';
    }
    const revision = revisions.find((one) => one.metadata.name === step.revision);
    const template = revision === undefined ? (set.spec?.template ?? {}) : templateIn(revision);
    const pod = newPod(set, template, step.ordinal, step.revision);
    await this.#ensureClaims(set, step.ordinal, say, signal);
    try {
      const created = await this.#pods.create(pod, { signal });
      // A claim of its name may be there from before, with owners of that time.
      await this.#retain(set, [created], signal);
      say('Create', `Pod ${created.metadata.name}`);
    } catch (error) {
      // The one before is still going, or was made by a run that nobody saw.
      if (isAlreadyExists(error)) return 'name taken';
      say('Create', `Pod ${set.metadata.name}-${step.ordinal}`, error);
      throw error;
    }
    return 'done';
  }

  async #ensureClaims(
    set: ReadonlyStatefulSet,
    ordinal: number,
    say: Say,
    signal: AbortSignal,
  ): Promise<void> {
    for (const wanted of claimsFor(set, ordinal)) {
      const found = await this.#claims.find(keyOf(wanted), { signal });
      if (found !== undefined && isBeingDeleted(found)) throw new ClaimGoingError(keyOf(wanted));
      if (found !== undefined) continue;
      const what = `Claim ${wanted.metadata?.name} Pod ${set.metadata.name}-${ordinal}`;
      const owners = this.#ownersOf(set, undefined, claimOwners(set, false).set, false);
      try {
        await this.#claims.create(
          {
            ...wanted,
            metadata: { ...wanted.metadata, ...(owners.length > 0 && { ownerReferences: owners }) },
          },
          { signal },
        );
        say('Create', what);
      } catch (error) {
        if (isAlreadyExists(error)) {
          await this.#checkStays(wanted, signal);
          continue;
        }
        say('Create', what, error);
        throw error;
      }
    }
  }

  /** The cache does not know of the claim: it may be an old one that is on its way out. */
  async #checkStays({ metadata }: PersistentVolumeClaim, signal: AbortSignal): Promise<void> {
    const { name = '', namespace } = metadata ?? {};
    const live = await this.#claims.live(namespace).get(name, { signal });
    if (isBeingDeleted(live)) throw new ClaimGoingError(keyOf(live));
  }

  /** Gives claims the owners that their retention policy asks for, and no others of ours. */
  async #retain(
    set: ReadonlyStatefulSet,
    pods: readonly ReadonlyPod[],
    signal: AbortSignal,
    say?: Say,
  ): Promise<void> {
    if ((set.spec?.volumeClaimTemplates ?? []).length === 0) return;
    const [start, replicas] = [startOf(set), replicasOf(set)];
    for (const pod of pods) {
      const ordinal = ordinalOf(set, pod) ?? -1;
      const isCondemned = ordinal < start || ordinal >= start + replicas;
      const owners = claimOwners(set, isCondemned);
      let hasChanged = false;
      for (const wanted of claimsFor(set, ordinal)) {
        const found = await this.#claims.find(keyOf(wanted), { signal });
        if (found === undefined) continue;
        const before = found.metadata?.ownerReferences ?? [];
        const others = before.filter(({ kind, name }) => !isOurReference(kind, name, set, pod));
        const after = [...others, ...this.#ownersOf(set, pod, owners.set, owners.pod)];
        if (sameOwners(before, after)) continue;
        const next = deepCopy<PersistentVolumeClaim>(found);
        next.metadata = { ...next.metadata, ownerReferences: deepCopy<OwnerReference[]>(after) };
        await this.#claims.update(next, { signal });
        hasChanged = true;
      }
      if (hasChanged && !isCondemned) say?.('Update', `Pod ${pod.metadata.name}`);
    }
  }

  #ownersOf(
    set: ReadonlyStatefulSet,
    pod: ReadonlyPod | undefined,
    bySet: boolean,
    byPod: boolean,
  ): OwnerReference[] {
    return [
      ...(bySet ? [controllerReferenceTo(set, StatefulSet)] : []),
      ...(byPod && pod !== undefined
        ? [{ apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name, uid: pod.metadata.uid }]
        : []),
    ];
  }
}

type Say = (verb: 'Create' | 'Update' | 'Delete', what: string, error?: unknown) => void;

/** Tells people what was done, or what could not be done. */
function teller(set: ReadonlyStatefulSet, recorder: EventRecorder): Say {
  const subject = withKind(set, StatefulSet);
  return (verb, what, error) => {
    const note = `${verb} ${what} in StatefulSet ${set.metadata.name} `;
    const outcome = what.startsWith('Claim') ? 'success' : 'successful';
    if (error === undefined)
      recorder.normal(subject, `Successful${verb}`, note + outcome, { action: `${verb} ${what}` });
    else recorder.warning(subject, `Failed${verb}`, `${note}failed error: ${toError(error).message}`);
  };
}

function isOurReference(kind: string, name: string, set: ReadonlyStatefulSet, pod: ReadonlyPod): boolean {
  return (
    (kind === 'StatefulSet' && name === set.metadata.name) || (kind === 'Pod' && name === pod.metadata.name)
  );
}

function sameOwners(
  a: readonly DeepReadonly<OwnerReference>[],
  b: readonly DeepReadonly<OwnerReference>[],
): boolean {
  const uids = (list: readonly DeepReadonly<OwnerReference>[]): string[] =>
    list.map(({ uid }) => uid).toSorted();
  return deepEqual(uids(a), uids(b));
}
