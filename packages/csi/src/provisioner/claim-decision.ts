import { type DeepReadonly, hasFinalizer, isBeingDeleted } from '@windlass/apimachinery';
import type { PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { annotation, PENDING_FINALIZER, provisionerOf, SELECTED_NODE } from '../sidecar/names.ts';

export type ClaimDecision =
  /** Nothing to do with us, or nothing to do. */
  | 'ignore'
  /** It has its volume: our finalizer has done its duty. */
  | 'release'
  /** It goes away, and there may be storage that no volume object tells of. */
  | 'abandon'
  /** Its class is not there. */
  | 'no class'
  | 'provision';

export interface ClaimFacts {
  readonly claim: DeepReadonly<PersistentVolumeClaim>;
  readonly driver: string;
  readonly storageClass: DeepReadonly<StorageClass> | undefined;
  /** Whether the object of its volume is there. */
  readonly hasVolume: boolean;
  /** Whether its source decides where its volume is, so that it waits for nobody. @default false */
  readonly isPlaced?: boolean;
}

/** What is to be done about a claim. */
export function decideClaim(facts: ClaimFacts): ClaimDecision {
  const { claim, driver, storageClass, hasVolume, isPlaced } = facts;
  // The binder names the driver when a pod's node is known.
  const by = provisionerOf(claim) ?? (isPlaced === true ? storageClass?.provisioner : undefined);
  if (by !== driver) return 'ignore';
  const isPending = hasFinalizer(claim, PENDING_FINALIZER);
  // Deletion of a volume is its own matter, whatever becomes of its claim.
  if (hasVolume || (claim.spec?.volumeName ?? '') !== '') return isPending ? 'release' : 'ignore';
  if (isBeingDeleted(claim)) return isPending ? 'abandon' : 'ignore';
  if (storageClass === undefined) return 'no class';
  if (storageClass.provisioner !== driver) return 'ignore';
  const waits = storageClass.volumeBindingMode === 'WaitForFirstConsumer' && isPlaced !== true;
  return waits && !annotation(claim, SELECTED_NODE) ? 'ignore' : 'provision';
}
