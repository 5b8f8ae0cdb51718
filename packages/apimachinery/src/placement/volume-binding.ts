// What binds claims to volumes: the words that those who take part leave on both, and which volume will do.

import {
  type Node,
  type PersistentVolume,
  PersistentVolumeClaim,
  type Pod,
} from '../generated/api/core/v1.ts';
import { deepCopy } from '../json/deep-copy.ts';
import { isBeingDeleted } from '../metadata/finalizers.ts';
import { referenceTo } from '../metadata/references.ts';
import type { DeepReadonly } from '../object.ts';
import { Quantity } from '../quantities/quantity.ts';
import { selectorFromObject } from '../selectors/label-selector.ts';
import type { Cached, Served } from '../served.ts';
import { termMatchesNode } from './node-selection.ts';

type Claim = Cached<PersistentVolumeClaim>;
type Volume = Cached<PersistentVolume>;

/** On a claim: it is bound, and whatever happens to its volume from now on is a loss. */
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
/** On either: a controller has chosen the other, so that it may also take the choice back. */
export const BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
/** On a claim: the scheduler has chosen this node, and a volume may be made for it. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
/** On a claim: who shall make a volume. */
export const STORAGE_PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
/** The older annotation of a claim that names its provisioner. */
export const BETA_STORAGE_PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner';
/** On a volume: who has made it, and will delete it. */
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
/** In a class: nobody makes volumes of it. */
export const NO_PROVISIONER = 'kubernetes.io/no-provisioner';
const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class';

/** Empty when it names none. */
export function storageClassOf({ metadata, spec }: Claim | Volume): string {
  return metadata.annotations?.[BETA_CLASS] ?? spec?.storageClassName ?? '';
}

/** Whether it says anything about its class; the empty one counts. */
export function hasStorageClass({ metadata, spec }: Claim): boolean {
  return metadata.annotations?.[BETA_CLASS] !== undefined || spec?.storageClassName !== undefined;
}

/** Whether the volume is this claim's, by uid or, where somebody bound it by hand, by name alone. */
export function isVolumeBoundTo({ spec }: Volume, { metadata }: Claim): boolean {
  const { claimRef } = spec ?? {};
  if (claimRef?.name !== metadata.name || claimRef.namespace !== metadata.namespace) return false;
  return (claimRef.uid ?? '') === '' || claimRef.uid === metadata.uid;
}

/** Whether both are file systems, or both are block devices. */
export function isSameVolumeMode(claim: Claim, volume: Volume): boolean {
  return (claim.spec?.volumeMode ?? 'Filesystem') === (volume.spec?.volumeMode ?? 'Filesystem');
}

function hasAccessModes({ spec }: Volume, claim: Claim): boolean {
  const modes = new Set(spec?.accessModes);
  return (claim.spec?.accessModes ?? []).every((mode) => modes.has(mode));
}

const storageOf = (amounts: Readonly<Record<string, string | number>> | undefined): Quantity =>
  Quantity.from(amounts?.['storage'] ?? '0');

const sizeOf = ({ spec }: Volume): Quantity => storageOf(spec?.capacity);

/** How much the claim asks for. */
export const requestOf = ({ spec }: Claim): Quantity => storageOf(spec?.resources?.requests);

/** Why a volume that somebody has asked for by name will not do; undefined when it will. */
export function volumeMisfit(volume: Volume, claim: Claim): string | undefined {
  if (isBeingDeleted(volume)) return `the volume is marked for deletion "${volume.metadata.name}"`;
  if (sizeOf(volume).compare(requestOf(claim)) < 0) return 'requested PV is too small';
  if (storageClassOf(volume) !== storageClassOf(claim)) return 'storageClassName does not match';
  if (!isSameAttributesClass(volume, claim)) return 'volumeAttributesClassName does not match';
  if (!isSameVolumeMode(claim, volume)) return 'incompatible volumeMode';
  if (!hasAccessModes(volume, claim)) return 'incompatible accessMode';
  return undefined;
}

function isSameAttributesClass(volume: Volume, claim: Claim): boolean {
  return (volume.spec?.volumeAttributesClassName ?? '') === (claim.spec?.volumeAttributesClassName ?? '');
}

