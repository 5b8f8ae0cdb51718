import { controllerOf, deepCopy, isBeingDeleted, keyOf, selectorFromObject } from '@windlass/apimachinery';
import { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import type { CachedKind, KindClient, Manager, ReconcileContext, ReconcileOutcome } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { adoptDependents } from '../shared/adoption.ts';
import { controllerAndSelectorMapping, orphanChangesMatter } from '../shared/dependent-mapping.ts';
import { generationOf } from '../shared/meta.ts';
import { OwnerIndex } from '../shared/owner-index.ts';
import { withKind } from '../shared/pod-control.ts';
import type { ReadonlyPod } from '../shared/pods.ts';
import { isRolling, type ReadonlyDeployment, type ReadonlyReplicaSet } from './arithmetic.ts';
import { rollback, rollbackTarget } from './rollback.ts';
import { Rollout } from './rollout.ts';

/** Replaces pods of one kind by pods of another, step by step, through replica sets. */
export function addDeploymentController(manager: Manager, options: ControllerOptions): void {
  new DeploymentController(manager).register(manager, options);
}

class DeploymentController {
  readonly #manager: Manager;
  readonly #deployments: KindClient<Deployment>;
  readonly #cachedDeployments: CachedKind<Deployment>;
  readonly #sets: KindClient<ReplicaSet>;
  readonly #cachedSets: CachedKind<ReplicaSet>;
  readonly #setsByOwner: OwnerIndex<ReplicaSet>;
  readonly #podsByOwner: OwnerIndex<Pod>;

  constructor(manager: Manager) {
    this.#manager = manager;
    this.#deployments = manager.objects(Deployment);
    this.#cachedDeployments = manager.cluster.cache.kind(Deployment);
    this.#sets = manager.objects(ReplicaSet);
    this.#cachedSets = manager.cluster.cache.kind(ReplicaSet);
    this.#setsByOwner = new OwnerIndex(this.#sets);
    this.#podsByOwner = new OwnerIndex(manager.objects(Pod));
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    const toDeployments = controllerAndSelectorMapping<ReplicaSet, Deployment>(
      Deployment,
      this.#cachedDeployments,
      (deployment) => selectorOf(deployment),
    );
    manager
      .controller(name)
      .for(Deployment)
      .watches(ReplicaSet, toDeployments, { predicates: [orphanChangesMatter] })
      // Recreate waits for the last old pod to be gone.
      .watches(Pod, (pod) => this.#recreatedBy(pod), { predicates: [({ type }) => type === 'delete'] })
      .reconcile((key, context) => this.#reconcile(key, context), { concurrency });
  }

  async #reconcile(key: string, { signal, recorder }: ReconcileContext): Promise<ReconcileOutcome> {
    const deployment = await this.#deployments.find(key, { signal });
    if (deployment === undefined) return undefined;
    if (selectorOf(deployment).isEmpty) {
      recorder.warning(
        withKind(deployment, Deployment),
        'SelectingAll',
        'This deployment is selecting all pods. A non-empty selector is required.',
      );
      return this.#observe(deployment, signal);
    }
    const sets = await adoptDependents<Deployment, ReplicaSet>({
      owner: deployment,
      ownerType: Deployment,
      owners: this.#deployments,
      selector: selectorOf(deployment),
      dependents: this.#sets,
      candidates: await this.#setsByOwner.candidates(deployment, signal),
      signal,
    });
    const rollout = new Rollout({
      deployment: deepCopy(deployment),
      sets,
      deployments: this.#deployments,
      replicaSets: this.#sets,
      pods: () => this.#podsOf(sets, signal),
      recorder,
      now: () => this.#manager.clock.now(),
      signal,
    });
    if (isBeingDeleted(deployment)) return rollout.statusOnly();
    await rollout.notePause();
    if (deployment.spec?.paused === true) return rollout.scale();
    const wanted = rollbackTarget(deployment);
    if (wanted !== undefined) {
      const { deployment: next, event } = rollback(rollout.deployment, sets, wanted);
      recorder[event.type](withKind(next, Deployment), event.reason, event.note);
      await this.#deployments.update(next, { signal });
      return undefined;
    }
    if (await rollout.isScaled()) return rollout.scale();
    return isRolling(deployment) ? rollout.rolling() : rollout.recreate();
  }

  async #observe(deployment: ReadonlyDeployment, signal: AbortSignal): Promise<undefined> {
    if ((deployment.status?.observedGeneration ?? 0) >= generationOf(deployment)) return undefined;
    const next = deepCopy<Deployment>(deployment);
    next.status = { ...next.status, observedGeneration: generationOf(deployment) };
    await this.#deployments.status.update(next, { signal });
    return undefined;
  }

  async #podsOf(sets: readonly ReadonlyReplicaSet[], signal: AbortSignal): Promise<readonly ReadonlyPod[]> {
    const pods = await Promise.all(
      sets.map((set) => this.#podsByOwner.controlledBy(set.metadata.uid, signal)),
    );
    return pods.flat();
  }

  #recreatedBy(pod: ReadonlyPod): string[] {
    const set = this.#cachedSets.find(`${pod.metadata.namespace}/${controllerOf(pod)?.name}`);
    if (set === undefined || set.metadata.uid !== controllerOf(pod)?.uid) return [];
    const deployment = this.#cachedDeployments.find(`${pod.metadata.namespace}/${controllerOf(set)?.name}`);
    if (deployment === undefined || deployment.metadata.uid !== controllerOf(set)?.uid) return [];
    return isRolling(deployment) ? [] : [keyOf(deployment)];
  }
}

function selectorOf({ spec }: ReadonlyDeployment): ReturnType<typeof selectorFromObject> {
  return selectorFromObject(spec?.selector);
}
