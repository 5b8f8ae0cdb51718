import { type Cached, claimsOfPod, deepCopy, isBeingDeleted } from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import type { KindClient, Manager } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { isTerminal, type ReadonlyPod } from '../shared/pods.ts';

const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection';
const VOLUME_PROTECTION = 'kubernetes.io/pv-protection';

const claimsOf = (pod: ReadonlyPod): string[] => claimsOfPod(pod).map(({ claim }) => claim);

/** A pod that has ended needs nothing any more; nor one that no node has, for it cannot have begun. */
function uses(pod: ReadonlyPod, claim: string): boolean {
  return pod.spec?.nodeName !== undefined && !isTerminal(pod) && claimsOf(pod).includes(claim);
}

/** Claims stay until no pod uses them. */
export function addClaimProtectionController(
  manager: Manager,
  { name, concurrency }: ControllerOptions,
): void {
  const claims = manager.objects(PersistentVolumeClaim);
  const pods = manager.objects(Pod);
  const toClaims = (pod: ReadonlyPod): string[] =>
    claimsOf(pod).map((claim) => `${pod.metadata.namespace}/${claim}`);
  manager
    .controller(name)
    .for(PersistentVolumeClaim)
    .watches(Pod, toClaims, {
      predicates: [({ type, object }) => type === 'delete' || isTerminal(object) || isBeingDeleted(object)],
    })
    .reconcile(
      async (key, { signal }) => {
        const claim = await claims.find(key, { signal });
        if (claim === undefined) return;
        if (!isBeingDeleted(claim))
          return setFinalizer<PersistentVolumeClaim>(claims, claim, CLAIM_PROTECTION, true, signal);
        const isUsed = (pod: ReadonlyPod): boolean => uses(pod, claim.metadata.name);
        if ((await pods.list({ namespace: claim.metadata.namespace, signal })).some(isUsed)) return;
        // A pod that came this moment may not be in the cache, and its volume must not go.
        const live = await pods.live(claim.metadata.namespace).listAll({ signal });
        if (!live.items.some(isUsed))
          await setFinalizer<PersistentVolumeClaim>(claims, claim, CLAIM_PROTECTION, false, signal);
      },
      { concurrency },
    );
}

/** Volumes stay as long as they are bound. */
export function addVolumeProtectionController(
  manager: Manager,
  { name, concurrency }: ControllerOptions,
): void {
  const volumes = manager.objects(PersistentVolume);
  manager
    .controller(name)
    .for(PersistentVolume)
    .reconcile(
      async (key, { signal }) => {
        const volume = await volumes.find(key, { signal });
        if (volume === undefined) return;
        if (!isBeingDeleted(volume))
          await setFinalizer<PersistentVolume>(volumes, volume, VOLUME_PROTECTION, true, signal);
        else if (volume.status?.phase !== 'Bound')
          await setFinalizer<PersistentVolume>(volumes, volume, VOLUME_PROTECTION, false, signal);
      },
      { concurrency },
    );
}

async function setFinalizer<T extends PersistentVolume | PersistentVolumeClaim>(
  kind: KindClient<T>,
  object: Cached<T>,
  finalizer: string,
  isWanted: boolean,
  signal: AbortSignal,
): Promise<void> {
  const before = object.metadata?.finalizers ?? [];
  if (before.includes(finalizer) === isWanted) return;
  const finalizers = isWanted ? [...before, finalizer] : before.filter((other) => other !== finalizer);
  const next = deepCopy<T>(object);
  next.metadata = { ...next.metadata, finalizers };
  await kind.update(next, { signal });
}