/** Whether pods on the node can reach the volume. */
export function volumeReaches({ spec }: Volume, node: DeepReadonly<Node>): boolean {
  const required = spec?.nodeAffinity?.required;
  // By labels alone: a volume cannot name a node.
  const { labels = {} } = node.metadata ?? {};
  return (
    required === undefined ||
    required.nodeSelectorTerms.some((term) => termMatchesNode(term, { metadata: { labels } }))
  );
}

/** Which volumes a claim may have. */
export interface VolumeMatchOptions {
  /** The node that must reach it. @default any */
  readonly node?: DeepReadonly<Node>;
  /** Names of volumes that are spoken for. @default none */
  readonly excluded?: ReadonlySet<string>;
  /** Without a node, only a volume that somebody has bound to the claim by hand will do. @default false */
  readonly waitsForConsumer?: boolean;
}

/**
 * The volume for a claim: one that names the claim, whatever its class; else, of those that are free and fit,
 * one with as few access modes as can be, and of these the smallest.
 */
export function findMatchingVolume(
  claim: Claim,
  volumes: Iterable<Volume>,
  { node, excluded, waitsForConsumer = false }: VolumeMatchOptions = {},
): Volume | undefined {
  const selector = claim.spec?.selector === undefined ? undefined : selectorFromObject(claim.spec.selector);
  const request = requestOf(claim);
  const className = storageClassOf(claim);
  let best: Volume | undefined;
  for (const volume of volumes) {
    const { metadata, spec, status } = volume;
    const isOurs = isVolumeBoundTo(volume, claim);
    if (excluded?.has(metadata.name) === true || (spec?.claimRef !== undefined && !isOurs)) continue;
    if (isBeingDeleted(volume) || !isSameVolumeMode(claim, volume) || !isSameAttributesClass(volume, claim))
      continue;
    if (!hasAccessModes(volume, claim) || sizeOf(volume).compare(request) < 0) continue;
    const isReached = node === undefined || volumeReaches(volume, node);
    // Somebody wants this very volume, so no other one may take its place.
    if (isOurs) return isReached ? volume : undefined;
    if (!isReached || (node === undefined && waitsForConsumer)) continue;
    if (status?.phase !== 'Available' || storageClassOf(volume) !== className) continue;
    if (selector?.matches(metadata.labels ?? {}) === false) continue;
    if (best === undefined || isBetter(volume, best)) best = volume;
  }
  return best;
}

function isBetter(a: Volume, b: Volume): boolean {
  const modes = (a.spec?.accessModes ?? []).length - (b.spec?.accessModes ?? []).length;
  if (modes !== 0) return modes < 0;
  const size = sizeOf(a).compare(sizeOf(b));
  return size === 0 ? a.metadata.name < b.metadata.name : size < 0;
}

/** The volume as it is when it is the claim's; undefined when it is that already. */
export function volumeForClaim(volume: Volume, claim: Claim): Served<PersistentVolume> | undefined {
  const isChosen = isVolumeBoundTo(volume, claim);
  const hasUid = isChosen && volume.spec?.claimRef?.uid === claim.metadata.uid;
  if (hasUid) return undefined;
  const next = deepCopy(volume);
  next.spec = { ...next.spec, claimRef: referenceTo(claim, { type: PersistentVolumeClaim }) };
  if (!isChosen)
    next.metadata = {
      ...next.metadata,
      annotations: { ...next.metadata.annotations, [BOUND_BY_CONTROLLER]: 'yes' },
    };
  return next;
}

/** A claim that a volume of a pod uses. */
export interface PodClaim {
  /** In the pod's namespace. */
  readonly claim: string;
  readonly volume: string;
  /** It is made for this pod alone, which must own it. */
  readonly isEphemeral: boolean;
}

/** The claims that a pod names, also those that are made for it. */
export function claimsOfPod({ metadata, spec }: Cached<Pod>): PodClaim[] {
  const claims: PodClaim[] = [];
  for (const { name: volume, persistentVolumeClaim, ephemeral } of spec?.volumes ?? []) {
    if (persistentVolumeClaim !== undefined)
      claims.push({ claim: persistentVolumeClaim.claimName, volume, isEphemeral: false });
    else if (ephemeral !== undefined)
      claims.push({ claim: `${metadata.name}-${volume}`, volume, isEphemeral: true });
  }
  return claims;
}
