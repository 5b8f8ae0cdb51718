import {
  compareResourceVersions,
  deepCopy,
  isBeingDeleted,
  isConflict,
  isNotFound,
  keyOf,
  SELECTED_NODE,
  type Served,
  volumeForClaim,
  volumeReaches,
} from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { orAbort, withDeadline } from '@windlass/base';
import type { Manager } from '@windlass/runtime';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { VolumeBindingError } from '../errors.ts';
import { type BindingPlugin, type Rejection, rejects } from '../framework/plugin.ts';
import type { ReadonlyClaim, ReadonlyVolume } from '../framework/volume-view.ts';
import type { ClusterVolumes } from './cluster-volumes.ts';
import { claimsOf, isFullyBound, type PodVolumes, volumesFor } from './pod-volumes.ts';

export interface VolumeBinderOptions {
  readonly manager: Manager;
  readonly volumes: ClusterVolumes;
  readonly nodeOf: (name: string) => NodeInfo | undefined;
  /** How long a pod's volumes may take. */
  readonly timeoutMs: number;
}

/** What a pod's claims are, and what has to be done for them, when its node was chosen. */
interface Reserved extends PodVolumes {
  readonly bound: readonly ReadonlyClaim[];
}

/** What was written, by the version that the caches have to reach before they can be believed. */
interface Written {
  readonly volumes: Map<string, string>;
  readonly claims: Map<string, string>;
}

const NAME = 'VolumeBinding';
const MAX_CONFLICTS = 3;

/**
 * Gives a pod's claims their volumes before the pod gets its node: it names the claim in volumes that are
 * there, and the node in claims that somebody makes a volume for. The rest is the binder's and the
 * provisioner's work; the pod is bound when they are done, or goes back when that cannot be.
 *
 * Claims are read once more from the server, before anything is done for them and when all has been done. Those of stateful
 * sets come back under their names: for a pod that is bound because the claim before its own had a volume, nobody would
 * make one.
 */
export class VolumeBinder implements BindingPlugin {
  readonly name = NAME;
  readonly #options: VolumeBinderOptions;
  /** By the uid of the pod. */
  readonly #plans = new Map<string, Reserved>();

  constructor(options: VolumeBinderOptions) {
    this.#options = options;
  }

  reserve(pod: PodInfo, node: NodeInfo): Rejection | undefined {
    if (pod.claims.length === 0) return undefined;
    const { volumes } = this.#options;
    const claims = claimsOf(pod, volumes);
    if (typeof claims === 'string') return rejects(NAME, claims, true);
    const plan = volumesFor(claims, node, volumes);
    if (!('bindings' in plan)) return { plugin: NAME, reasons: plan, isUnresolvable: true };
    this.#plans.set(pod.uid, { ...plan, bound: claims.bound });
    for (const { claim, volume } of plan.bindings) {
      const next = volumeForClaim(volume, claim);
      if (next !== undefined) volumes.assumedVolumes.assume(keyOf(volume), volume, next);
    }
    for (const claim of plan.provisions)
      volumes.assumedClaims.assume(keyOf(claim), claim, withNode(claim, node.name));
    return undefined;
  }

  unreserve(pod: PodInfo): void {
    const { volumes } = this.#options;
    const plan = this.#plans.get(pod.uid);
    this.#plans.delete(pod.uid);
    for (const { volume } of plan?.bindings ?? []) volumes.assumedVolumes.forget(keyOf(volume));
    for (const claim of plan?.provisions ?? []) volumes.assumedClaims.forget(keyOf(claim));
  }

  async preBind(pod: PodInfo, node: string, signal: AbortSignal): Promise<void> {
    const plan = this.#plans.get(pod.uid);
    if (plan === undefined) return;
    const { manager, timeoutMs } = this.#options;
    using deadline = withDeadline(
      manager.clock,
      timeoutMs,
      `the binding of the volumes of pod ${pod.key}`,
      signal,
    );
    const { bound, bindings, provisions } = plan;
    const named = bindings.map(({ claim }) => claim);
    const waiting = [...named, ...provisions];
    const check = (claims: readonly ReadonlyClaim[], isDone: boolean): Promise<unknown> =>
      Promise.all(claims.map((claim) => this.#checkClaim(claim, isDone, deadline.signal)));
    // That of a claim for which a volume is made is refused when the claim has changed; that of a volume is not.
    await Promise.all([check(bound, true), check(named, false)]);
    if (waiting.length > 0) {
      const written = await this.#write(plan, node, deadline.signal);
      await this.#wait(() => this.#isDone(plan, node, written), deadline.signal);
      await check([...bound, ...waiting], true);
    }
    this.#plans.delete(pod.uid);
  }

  /** @throws VolumeBindingError when the cache did not know what has become of the claim */
  async #checkClaim({ metadata, spec }: ReadonlyClaim, isDone: boolean, signal: AbortSignal): Promise<void> {
    const { name, namespace, uid } = metadata;
    const says = (what: string): VolumeBindingError =>
      new VolumeBindingError(`persistentvolumeclaim "${name}" ${what}`);
    const live = await this.#options.manager.client
      .resource(PersistentVolumeClaim)
      .namespace(namespace)
      .get(name, { signal })
      .catch((error: unknown) => {
        throw isNotFound(error) ? says('is gone') : error;
      });
    if (live.metadata.uid !== uid) throw says('is another one by now');
    if (isBeingDeleted(live)) throw says('is being deleted');
    if (!isDone) return;
    const isOther = (spec?.volumeName ?? '') !== '' && live.spec?.volumeName !== spec?.volumeName;
    if (!isFullyBound(live) || isOther) throw says('has lost its volume');
  }

  async #write(plan: PodVolumes, node: string, signal: AbortSignal): Promise<Written> {
    const { client } = this.#options.manager;
    const written: Written = { volumes: new Map(), claims: new Map() };
    for (const { claim, volume } of plan.bindings) {
      const next = volumeForClaim(volume, claim);
      if (next === undefined) continue;
      // Refused if anything about the volume has changed: it may be another's by now.
      const { metadata } = await client.resource(PersistentVolume).replace(next, { signal });
      written.volumes.set(keyOf(volume), metadata.resourceVersion);
    }
    for (const claim of plan.provisions) {
      const { metadata } = await this.#selectNode(claim, node, signal);
      written.claims.set(keyOf(claim), metadata.resourceVersion);
    }
    return written;
  }

