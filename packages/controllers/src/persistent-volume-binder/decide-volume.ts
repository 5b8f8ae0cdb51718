import { BOUND_BY_CONTROLLER, deepCopy, isSameVolumeMode, PROVISIONED_BY } from '@windlass/apimachinery';
import type { PersistentVolume } from '@windlass/apimachinery/api/core/v1';
import { type EventNote, warning } from '../shared/event-note.ts';
import { annotationsOf } from '../shared/meta.ts';
import type { ReadonlyClaim, ReadonlyVolume } from './decide-claim.ts';
import { hasExternalDeleter } from './storage-classes.ts';

const MIGRATED_TO = 'pv.kubernetes.io/migrated-to';

export type VolumeDecision =
  | { readonly kind: 'phase'; readonly phase: 'Available' | 'Bound' }
  /** Its claim is gone. */
  | { readonly kind: 'release' }
  /** Its claim has another volume. */
  | { readonly kind: 'unbind' }
  /** The claim's turn comes, or nobody's. */
  | { readonly kind: 'wait'; readonly mismatch: boolean };

/**
 * What becomes of a volume.
 * @param claim the very claim that the volume names, by its uid; undefined when that is gone for sure
 */
export function decideVolume(volume: ReadonlyVolume, claim: ReadonlyClaim | undefined): VolumeDecision {
  const { claimRef, persistentVolumeReclaimPolicy } = volume.spec ?? {};
  if ((claimRef?.uid ?? '') === '') return { kind: 'phase', phase: 'Available' };
  if (claim === undefined) return { kind: 'release' };
  const chosen = claim.spec?.volumeName ?? '';
  if (chosen === '') return { kind: 'wait', mismatch: !isSameVolumeMode(claim, volume) };
  if (chosen === volume.metadata.name) return { kind: 'phase', phase: 'Bound' };
  // It was made for this claim alone; somebody was quicker.
  const isMade = annotationsOf(volume)[PROVISIONED_BY] !== undefined;
  return isMade && persistentVolumeReclaimPolicy === 'Delete' ? { kind: 'release' } : { kind: 'unbind' };
}

/** Who bound it by hand keeps the name of the claim. */
export function unbound(volume: ReadonlyVolume): PersistentVolume {
  const next = deepCopy<PersistentVolume>(volume);
  const { [BOUND_BY_CONTROLLER]: byController, ...annotations } = next.metadata?.annotations ?? {};
  const { claimRef, ...spec } = next.spec ?? {};
  if (byController === undefined) {
    const { uid: _, ...kept } = claimRef ?? {};
    next.spec = { ...spec, claimRef: kept };
  } else {
    next.spec = spec;
    next.metadata = { ...next.metadata, annotations };
  }
  return next;
}

export type Reclaim =
  /** Nobody, or somebody else, does something. */
  { readonly kind: 'leave' } | { readonly kind: 'fail'; readonly event: EventNote };

/** What becomes of a volume whose claim is gone. */
export function reclaim(volume: ReadonlyVolume, usedBy: readonly string[]): Reclaim {
  const fail = (reason: string, message: string): Reclaim => ({
    kind: 'fail',
    event: warning(reason, message),
  });
  const { csi, persistentVolumeReclaimPolicy: policy } = volume.spec ?? {};
  const { [PROVISIONED_BY]: provisioner = '', [MIGRATED_TO]: migratedTo = '' } = annotationsOf(volume);
  if (migratedTo !== '') return { kind: 'leave' };
  switch (policy) {
    case 'Retain':
      return { kind: 'leave' };
    case 'Delete':
      if (hasExternalDeleter(provisioner) || (provisioner === '' && csi !== undefined))
        return { kind: 'leave' };
      return fail(
        'VolumeFailedDelete',
        `error getting deleter volume plugin for volume "${volume.metadata.name}": no deletable volume plugin matched`,
      );
    case 'Recycle':
      // It cannot be scrubbed under those who use it.
      if (usedBy.length > 0) return { kind: 'leave' };
      return fail('VolumeFailedRecycle', 'No recycler plugin found for the volume!');
    default:
      return fail('VolumeUnknownReclaimPolicy', 'Volume has unrecognized PersistentVolumeReclaimPolicy');
  }
}
