import {
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  type Cached,
  hasStorageClass,
  isVolumeBoundTo,
  SELECTED_NODE,
  storageClassOf,
  volumeMisfit,
} from '@windlass/apimachinery';
import type { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { type EventNote, normal, warning } from '../shared/event-note.ts';
import { annotationsOf } from '../shared/meta.ts';
import { externalProvisioner, type ReadonlyClass, waitsForConsumer } from './storage-classes.ts';

export type ReadonlyClaim = Cached<PersistentVolumeClaim>;
export type ReadonlyVolume = Cached<PersistentVolume>;

/** What a claim has around it. */
export interface ClaimContext {
  /** The volume that the claim names, if there is one of this name. */
  readonly named: ReadonlyVolume | undefined;
  /** The best of the others. */
  readonly match: (waits: boolean) => ReadonlyVolume | undefined;
  /** The class that the claim names, if there is one of this name. */
  readonly storageClass: ReadonlyClass | undefined;
  readonly defaultClass: ReadonlyClass | undefined;
  /** Names of pods that want it and have no node yet. */
  readonly waitingPods: readonly string[];
}

export type ClaimDecision =
  | { readonly kind: 'bind'; readonly volume: ReadonlyVolume }
  /** There is a default class now, and the claim has said nothing about its class. */
  | { readonly kind: 'assign-class'; readonly className: string }
  /** Somebody else makes a volume. */
  | { readonly kind: 'provision'; readonly provisioner: string; readonly event: EventNote }
  | { readonly kind: 'pending'; readonly event?: EventNote }
  /** It was bound, and its data is gone. */
  | { readonly kind: 'lost'; readonly event: EventNote }
  /** Nothing is written. */
  | { readonly kind: 'nothing'; readonly event: EventNote };

/** What becomes of a claim. */
export function decideClaim(claim: ReadonlyClaim, context: ClaimContext): ClaimDecision {
  if (annotationsOf(claim)[BIND_COMPLETED] !== undefined) return decideBound(claim, context);
  if ((claim.spec?.volumeName ?? '') !== '') return decideNamed(claim, context);
  const { match, storageClass, defaultClass, waitingPods } = context;
  const waits = waitsForConsumer(storageClass);
  const volume = match(waits);
  if (volume !== undefined) return { kind: 'bind', volume };
  if (!hasStorageClass(claim) && defaultClass !== undefined)
    return { kind: 'assign-class', className: defaultClass.metadata.name };
  if (waits && annotationsOf(claim)[SELECTED_NODE] === undefined)
    return { kind: 'pending', event: waitsFor(waitingPods) };
  const className = storageClassOf(claim);
  if (className !== '') return decideProvisioning(className, storageClass);
  return {
    kind: 'pending',
    event: normal(
      'FailedBinding',
      'no persistent volumes available for this claim and no storage class is set',
    ),
  };
}

function waitsFor(pods: readonly string[]): EventNote {
  if (pods.length === 0)
    return normal('WaitForFirstConsumer', 'waiting for first consumer to be created before binding');
  const which = pods.length === 1 ? `pod ${pods[0]}` : `pods ${pods.join(',')}`;
  return normal('WaitForPodScheduled', `waiting for ${which} to be scheduled`);
}

function decideProvisioning(className: string, storageClass: ReadonlyClass | undefined): ClaimDecision {
  const failed = (message: string): ClaimDecision => ({
    kind: 'nothing',
    event: warning('ProvisioningFailed', message),
  });
  if (storageClass === undefined) return failed(`storageclass.storage.k8s.io "${className}" not found`);
  const provisioner = externalProvisioner(storageClass);
  if (provisioner === undefined) return failed(`no volume plugin matched name: ${storageClass.provisioner}`);
  return {
    kind: 'provision',
    provisioner,
    event: normal(
      'ExternalProvisioning',
      `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`,
    ),
  };
}

/** Not bound yet, but somebody has chosen a volume. */
function decideNamed(claim: ReadonlyClaim, { named }: ClaimContext): ClaimDecision {
  if (named === undefined) return { kind: 'pending' };
  if (named.spec?.claimRef === undefined) {
    const misfit = volumeMisfit(named, claim);
    if (misfit === undefined) return { kind: 'bind', volume: named };
    const message = `Cannot bind to requested volume "${named.metadata.name}": ${misfit}`;
    return { kind: 'pending', event: warning('VolumeMismatch', message) };
  }
  if (isVolumeBoundTo(named, claim)) return { kind: 'bind', volume: named };
  const event = warning(
    'FailedBinding',
    `volume "${named.metadata.name}" already bound to a different claim.`,
  );
  // Our own choice is never another's volume; somebody has meddled, and a status would only hide it.
  return annotationsOf(claim)[BOUND_BY_CONTROLLER] === undefined
    ? { kind: 'pending', event }
    : { kind: 'nothing', event };
}

function decideBound(claim: ReadonlyClaim, { named }: ClaimContext): ClaimDecision {
  const lost = (reason: string, message: string): ClaimDecision => ({
    kind: 'lost',
    event: warning(reason, message),
  });
  if ((claim.spec?.volumeName ?? '') === '')
    return lost(
      'ClaimLost',
      'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
    );
  if (named === undefined)
    return lost('ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
  const { claimRef } = named.spec ?? {};
  // An administrator who takes the reference away wants the two to find each other again.
  if (claimRef === undefined || claimRef.uid === claim.metadata.uid) return { kind: 'bind', volume: named };
  return lost('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
}