  /** The binder writes to a new claim too; as long as nobody has chosen, it is ours to choose. */
  async #selectNode(claim: ReadonlyClaim, node: string, signal: AbortSignal): Promise<ReadonlyClaim> {
    const { name, namespace, uid } = claim.metadata;
    const client = this.#options.manager.client.resource(PersistentVolumeClaim).namespace(namespace);
    let current: ReadonlyClaim = claim;
    for (let attempt = 1; ; attempt++) {
      if (current.metadata?.annotations?.[SELECTED_NODE] === node) return current;
      try {
        return await client.replace(withNode(current, node), { signal });
      } catch (error) {
        if (!isConflict(error) || attempt > MAX_CONFLICTS) throw error;
        current = await client.get(name, { signal });
        const isOpen =
          current.metadata.uid === uid &&
          (current.spec?.volumeName ?? '') === '' &&
          [undefined, node].includes(current.metadata?.annotations?.[SELECTED_NODE]);
        if (!isOpen) throw error;
      }
    }
  }

  /** Asks again whenever a claim, a volume or a node has changed. */
  async #wait(isDone: () => boolean, signal: AbortSignal): Promise<void> {
    if (isDone()) return;
    const settled = Promise.withResolvers<void>();
    using _ = this.#options.volumes.listen(() => {
      try {
        if (isDone()) settled.resolve();
      } catch (error) {
        settled.reject(error);
      }
    });
    await orAbort(settled.promise, signal);
  }

  /** @throws VolumeBindingError when it will never be */
  #isDone({ bound, bindings, provisions }: Reserved, node: string, written: Written): boolean {
    const { volumes, nodeOf } = this.#options;
    const place = nodeOf(node)?.node;
    if (place === undefined) throw new VolumeBindingError(`node "${node}" is gone`);
    const checkReach = (volume: ReadonlyVolume): void => {
      if (!volumeReaches(volume, place))
        throw new VolumeBindingError(
          `pv "${volume.metadata.name}" node affinity doesn't match node "${node}"`,
        );
    };
    const claimOf = ({ metadata }: ReadonlyClaim): ReadonlyClaim => {
      const known = volumes.serverClaim(`${metadata.namespace}/${metadata.name}`);
      if (known?.metadata.uid !== metadata.uid || known === undefined)
        throw new VolumeBindingError(`persistentvolumeclaim "${metadata.name}" is gone`);
      if (isBeingDeleted(known))
        throw new VolumeBindingError(`persistentvolumeclaim "${metadata.name}" is being deleted`);
      return known;
    };
    for (const claim of bound) claimOf(claim);
    for (const { claim, volume } of bindings) {
      const now = volumes.serverVolume(keyOf(volume));
      if (now === undefined) throw new VolumeBindingError(`pv "${volume.metadata.name}" is gone`);
      if (isBehind(now, written.volumes.get(keyOf(volume)))) return false;
      checkReach(now);
      if (now.spec?.claimRef?.uid !== claim.metadata.uid)
        throw new VolumeBindingError(`ClaimRef got reset for pv "${volume.metadata.name}"`);
      if (!isFullyBound(claimOf(claim))) return false;
    }
    for (const claim of provisions) {
      const now = claimOf(claim);
      if (isBehind(now, written.claims.get(keyOf(claim)))) return false;
      // A provisioner that cannot do it takes the node away, so that another one is chosen.
      if (now.metadata?.annotations?.[SELECTED_NODE] !== node)
        throw new VolumeBindingError(`provisioning failed for PVC "${claim.metadata.name}"`);
      const volume = volumes.serverVolume(now.spec?.volumeName ?? '');
      if (volume === undefined) return false;
      checkReach(volume);
      if (!isFullyBound(now)) return false;
    }
    return true;
  }
}

function withNode(claim: ReadonlyClaim, node: string): Served<PersistentVolumeClaim> {
  const next = deepCopy(claim);
  next.metadata = { ...next.metadata, annotations: { ...next.metadata.annotations, [SELECTED_NODE]: node } };
  return next;
}

function isBehind({ metadata }: ReadonlyClaim | ReadonlyVolume, version: string | undefined): boolean {
  return version !== undefined && compareResourceVersions(metadata.resourceVersion, version) < 0;
}
