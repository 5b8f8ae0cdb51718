import {
  BIND_COMPLETED,
  controllerOf,
  findMatchingVolume,
  isBeingDeleted,
  NO_PROVISIONER,
  Quantity,
  requestOf,
  SELECTED_NODE,
  selectorFromObject,
  storageClassOf,
  volumeReaches,
} from '@windlass/apimachinery';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import type { ReadonlyClaim, ReadonlyVolume, VolumeView } from '../framework/volume-view.ts';

/** The claims of one pod. */
export interface PodClaims {
  readonly bound: readonly ReadonlyClaim[];
  /** They get a volume when the pod has a node; the smallest first, so that they leave the big ones. */
  readonly waiting: readonly ReadonlyClaim[];
}

/** What has to be done so that a pod can run on a node. */
export interface PodVolumes {
  readonly bindings: readonly { readonly claim: ReadonlyClaim; readonly volume: ReadonlyVolume }[];
  /** A volume is made for these. */
  readonly provisions: readonly ReadonlyClaim[];
}

export function isFullyBound({ metadata, spec }: ReadonlyClaim): boolean {
  return (spec?.volumeName ?? '') !== '' && metadata?.annotations?.[BIND_COMPLETED] !== undefined;
}

/** Or why no node will do. */
export function claimsOf(info: PodInfo, view: VolumeView): PodClaims | string {
  const claims: ReadonlyClaim[] = [];
  for (const { claim: name, isEphemeral } of info.claims) {
    const claim = view.claim(`${info.namespace}/${name}`);
    if (claim === undefined)
      return isEphemeral
        ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
        : `persistentvolumeclaim "${name}" not found`;
    if (claim.status?.phase === 'Lost')
      return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec?.volumeName ?? ''}"`;
    if (isBeingDeleted(claim)) return `persistentvolumeclaim "${name}" is being deleted`;
    if (isEphemeral && controllerOf(claim)?.uid !== info.uid)
      return `PVC ${info.namespace}/${name} was not created for pod ${info.key} (pod is not owner)`;
    claims.push(claim);
  }
  const bound = claims.filter(isFullyBound);
  const waiting = claims.filter((claim) => !isFullyBound(claim));
  const isPatient = (claim: ReadonlyClaim): boolean =>
    (claim.spec?.volumeName ?? '') === '' &&
    view.storageClass(storageClassOf(claim))?.volumeBindingMode === 'WaitForFirstConsumer';
  if (!waiting.every(isPatient)) return 'pod has unbound immediate PersistentVolumeClaims';
  return { bound, waiting: waiting.toSorted((a, b) => requestOf(a).compare(requestOf(b))) };
}

const WRONG_PLACE = "node(s) didn't match PersistentVolume's node affinity";
const NO_VOLUME = "node(s) didn't find available persistent volumes to bind";
const NO_ROOM = 'node(s) did not have enough free storage';
const GONE = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

/** What to do for a node, or why it will not do. */
export function volumesFor(
  { bound, waiting }: PodClaims,
  info: NodeInfo,
  view: VolumeView,
): PodVolumes | readonly string[] {
  const { node } = info;
  if (node === undefined) return [NO_VOLUME];
  const reasons = new Set<string>();
  for (const { spec } of bound) {
    const volume = view.volume(spec?.volumeName ?? '');
    if (volume === undefined) reasons.add(GONE);
    else if (!volumeReaches(volume, node)) reasons.add(WRONG_PLACE);
  }
  const bindings: { claim: ReadonlyClaim; volume: ReadonlyVolume }[] = [];
  const provisions: ReadonlyClaim[] = [];
  const taken = new Set<string>();
  for (const claim of waiting) {
    const selected = claim.metadata?.annotations?.[SELECTED_NODE];
    if (selected !== undefined && selected !== info.name) {
      reasons.add(NO_VOLUME);
      continue;
    }
    const volume =
      selected === undefined
        ? findMatchingVolume(claim, view.candidates(claim), { node, excluded: taken, waitsForConsumer: true })
        : undefined;
    if (volume !== undefined) {
      taken.add(volume.metadata.name);
      bindings.push({ claim, volume });
      continue;
    }
    const why = cannotProvision(claim, info, view);
    if (why !== undefined) reasons.add(why);
    provisions.push(claim);
  }
  return reasons.size > 0 ? [...reasons] : { bindings, provisions };
}

function cannotProvision(claim: ReadonlyClaim, { labels }: NodeInfo, view: VolumeView): string | undefined {
  const storageClass = view.storageClass(storageClassOf(claim));
  const { provisioner = '', allowedTopologies = [] } = storageClass ?? {};
  if (storageClass === undefined || provisioner === '' || provisioner === NO_PROVISIONER) return NO_VOLUME;
  const isAllowed = allowedTopologies.some(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.every(({ key, values }) => values.includes(labels[key] ?? '') && key in labels),
  );
  if (allowedTopologies.length > 0 && !isAllowed) return NO_VOLUME;
  return hasRoom(claim, provisioner, labels, view) ? undefined : NO_ROOM;
}

/** Drivers that say how much they have left are believed; of others nothing is known. */
function hasRoom(
  claim: ReadonlyClaim,
  provisioner: string,
  labels: Readonly<Record<string, string>>,
  view: VolumeView,
): boolean {
  const request = requestOf(claim);
  if (request.isZero || view.csiDriver(provisioner)?.spec.storageCapacity !== true) return true;
  return view
    .capacities(storageClassOf(claim))
    .some(
      ({ capacity, maximumVolumeSize = capacity, nodeTopology }) =>
        maximumVolumeSize !== undefined &&
        Quantity.from(maximumVolumeSize).compare(request) >= 0 &&
        nodeTopology !== undefined &&
        selectorFromObject(nodeTopology).matches(labels),
    );
}
