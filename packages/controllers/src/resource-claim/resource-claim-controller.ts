import {
  type Cached,
  CLAIM_PROTECTION_FINALIZER,
  controllerOf,
  deepCopy,
  isBeingDeleted,
  isClaimForPod,
  isNotFound,
  isReservedForPod,
  keyOf,
  POD_CLAIM_ANNOTATION,
  type PodResourceClaim,
  podConsumer,
  resourceClaimsOfPod,
} from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { ResourceClaim, ResourceClaimTemplate } from '@windlass/apimachinery/api/resource/v1';
import { toError } from '@windlass/base';
import type { CachedKind, KindClient, Manager, ReconcileContext } from '@windlass/runtime';
import { ForeignResourceClaimError, NoClaimTemplateError } from '../errors.ts';
import type { ControllerOptions } from '../options/controller-options.ts';
import { OwnerIndex } from '../shared/owner-index.ts';
import { withKind } from '../shared/pod-control.ts';
import type { ReadonlyPod } from '../shared/pods.ts';
import { generatedClaim } from './generated-claim.ts';
import { isPodDone, planClaim, podNameOf } from './plan-claim.ts';

type ReadonlyClaim = Cached<ResourceClaim>;

/** Pods by the claims that they have. */
const POD_INDEX = 'windlass.dev/resource-claim';

const hasClaims = ({ spec }: ReadonlyPod): boolean => (spec?.resourceClaims ?? []).length > 0;

/** Makes the claims that pods have templates for, and releases claims when nobody uses them any more. */
export function addResourceClaimController(manager: Manager, options: ControllerOptions): void {
  new ResourceClaimController(manager).register(manager, options);
}

class ResourceClaimController {
  readonly #pods: KindClient<Pod>;
  readonly #claims: KindClient<ResourceClaim>;
  readonly #templates: KindClient<ResourceClaimTemplate>;
  readonly #byOwner: OwnerIndex<ResourceClaim>;
  readonly #cachedPods: CachedKind<Pod>;

  constructor(manager: Manager) {
    this.#pods = manager.objects(Pod);
    this.#pods.addIndex(POD_INDEX, claimKeysOf);
    this.#cachedPods = manager.cluster.cache.kind(Pod);
    this.#claims = manager.objects(ResourceClaim);
    this.#templates = manager.objects(ResourceClaimTemplate);
    this.#byOwner = new OwnerIndex(this.#claims);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    manager
      .controller(name)
      .for(Pod, { predicates: [({ type, object }) => type !== 'delete' && hasClaims(object)] })
      // A claim that was made is missed when it goes; one that gets its devices may wait for a pod that has its node.
      .watches(ResourceClaim, (claim) => this.#podsToLookAt(claim))
      .reconcile((key, context) => this.#reconcilePod(key, context), {
        concurrency,
        recorder: manager.recorder('resource_claim'),
      });
    manager
      .controller(`${name}-claims`)
      .for(ResourceClaim)
      .watches(Pod, claimKeysOf, {
        predicates: [({ type, object }) => hasClaims(object) && (type === 'delete' || isPodDone(object))],
      })
      .reconcile((key, { signal }) => this.#reconcileClaim(key, signal), { concurrency });
  }

  async #reconcilePod(key: string, { signal, recorder }: ReconcileContext): Promise<void> {
    const pod = await this.#pods.find(key, { signal });
    if (pod === undefined || isBeingDeleted(pod) || isPodDone(pod)) return;
    const made = new Map<string, string>();
    for (const entry of resourceClaimsOfPod(pod))
      try {
        const claim = await this.#claimFor(pod, entry, signal);
        if (claim !== undefined && claim !== entry.claim) made.set(entry.name, claim);
      } catch (error) {
        const text = `PodResourceClaim ${entry.name}: ${toError(error).message}`;
        recorder.warning(withKind(pod, Pod), 'FailedResourceClaimCreation', text);
        throw error;
      }
    if (made.size > 0) await this.#tell(pod, made, signal);
    else if ((pod.spec?.nodeName ?? '') !== '') await this.#reserve(pod, signal);
  }

