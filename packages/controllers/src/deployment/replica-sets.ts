import {
  controllerOf,
  type DeepReadonly,
  deepCopy,
  findCondition,
  hasStatusCause,
  isAlreadyExists,
  isBeingDeleted,
  keyOf,
  type Served,
} from '@windlass/apimachinery';
import { type Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import type { PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import { toError } from '@windlass/base';
import type { EventRecorder, KindClient } from '@windlass/runtime';
import { HashCollisionError } from '../errors.ts';
import { annotationsOf, byCreation } from '../shared/meta.ts';
import { withKind } from '../shared/pod-control.ts';
import { isSameTemplate } from '../shared/pod-template.ts';
import { byRevision, newSetAnnotations, nextRevision, REVISION, withSizes } from './annotations.ts';
import { maxSurgeOf, type ReadonlyReplicaSet, type Resize, replicasOf } from './arithmetic.ts';
import type { DeploymentWriter } from './deployment-writer.ts';
import { newSetFor } from './new-set.ts';
import { hasProgressDeadline } from './status.ts';

export interface ReplicaSetsOptions {
  readonly writer: DeploymentWriter;
  /** All that belong to the deployment; a list of its own, which is changed. */
  readonly sets: ReadonlyReplicaSet[];
  readonly replicaSets: KindClient<ReplicaSet>;
  readonly recorder: EventRecorder;
  readonly signal: AbortSignal;
}

export interface Sets {
  /** The one with the deployment's template. */
  readonly current: ReadonlyReplicaSet | undefined;
  readonly old: readonly ReadonlyReplicaSet[];
}

/** The set with the template. Where there are several, the oldest one, so that all who look agree. */
function setWithTemplate(
  template: DeepReadonly<PodTemplateSpec> | undefined,
  sets: readonly ReadonlyReplicaSet[],
): ReadonlyReplicaSet | undefined {
  return sets.toSorted(byCreation).find((set) => isSameTemplate(set.spec?.template, template));
}

const NO_LIMIT = 2 ** 31 - 1;

/** Finds, makes, sizes and deletes the sets of one deployment. */
export class ReplicaSets {
  readonly #options: ReplicaSetsOptions;
  readonly #writer: DeploymentWriter;

  constructor(options: ReplicaSetsOptions) {
    this.#options = options;
    this.#writer = options.writer;
  }

  get #deployment(): Served<Deployment> {
    return this.#writer.deployment;
  }

  /** Finds the set with the current template, and brings its revision up to date; makes it if it is asked to. */
  async sync(create: boolean): Promise<Sets> {
    const { sets } = this.#options;
    const found = setWithTemplate(this.#deployment.spec?.template, sets);
    const old = sets.filter(
      (set) => set !== found && set.metadata.uid !== (found === undefined ? '' : found.metadata.uid),
    );
    const revision = nextRevision(old);
    if (found !== undefined) return { current: await this.#keepUp(found, revision), old };
    if (!create) return { current: undefined, old };
    return { current: await this.#create(old, revision), old };
  }

  /** Returns the sets as they are then. */
  async apply(sets: Sets, plan: readonly Resize[]): Promise<Sets> {
    let { current, old } = sets;
    for (const { set, replicas } of plan) {
      const written = await this.#resize(set, replicas);
      if (set === current) current = written;
      else old = old.map((other) => (other === set ? written : other));
    }
    return { current, old };
  }

  /** Deletes the oldest sets that are empty, beyond those that are kept to go back to. */
  async cleanUp(old: readonly ReadonlyReplicaSet[]): Promise<void> {
    const { replicaSets, signal } = this.#options;
    const limit = this.#deployment.spec?.revisionHistoryLimit;
    if (limit === undefined || limit === NO_LIMIT) return;
    const kept = old
      .filter((set) => !isBeingDeleted(set))
      .toSorted((a, b) => byRevision(a, b) || byCreation(a, b));
    for (const set of kept.slice(0, Math.max(0, kept.length - limit))) {
      const { status, metadata } = set;
      const isEmpty = (status?.replicas ?? 0) === 0 && replicasOf(set) === 0;
      // Its status must be about what it is now.
      if (!isEmpty || (metadata?.generation ?? 0) > (status?.observedGeneration ?? 0)) continue;
      await replicaSets.delete(keyOf(set), { preconditions: { uid: set.metadata.uid }, signal });
    }
  }

  async #keepUp(found: ReadonlyReplicaSet, revision: bigint): Promise<ReadonlyReplicaSet> {
    const { replicaSets, signal } = this.#options;
    const annotations = newSetAnnotations(this.#deployment, annotationsOf(found), revision);
    const minReadySeconds = this.#deployment.spec?.minReadySeconds ?? 0;
    if (annotations !== annotationsOf(found) || (found.spec?.minReadySeconds ?? 0) !== minReadySeconds) {
      const changed = deepCopy(found);
      changed.metadata = { ...changed.metadata, annotations: { ...annotations } };
      if (changed.spec !== undefined) changed.spec.minReadySeconds = minReadySeconds;
      const written = await replicaSets.update(changed, { signal });
      this.#replace(found, written);
      return written;
    }
    const isNoted = this.#writer.setRevision(annotationsOf(found)[REVISION]);
    const isUnsaid = findCondition(this.#deployment.status?.conditions, 'Progressing') === undefined;
    if (hasProgressDeadline(this.#deployment) && isUnsaid)
      await this.#writer.writeProgress(
        'True',
        'FoundNewReplicaSet',
        `Found new replica set "${found.metadata.name}"`,
      );
    else if (isNoted) await this.#writer.writeStatus(this.#deployment.status);
    return found;
  }

  async #create(
    old: readonly ReadonlyReplicaSet[],
    revision: bigint,
  ): Promise<Served<ReplicaSet> | undefined> {
    const { replicaSets, signal } = this.#options;
    const set = newSetFor(this.#deployment, old, revision);
    const { name } = set.metadata;
    let created: Served<ReplicaSet> | undefined;
    let isNew = true;
    try {
      created = await replicaSets.create(set, { signal });
    } catch (error) {
      if (isAlreadyExists(error)) {
        created = await this.#sameNamed(name);
        isNew = false;
      } else {
        if (!hasStatusCause(error, 'NamespaceTerminating'))
          await this.#noteFailedCreate(name, toError(error));
        throw error;
      }
    }
    if (isNew && replicasOf(created) > 0) this.#tellScaled(created, 0, replicasOf(created));
    const isNoted = this.#writer.setRevision(String(revision));
    if (isNew && hasProgressDeadline(this.#deployment))
      await this.#writer.writeProgress(
        'True',
        'NewReplicaSetCreated',
        `Created new replica set "${created.metadata.name}"`,
      );
    else if (isNoted) await this.#writer.writeStatus(this.#deployment.status);
    return created;
  }

  /**
   * The name is taken. By the very set that was wanted: an earlier run made it, and nobody saw. By another
   * one: two templates share a hash, and the next run, with one more collision, finds another name.
   */
  async #sameNamed(name: string): Promise<Served<ReplicaSet>> {
    const { replicaSets, signal } = this.#options;
    const existing = await replicaSets.live(this.#deployment.metadata.namespace).get(name, { signal });
    const isOurs = controllerOf(existing)?.uid === this.#deployment.metadata.uid;
    if (isOurs && isSameTemplate(existing.spec?.template, this.#deployment.spec?.template)) return existing;
    const collisionCount = (this.#deployment.status?.collisionCount ?? 0) + 1;
    await this.#writer.writeStatus({ ...this.#deployment.status, collisionCount });
    throw new HashCollisionError(
      `replica set ${this.#deployment.metadata.namespace}/${name}`,
      collisionCount,
    );
  }

  async #noteFailedCreate(name: string, error: Error): Promise<void> {
    const message = `Failed to create new replica set "${name}": ${error.message}`;
    this.#options.recorder.warning(this.#writer.subject, 'ReplicaSetCreateError', message);
    if (hasProgressDeadline(this.#deployment))
      // The error itself matters more than whether it could be noted.
      await this.#writer.writeProgress('False', 'ReplicaSetCreateError', message).catch(() => {});
  }

  async #resize(set: ReadonlyReplicaSet, replicas: number): Promise<ReadonlyReplicaSet> {
    const { replicaSets, signal } = this.#options;
    const before = replicasOf(set);
    const desired = replicasOf(this.#deployment);
    const sizes = { desired, max: desired + maxSurgeOf(this.#deployment) };
    const annotations = withSizes(annotationsOf(set), sizes);
    if (before === replicas && annotations === annotationsOf(set)) return set;
    const changed = deepCopy(set);
    changed.metadata = { ...changed.metadata, annotations: { ...annotations } };
    if (changed.spec !== undefined) changed.spec.replicas = replicas;
    const written = await replicaSets.update(changed, { signal });
    if (before !== replicas) this.#tellScaled(written, before, replicas);
    return written;
  }

  #tellScaled(set: Served<ReplicaSet>, before: number, after: number): void {
    const direction = after > before ? 'up' : 'down';
    this.#options.recorder.normal(
      this.#writer.subject,
      'ScalingReplicaSet',
      `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${after}`,
      // Each step is an event of its own, and not another time of the one before.
      { related: withKind(set, ReplicaSet), action: `ScaleFrom${before}To${after}` },
    );
  }

  #replace(before: ReadonlyReplicaSet, after: ReadonlyReplicaSet): void {
    const { sets } = this.#options;
    // A second look in the same run must see what the first one wrote.
    sets[sets.indexOf(before)] = after;
  }
}
