import {
  controllerOf,
  controllerReferenceTo,
  deepCopy,
  deepEqual,
  findCondition,
  hasStatusCause,
  isAlreadyExists,
  isBeingDeleted,
  keyOf,
} from '@windlass/apimachinery';
import { Deployment, type DeploymentStatus, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { toError } from '@windlass/base';
import type { EventRecorder, KindClient, ReconcileOutcome } from '@windlass/runtime';
import { HashCollisionError } from '../errors.ts';
import { annotationsOf, byCreation, nameOf, namespaceOf, uidOf } from '../shared/meta.ts';
import { withKind } from '../shared/pod-control.ts';
import { isTerminal, type ReadonlyPod } from '../shared/pods.ts';
import {
  desiredReplicasAnnotation,
  newSetAnnotations,
  REVISION,
  revisionOf,
  withSizes,
} from './annotations.ts';
import {
  activeSets,
  isSaturated,
  maxSurgeOf,
  newSetSize,
  onlySet,
  type ReadonlyReplicaSet,
  type Resize,
  replicasOf,
  scaleDownOld,
  scaleInProportion,
  sum,
} from './arithmetic.ts';
import { newCondition, withCondition } from './conditions.ts';
import {
  checkDeadlineInMs,
  deploymentStatus,
  hasProgressDeadline,
  isComplete,
  rolloutStatus,
} from './status.ts';
import { isSameTemplate, POD_TEMPLATE_HASH, setWithTemplate, templateHash } from './template.ts';

export interface RolloutOptions {
  /** A copy that is the rollout's own. */
  readonly deployment: Deployment;
  /** All that belong to it; the rollout's own list, too. */
  readonly sets: ReadonlyReplicaSet[];
  readonly deployments: KindClient<Deployment>;
  readonly replicaSets: KindClient<ReplicaSet>;
  /** The pods of its sets. Asked for where the strategy needs them. */
  readonly pods: () => Promise<readonly ReadonlyPod[]>;
  readonly recorder: EventRecorder;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

interface Sets {
  readonly current: ReadonlyReplicaSet | undefined;
  readonly old: readonly ReadonlyReplicaSet[];
}

const NO_LIMIT = 2 ** 31 - 1;

/** One look at one deployment, and the next step of it. */
export class Rollout {
  readonly #options: RolloutOptions;
  #deployment: Deployment;

  constructor(options: RolloutOptions) {
    this.#options = options;
    this.#deployment = options.deployment;
  }

  get deployment(): Deployment {
    return this.#deployment;
  }

  /** Only counts; for one that is being deleted. */
  async statusOnly(): Promise<void> {
    await this.#writePlainStatus(await this.#sync(false));
  }

  /** Paused, or only its size changed: nothing new is made. */
  async scale(): Promise<void> {
    const sets = await this.#sync(false);
    const resized = await this.#apply(sets, this.#scalePlan(sets));
    if (this.#deployment.spec?.paused === true) await this.cleanUp(resized.old);
    await this.#writePlainStatus(resized);
  }

  async rolling(): Promise<ReconcileOutcome> {
    const sets = await this.#sync(true);
    const { current, old } = sets;
    if (current === undefined) return undefined;
    const desired = replicasOf(this.#deployment);
    const size = replicasOf(current);
    if (size !== desired) {
      const next = size > desired ? desired : newSetSize(this.#deployment, [...old, current], size);
      if (next !== size)
        return this.#writeRolloutStatus(await this.#apply(sets, [{ set: current, replicas: next }]));
    }
    const down = scaleDownOld(this.#deployment, old, current);
    if (down.length > 0) return this.#writeRolloutStatus(await this.#apply(sets, down));
    if (isComplete(this.#deployment, this.#deployment.status)) await this.cleanUp(old);
    return this.#writeRolloutStatus(sets);
  }

  async recreate(): Promise<ReconcileOutcome> {
    let sets = await this.#sync(false);
    const down = activeSets(sets.old).map((set) => ({ set, replicas: 0 }));
    if (down.length > 0) return this.#writeRolloutStatus(await this.#apply(sets, down));
    if (await this.#hasOldPods(sets)) return this.#writeRolloutStatus(sets);
    if (sets.current === undefined) sets = await this.#sync(true);
    if (sets.current === undefined) return undefined;
    sets = await this.#apply(sets, [{ set: sets.current, replicas: replicasOf(this.#deployment) }]);
    if (isComplete(this.#deployment, this.#deployment.status)) await this.cleanUp(sets.old);
    return this.#writeRolloutStatus(sets);
  }

  /** Says that it is paused, or no longer, so that the time in between does not count against the deadline. */
  async notePause(): Promise<void> {
    const { spec, status } = this.#deployment;
    if (!hasProgressDeadline(this.#deployment)) return;
    const reason = findCondition(status?.conditions, 'Progressing')?.reason;
    // What has timed out stays so, paused or not.
    if (reason === 'ProgressDeadlineExceeded') return;
    const isPaused = spec?.paused === true;
    if (isPaused === (reason === 'DeploymentPaused')) return;
    await this.#writeProgress(
      'Unknown',
      isPaused ? 'DeploymentPaused' : 'DeploymentResumed',
      isPaused ? 'Deployment is paused' : 'Deployment is resumed',
    );
  }

  /** Whether the size of the deployment changed since its sets were last sized. */
  async isScaled(): Promise<boolean> {
    const { current, old } = await this.#sync(false);
    return activeSets(current === undefined ? old : [...old, current]).some((set) => {
      const desired = desiredReplicasAnnotation(set);
      return desired !== undefined && desired !== replicasOf(this.#deployment);
    });
  }

  /** Deletes the oldest sets that are empty, beyond those that are kept to go back to. */
  async cleanUp(old: readonly ReadonlyReplicaSet[]): Promise<void> {
    const { replicaSets, signal } = this.#options;
    const limit = this.#deployment.spec?.revisionHistoryLimit;
    if (limit === undefined || limit === NO_LIMIT) return;
    const kept = old
      .filter((set) => !isBeingDeleted(set))
      .toSorted((a, b) => revisionOf(a) - revisionOf(b) || byCreation(a, b));
    for (const set of kept.slice(0, Math.max(0, kept.length - limit))) {
      const { status, metadata } = set;
      const isEmpty = (status?.replicas ?? 0) === 0 && replicasOf(set) === 0;
      // Its status must be about what it is now.
      if (!isEmpty || (metadata?.generation ?? 0) > (status?.observedGeneration ?? 0)) continue;
      await replicaSets.delete(keyOf(set), { preconditions: { uid: uidOf(set) }, signal });
    }
  }

  /** Finds the set with the current template, and brings its revision up to date; makes it if it is asked to. */
  async #sync(create: boolean): Promise<Sets> {
    const { sets } = this.#options;
    const found = setWithTemplate(this.#deployment.spec?.template, sets);
    const old = sets.filter(
      (set) => set !== found && uidOf(set) !== (found === undefined ? '' : uidOf(found)),
    );
    const revision = old.reduce((max, set) => Math.max(max, revisionOf(set)), 0) + 1;
    if (found !== undefined) return { current: await this.#keepUp(found, revision), old };
    if (!create) return { current: undefined, old };
    return { current: await this.#create(old, revision), old };
  }

  async #keepUp(found: ReadonlyReplicaSet, revision: number): Promise<ReadonlyReplicaSet> {
    const { replicaSets, signal } = this.#options;
    const annotations = newSetAnnotations(this.#deployment, annotationsOf(found), revision);
    const minReadySeconds = this.#deployment.spec?.minReadySeconds ?? 0;
    if (annotations !== annotationsOf(found) || (found.spec?.minReadySeconds ?? 0) !== minReadySeconds) {
      const changed = deepCopy<ReplicaSet>(found);
      changed.metadata = { ...changed.metadata, annotations: { ...annotations } };
      if (changed.spec !== undefined) changed.spec.minReadySeconds = minReadySeconds;
      const written = await replicaSets.update(changed, { signal });
      this.#replace(found, written);
      return written;
    }
    const isNoted = this.#setRevision(annotationsOf(found)[REVISION]);
    const isUnsaid = findCondition(this.#deployment.status?.conditions, 'Progressing') === undefined;
    if (hasProgressDeadline(this.#deployment) && isUnsaid)
      await this.#writeProgress('True', 'FoundNewReplicaSet', `Found new replica set "${nameOf(found)}"`);
    else if (isNoted) await this.#writeDeploymentStatus(this.#deployment.status);
    return found;
  }

  async #create(old: readonly ReadonlyReplicaSet[], revision: number): Promise<ReplicaSet | undefined> {
    const { replicaSets, signal } = this.#options;
    const set = this.#newSet(old, revision);
    let created: ReplicaSet | undefined;
    let isNew = true;
    try {
      created = await replicaSets.create(set, { signal });
    } catch (error) {
      if (isAlreadyExists(error)) {
        created = await this.#sameNamed(set);
        isNew = false;
      } else {
        if (!hasStatusCause(error, 'NamespaceTerminating')) await this.#noteFailedCreate(set, toError(error));
        throw error;
      }
    }
    if (isNew && replicasOf(created) > 0) this.#tellScaled(created, 0, replicasOf(created));
    const isNoted = this.#setRevision(String(revision));
    if (isNew && hasProgressDeadline(this.#deployment))
      await this.#writeProgress(
        'True',
        'NewReplicaSetCreated',
        `Created new replica set "${nameOf(created)}"`,
      );
    else if (isNoted) await this.#writeDeploymentStatus(this.#deployment.status);
    return created;
  }

  #newSet(old: readonly ReadonlyReplicaSet[], revision: number): ReplicaSet {
    const { spec, status } = this.#deployment;
    const template = deepCopy(spec?.template ?? {});
    const hash = templateHash(template, status?.collisionCount);
    const labels = { ...template.metadata?.labels, [POD_TEMPLATE_HASH]: hash };
    template.metadata = { ...template.metadata, labels };
    const selector = deepCopy(spec?.selector ?? {});
    const desired = replicasOf(this.#deployment);
    const annotations = withSizes(newSetAnnotations(this.#deployment, {}, revision), {
      desired,
      max: desired + maxSurgeOf(this.#deployment),
    });
    return {
      metadata: {
        name: `${nameOf(this.#deployment)}-${hash}`,
        namespace: namespaceOf(this.#deployment),
        labels: { ...labels },
        annotations: { ...annotations },
        ownerReferences: [controllerReferenceTo(this.#deployment, Deployment)],
      },
      spec: {
        replicas: newSetSize(this.#deployment, old, 0),
        ...(spec?.minReadySeconds !== undefined && { minReadySeconds: spec.minReadySeconds }),
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [POD_TEMPLATE_HASH]: hash } },
        template,
      },
    };
  }

  /**
   * The name is taken. By the very set that was wanted: an earlier run made it, and nobody saw. By another
   * one: two templates share a hash, and the next run, with one more collision, finds another name.
   */
  async #sameNamed(set: ReplicaSet): Promise<ReplicaSet> {
    const { replicaSets, signal } = this.#options;
    const existing = await replicaSets.live(namespaceOf(set)).get(nameOf(set), { signal });
    const isOurs = controllerOf(existing)?.uid === uidOf(this.#deployment);
    if (isOurs && isSameTemplate(existing.spec?.template, this.#deployment.spec?.template)) return existing;
    const collisionCount = (this.#deployment.status?.collisionCount ?? 0) + 1;
    await this.#writeDeploymentStatus({ ...this.#deployment.status, collisionCount });
    throw new HashCollisionError(`replica set ${keyOf(set)}`, collisionCount);
  }

  async #noteFailedCreate(set: ReplicaSet, error: Error): Promise<void> {
    const message = `Failed to create new replica set "${nameOf(set)}": ${error.message}`;
    this.#options.recorder.warning(this.#subject, 'ReplicaSetCreateError', message);
    if (hasProgressDeadline(this.#deployment))
      // The error itself matters more than whether it could be noted.
      await this.#writeProgress('False', 'ReplicaSetCreateError', message).catch(() => {});
  }

  #scalePlan({ current, old }: Sets): Resize[] {
    const only = onlySet(current, old);
    if (only !== undefined) return [{ set: only, replicas: replicasOf(this.#deployment) }];
    if (isSaturated(this.#deployment, current)) return activeSets(old).map((set) => ({ set, replicas: 0 }));
    const isRecreate = this.#deployment.spec?.strategy?.type === 'Recreate';
    return isRecreate
      ? []
      : scaleInProportion(this.#deployment, current === undefined ? old : [...old, current]);
  }

  async #apply(sets: Sets, plan: readonly Resize[]): Promise<Sets> {
    let { current, old } = sets;
    for (const { set, replicas } of plan) {
      const written = await this.#resize(set, replicas);
      if (set === current) current = written;
      else old = old.map((other) => (other === set ? written : other));
    }
    return { current, old };
  }

  async #resize(set: ReadonlyReplicaSet, replicas: number): Promise<ReadonlyReplicaSet> {
    const { replicaSets, signal } = this.#options;
    const before = replicasOf(set);
    const desired = replicasOf(this.#deployment);
    const sizes = { desired, max: desired + maxSurgeOf(this.#deployment) };
    const annotations = withSizes(annotationsOf(set), sizes);
    if (before === replicas && annotations === annotationsOf(set)) return set;
    const changed = deepCopy<ReplicaSet>(set);
    changed.metadata = { ...changed.metadata, annotations: { ...annotations } };
    if (changed.spec !== undefined) changed.spec.replicas = replicas;
    const written = await replicaSets.update(changed, { signal });
    if (before !== replicas) this.#tellScaled(written, before, replicas);
    return written;
  }

  #tellScaled(set: ReplicaSet, before: number, after: number): void {
    const direction = after > before ? 'up' : 'down';
    this.#options.recorder.normal(
      this.#subject,
      'ScalingReplicaSet',
      `Scaled ${direction} replica set ${nameOf(set)} from ${before} to ${after}`,
      // Each step is an event of its own, and not another time of the one before.
      { related: withKind(set, ReplicaSet), action: `ScaleFrom${before}To${after}` },
    );
  }

  async #hasOldPods({ current, old }: Sets): Promise<boolean> {
    if (sum(old.map(({ status }) => status?.replicas ?? 0)) > 0) return true;
    const pods = await this.#options.pods();
    return pods.some(
      (pod) => controllerOf(pod)?.uid !== (current === undefined ? '' : uidOf(current)) && !isTerminal(pod),
    );
  }

  async #writePlainStatus({ current, old }: Sets): Promise<void> {
    const all = current === undefined ? old : [...old, current];
    const { now } = this.#options;
    await this.#writeIfChanged(deploymentStatus({ deployment: this.#deployment, all, current, now: now() }));
  }

  async #writeRolloutStatus({ current, old }: Sets): Promise<ReconcileOutcome> {
    const all = current === undefined ? old : [...old, current];
    const now = this.#options.now();
    const status = rolloutStatus({ deployment: this.#deployment, all, current, now });
    if (await this.#writeIfChanged(status)) return undefined;
    const inMs = checkDeadlineInMs(this.#deployment, status, now);
    return inMs === undefined ? undefined : { requeueAfterMs: inMs };
  }

  async #writeIfChanged(status: DeploymentStatus): Promise<boolean> {
    if (isSame(this.#deployment.status, status)) return false;
    await this.#writeDeploymentStatus(status);
    return true;
  }

  #writeProgress(state: 'True' | 'False' | 'Unknown', reason: string, message: string): Promise<void> {
    const { status } = this.#deployment;
    const now = this.#options.now();
    const condition = newCondition('Progressing', state, reason, message, now);
    return this.#writeDeploymentStatus({
      ...status,
      conditions: [...withCondition(status?.conditions ?? [], condition)],
    });
  }

  /** The annotation goes with the next write of the status, which takes metadata along. */
  #setRevision(revision: string | undefined): boolean {
    const annotations = annotationsOf(this.#deployment);
    if (revision === undefined || annotations[REVISION] === revision) return false;
    this.#deployment.metadata = {
      ...this.#deployment.metadata,
      annotations: { ...annotations, [REVISION]: revision },
    };
    return true;
  }

  async #writeDeploymentStatus(status: DeploymentStatus | undefined): Promise<void> {
    const { deployments, signal } = this.#options;
    this.#deployment = await deployments.status.update(
      { ...this.#deployment, ...(status !== undefined && { status }) },
      { signal },
    );
  }

  #replace(before: ReadonlyReplicaSet, after: ReadonlyReplicaSet): void {
    const { sets } = this.#options;
    // A second look in the same run must see what the first one wrote.
    sets[sets.indexOf(before)] = after;
  }

  get #subject(): Deployment {
    return withKind(this.#deployment, Deployment);
  }
}

/** An absent count is zero: servers leave it out. */
function isSame(old: DeploymentStatus | undefined, next: DeploymentStatus): boolean {
  const { conditions: before = [], ...oldCounts } = old ?? {};
  const { conditions: after = [], ...counts } = next;
  const isSameCount = (field: keyof typeof counts): boolean =>
    (oldCounts[field] ?? 0) === (counts[field] ?? 0);
  return (
    Object.keys(counts).every((field) => isSameCount(field as keyof typeof counts)) &&
    deepEqual(before, after)
  );
}