  /** The name of the claim of an entry, which is made where it must be; undefined where none is needed. */
  async #claimFor(
    pod: ReadonlyPod,
    { name, claim: known, template, isSettled }: PodResourceClaim,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (template === undefined || (isSettled && known === undefined)) return known;
    if (known !== undefined) {
      const claim = await this.#claims.find(`${pod.metadata.namespace}/${known}`, { signal });
      if (claim !== undefined && !isClaimForPod(claim, pod))
        throw new ForeignResourceClaimError(keyOf(claim), keyOf(pod));
      if (claim !== undefined) return known;
    }
    // One may be there of which the pod could not be told.
    const owned = await this.#byOwner.controlledBy(pod.metadata.uid, signal);
    const orphan = owned.find(({ metadata }) => metadata.annotations?.[POD_CLAIM_ANNOTATION] === name);
    if (orphan !== undefined) return orphan.metadata.name;
    const found = await this.#templates.find(`${pod.metadata.namespace}/${template}`, { signal });
    if (found === undefined) throw new NoClaimTemplateError(template);
    const created = await this.#claims.create(generatedClaim(pod, name, found), { signal });
    return created.metadata.name;
  }

  async #tell(pod: ReadonlyPod, made: ReadonlyMap<string, string>, signal: AbortSignal): Promise<void> {
    const resourceClaimStatuses = Array.from(made, ([name, resourceClaimName]) => ({
      name,
      resourceClaimName,
    }));
    // Entries are merged by their names; others may write the status meanwhile, but not of another pod of this name.
    const { uid } = pod.metadata;
    await this.#pods.status.patch(
      keyOf(pod),
      { metadata: { uid }, status: { resourceClaimStatuses } },
      { type: 'strategic', signal },
    );
  }

  /** The scheduler reserves what it allocates. A pod that somebody else has bound needs it too. */
  async #reserve(pod: ReadonlyPod, signal: AbortSignal): Promise<void> {
    for (const { claim: name } of resourceClaimsOfPod(pod)) {
      if (name === undefined) continue;
      const claim = await this.#claims.find(`${pod.metadata.namespace}/${name}`, { signal });
      if (claim?.status?.allocation === undefined || isBeingDeleted(claim) || isReservedForPod(claim, pod))
        continue;
      const next = deepCopy<ResourceClaim>(claim);
      const reservedFor = [...(next.status?.reservedFor ?? []), podConsumer(pod)];
      await this.#claims.status.update({ ...next, status: { ...next.status, reservedFor } }, { signal });
    }
  }

  async #reconcileClaim(key: string, signal: AbortSignal): Promise<void> {
    const claim = await this.#claims.find(key, { signal });
    if (claim === undefined) return;
    const plan = planClaim(claim, await this.#podsOfClaim(claim, signal));
    let next = deepCopy<ResourceClaim>(claim);
    if (plan.reservedFor !== undefined || plan.deallocates) {
      const status = { ...next.status, reservedFor: [...(plan.reservedFor ?? [])] };
      if (plan.deallocates) delete status.allocation;
      // Refused when something has changed meanwhile: it may have got another consumer.
      next = await this.#claims.status.update({ ...next, status }, { signal });
    }
    if (plan.removesFinalizer) {
      const finalizers = next.metadata?.finalizers?.filter((one) => one !== CLAIM_PROTECTION_FINALIZER);
      await this.#claims.update(
        { ...next, metadata: { ...next.metadata, ...(finalizers !== undefined && { finalizers }) } },
        { signal },
      );
    }
    const { uid } = claim.metadata;
    if (plan.deletes) await this.#claims.delete(key, { preconditions: { uid }, signal });
  }

  /** By their names. A pod that is not in the cache may be too new for it, and so the API server is asked. */
  async #podsOfClaim(claim: ReadonlyClaim, signal: AbortSignal): Promise<Map<string, ReadonlyPod>> {
    const { namespace } = claim.metadata;
    const owner = controllerOf(claim);
    const consumers = (claim.status?.reservedFor ?? []).map(podNameOf);
    const found = new Map<string, ReadonlyPod>();
    for (const name of new Set([...consumers, owner?.kind === 'Pod' ? owner.name : undefined])) {
      if (name === undefined) continue;
      const cached = await this.#pods.find(`${namespace}/${name}`, { signal });
      const pod =
        cached ?? (consumers.includes(name) ? await this.#livePod(namespace, name, signal) : undefined);
      if (pod !== undefined) found.set(name, pod);
    }
    return found;
  }

  /** The pod that a claim was made for, and those on nodes that it is not reserved for yet. */
  #podsToLookAt(claim: ReadonlyClaim): string[] {
    const owner = controllerOf(claim);
    const own = owner?.kind === 'Pod' ? [`${claim.metadata.namespace}/${owner.name}`] : [];
    if (claim.status?.allocation === undefined) return own;
    const users = this.#cachedPods.byIndex(POD_INDEX, keyOf(claim));
    const unserved = users.filter(
      (pod) => (pod.spec?.nodeName ?? '') !== '' && !isReservedForPod(claim, pod),
    );
    return [...own, ...unserved.map(keyOf)];
  }

  async #livePod(namespace: string, name: string, signal: AbortSignal): Promise<ReadonlyPod | undefined> {
    try {
      return await this.#pods.live(namespace).get(name, { signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

function claimKeysOf(pod: ReadonlyPod): string[] {
  return resourceClaimsOfPod(pod).flatMap(({ claim }) =>
    claim === undefined ? [] : [`${pod.metadata.namespace}/${claim}`],
  );
}
