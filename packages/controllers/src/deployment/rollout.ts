import { controllerOf, findCondition, type Served } from '@windlass/apimachinery';
import type { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import type { EventRecorder, KindClient, ReconcileOutcome } from '@windlass/runtime';
import { isTerminal, type ReadonlyPod } from '../shared/pods.ts';
import { desiredReplicasAnnotation } from './annotations.ts';
import {
  activeSets,
  isSaturated,
  newSetSize,
  onlySet,
  type ReadonlyReplicaSet,
  type Resize,
  replicasOf,
  scaleDownOld,
  scaleInProportion,
  sum,
} from './arithmetic.ts';
import { DeploymentWriter } from './deployment-writer.ts';
import { ReplicaSets, type Sets } from './replica-sets.ts';
import {
  checkDeadlineInMs,
  deploymentStatus,
  hasProgressDeadline,
  isComplete,
  rolloutStatus,
} from './status.ts';

export interface RolloutOptions {
  /** A copy that is the rollout's own. */
  readonly deployment: Served<Deployment>;
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

/** One look at one deployment, and the next step of it. */
export class Rollout {
  readonly #options: RolloutOptions;
  readonly #writer: DeploymentWriter;
  readonly #sets: ReplicaSets;

  constructor(options: RolloutOptions) {
    this.#options = options;
    this.#writer = new DeploymentWriter(options);
    this.#sets = new ReplicaSets({ ...options, writer: this.#writer });
  }

  get deployment(): Served<Deployment> {
    return this.#writer.deployment;
  }

  /** Only counts; for one that is being deleted. */
  async statusOnly(): Promise<void> {
    await this.#writePlainStatus(await this.#sets.sync(false));
  }

  /** Paused, or only its size changed: nothing new is made. */
  async scale(): Promise<void> {
    const sets = await this.#sets.sync(false);
    const resized = await this.#sets.apply(sets, this.#scalePlan(sets));
    if (this.deployment.spec?.paused === true) await this.#sets.cleanUp(resized.old);
    await this.#writePlainStatus(resized);
  }

  async rolling(): Promise<ReconcileOutcome> {
    const sets = await this.#sets.sync(true);
    const { current, old } = sets;
    if (current === undefined) return undefined;
    const desired = replicasOf(this.deployment);
    const size = replicasOf(current);
    if (size !== desired) {
      const next = size > desired ? desired : newSetSize(this.deployment, [...old, current], size);
      if (next !== size)
        return this.#writeRolloutStatus(await this.#sets.apply(sets, [{ set: current, replicas: next }]));
    }
    const down = scaleDownOld(this.deployment, old, current);
    if (down.length > 0) return this.#writeRolloutStatus(await this.#sets.apply(sets, down));
    if (isComplete(this.deployment, this.deployment.status)) await this.#sets.cleanUp(old);
    return this.#writeRolloutStatus(sets);
  }

  async recreate(): Promise<ReconcileOutcome> {
    let sets = await this.#sets.sync(false);
    const down = activeSets(sets.old).map((set) => ({ set, replicas: 0 }));
    if (down.length > 0) return this.#writeRolloutStatus(await this.#sets.apply(sets, down));
    if (await this.#hasOldPods(sets)) return this.#writeRolloutStatus(sets);
    if (sets.current === undefined) sets = await this.#sets.sync(true);
    if (sets.current === undefined) return undefined;
    sets = await this.#sets.apply(sets, [{ set: sets.current, replicas: replicasOf(this.deployment) }]);
    if (isComplete(this.deployment, this.deployment.status)) await this.#sets.cleanUp(sets.old);
    return this.#writeRolloutStatus(sets);
  }

  /** Says that it is paused, or no longer, so that the time in between does not count against the deadline. */
  async notePause(): Promise<void> {
    const { spec, status } = this.deployment;
    if (!hasProgressDeadline(this.deployment)) return;
    const reason = findCondition(status?.conditions, 'Progressing')?.reason;
    // What has timed out stays so, paused or not.
    if (reason === 'ProgressDeadlineExceeded') return;
    const isPaused = spec?.paused === true;
    if (isPaused === (reason === 'DeploymentPaused')) return;
    await this.#writer.writeProgress(
      'Unknown',
      isPaused ? 'DeploymentPaused' : 'DeploymentResumed',
      isPaused ? 'Deployment is paused' : 'Deployment is resumed',
    );
  }

  /** Whether the size of the deployment changed since its sets were last sized. */
  async isScaled(): Promise<boolean> {
    const sets = await this.#sets.sync(false);
    const { current, old } = sets;
    // One that recreates sizes several sets by its roll-out alone, which upstream here never gets to.
    if (this.deployment.spec?.strategy?.type === 'Recreate' && this.#scalePlan(sets).length === 0)
      return false;
    return activeSets(current === undefined ? old : [...old, current]).some((set) => {
      const desired = desiredReplicasAnnotation(set);
      return desired !== undefined && desired !== replicasOf(this.deployment);
    });
  }

  #scalePlan({ current, old }: Sets): Resize[] {
    const only = onlySet(current, old);
    if (only !== undefined) return [{ set: only, replicas: replicasOf(this.deployment) }];
    if (isSaturated(this.deployment, current)) return activeSets(old).map((set) => ({ set, replicas: 0 }));
    const isRecreate = this.deployment.spec?.strategy?.type === 'Recreate';
    return isRecreate
      ? []
      : scaleInProportion(this.deployment, current === undefined ? old : [...old, current]);
  }

  async #hasOldPods({ current, old }: Sets): Promise<boolean> {
    if (sum(old.map(({ status }) => status?.replicas ?? 0)) > 0) return true;
    const pods = await this.#options.pods();
    return pods.some(
      (pod) =>
        controllerOf(pod)?.uid !== (current === undefined ? '' : current.metadata.uid) && !isTerminal(pod),
    );
  }

  async #writePlainStatus({ current, old }: Sets): Promise<void> {
    const all = current === undefined ? old : [...old, current];
    const { now } = this.#options;
    await this.#writer.writeIfChanged(
      deploymentStatus({ deployment: this.deployment, all, current, now: now() }),
    );
  }

  async #writeRolloutStatus({ current, old }: Sets): Promise<ReconcileOutcome> {
    const all = current === undefined ? old : [...old, current];
    const now = this.#options.now();
    const status = rolloutStatus({ deployment: this.deployment, all, current, now });
    if (await this.#writer.writeIfChanged(status)) return undefined;
    const inMs = checkDeadlineInMs(this.deployment, status, now);
    return inMs === undefined ? undefined : { requeueAfterMs: inMs };
  }
}
