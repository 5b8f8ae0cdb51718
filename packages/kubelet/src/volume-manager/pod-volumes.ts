// What a pod wants mounted, found from its spec and the API.
import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Volume,
} from '@windlass/apimachinery/api/core/v1';
import { inlineHandle } from './csi/csi-request.ts';
import { describeFailure, VolumeError } from './errors.ts';
import { OWN_ACCOUNT_VOLUME } from './pod-local/payload.ts';
import {
  CSI_PLUGIN,
  csiName,
  EMPTY_DIR_PLUGIN,
  HOST_PATH_PLUGIN,
  LOCAL_PLUGIN,
  type PluginName,
  persistentName,
  podLocalName,
  type WantedVolume,
} from './volume.ts';
import type { VolumeObjects } from './volume-objects.ts';

/** Kinds that need nothing of the cluster but the pod and what it names. */
const POD_LOCAL: readonly (readonly [keyof Volume, PluginName])[] = [
  ['emptyDir', EMPTY_DIR_PLUGIN],
  ['configMap', 'kubernetes.io/configmap'],
  ['secret', 'kubernetes.io/secret'],
  ['projected', 'kubernetes.io/projected'],
  ['downwardAPI', 'kubernetes.io/downward-api'],
  ['hostPath', HOST_PATH_PLUGIN],
  ['image', 'kubernetes.io/image'],
];

/** Kinds that are there as soon as the pod is, where nothing is written. */
const WITHOUT_FOLDER: readonly (keyof Volume)[] = ['emptyDir', 'downwardAPI', 'hostPath', 'image'];

/** What becomes of volumes on a node. */
export interface NodeUse {
  /** Whether there is a folder to write them in. */
  readonly hasFolder: boolean;
  /** Whether containers look at what is written. */
  readonly hasReaders: boolean;
}

/** The volumes of a pod that somebody has to do something for. */
export function volumesWithWork(pod: Cached<Pod>, use: NodeUse): DeepReadonly<Volume>[] {
  const candidates = (pod.spec?.volumes ?? []).filter((volume) => isWork(volume, use));
  // Most simulated pods have none: what their containers use need not be known then.
  if (candidates.length === 0) return [];
  const { mounts, devices } = usesOf(pod);
  return candidates.filter(({ name }) => mounts.has(name) || devices.has(name));
}

function isWork(volume: DeepReadonly<Volume>, { hasFolder, hasReaders }: NodeUse): boolean {
  // Every pod has one, and each costs a signature: not for nobody.
  if (volume.name.startsWith(OWN_ACCOUNT_VOLUME)) return hasFolder && hasReaders;
  return hasFolder || !WITHOUT_FOLDER.some((field) => volume[field] !== undefined);
}

interface Uses {
  readonly mounts: ReadonlySet<string>;
  readonly devices: ReadonlySet<string>;
}

/** The volumes that containers of the pod use, and how. Others are never mounted. */
export function usesOf({ spec }: DeepReadonly<Pod>): Uses {
  const mounts = new Set<string>();
  const devices = new Set<string>();
  for (const { volumeMounts, volumeDevices } of [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ]) {
    for (const { name } of volumeMounts ?? []) mounts.add(name);
    for (const { name } of volumeDevices ?? []) devices.add(name);
  }
  return { mounts, devices };
}

/** @throws VolumeError for what cannot be mounted, now or ever */
export async function wantedVolume(
  pod: Cached<Pod>,
  volume: DeepReadonly<Volume>,
  objects: VolumeObjects,
  signal: AbortSignal,
): Promise<WantedVolume> {
  const { name } = volume;
  const { uid, namespace } = pod.metadata;
  for (const [field, plugin] of POD_LOCAL)
    if (volume[field] !== undefined)
      return {
        kind: 'pod-local',
        name,
        specName: name,
        plugin,
        uniqueName: podLocalName(plugin, uid, name),
        isReadOnly: false,
        source: volume,
      };
  if (volume.csi !== undefined) {
    const about = (await objects.driver(volume.csi.driver, signal))?.spec;
    return {
      kind: 'inline',
      name,
      specName: name,
      plugin: CSI_PLUGIN,
      uniqueName: podLocalName(CSI_PLUGIN, uid, name),
      csi: { driver: volume.csi.driver, handle: inlineHandle(uid, name), isInline: true },
      isReadOnly: volume.csi.readOnly === true,
      source: volume.csi,
      isRepublished: about?.requiresRepublish === true,
    };
  }
  const claimName =
    volume.persistentVolumeClaim?.claimName ??
    (volume.ephemeral === undefined ? undefined : `${pod.metadata.name}-${name}`);
  if (claimName === undefined) {
    const kind = Object.keys(volume).find((field) => field !== 'name') ?? 'nothing';
    throw new VolumeError(`volume "${name}" is of kind ${kind}, for which this node has no volume plugin`);
  }
  try {
    return await persistent(
      pod,
      volume,
      await boundVolume(pod, volume, claimName, objects, signal),
      objects,
      signal,
    );
  } catch (error) {
    throw new VolumeError(`error processing PVC ${namespace}/${claimName}: ${describeFailure(error)}`, error);
  }
}

interface Bound {
  readonly claim: Cached<PersistentVolumeClaim>;
  readonly persistentVolume: Cached<PersistentVolume>;
}

async function boundVolume(
  pod: Cached<Pod>,
  volume: DeepReadonly<Volume>,
  claimName: string,
  objects: VolumeObjects,
  signal: AbortSignal,
): Promise<Bound> {
  const { namespace, uid } = pod.metadata;
  const claim = await objects.claim(namespace, claimName, signal);
  if (claim === undefined)
    throw new VolumeError(
      `failed to fetch PVC from API server: persistentvolumeclaims "${claimName}" not found`,
    );
  // A claim of the same name that somebody else has made holds somebody else's data.
  if (
    volume.ephemeral !== undefined &&
    claim.metadata?.ownerReferences?.some((owner) => owner.controller === true && owner.uid === uid) !== true
  )
    throw new VolumeError(
      `PVC ${namespace}/${claimName} was not created for pod ${namespace}/${pod.metadata.name} (pod is not owner)`,
    );
  if (claim.metadata?.deletionTimestamp !== undefined) throw new VolumeError('PVC is being deleted');
  if (claim.status?.phase !== 'Bound') throw new VolumeError('PVC is not bound');
  const name = claim.spec?.volumeName ?? '';
  if (name === '') throw new VolumeError('PVC has empty pvc.Spec.VolumeName');
  const persistentVolume = await objects.volume(name, signal);
  if (persistentVolume === undefined)
    throw new VolumeError(
      `failed to fetch PV ${name} from API server: persistentvolumes "${name}" not found`,
    );
  const owner = persistentVolume.spec?.claimRef?.uid;
  if (owner !== claim.metadata.uid)
    throw new VolumeError(
      `found PV object ${name} but its pv.Spec.ClaimRef.UID ${owner ?? '""'} does not point to claim.UID ${claim.metadata.uid}`,
    );
  return { claim, persistentVolume };
}

async function persistent(
  pod: Cached<Pod>,
  volume: DeepReadonly<Volume>,
  { claim, persistentVolume }: Bound,
  objects: VolumeObjects,
  signal: AbortSignal,
): Promise<WantedVolume> {
  const { name } = volume;
  const { spec } = persistentVolume;
  const specName = persistentVolume.metadata.name;
  const mode = spec?.volumeMode ?? 'Filesystem';
  const { mounts, devices } = usesOf(pod);
  if (mounts.has(name) && mode !== 'Filesystem')
    throw new VolumeError(`volume ${name} has volumeMode ${mode}, but is specified in volumeMounts`);
  if (devices.has(name))
    throw new VolumeError(
      mode === 'Block'
        ? `volume ${name} has volumeMode Block, which this node cannot mount yet; use Filesystem`
        : `volume ${name} has volumeMode ${mode}, but is specified in volumeDevices`,
    );
  const base = {
    name,
    specName,
    isReadOnly: volume.persistentVolumeClaim?.readOnly === true,
    claim,
    volume: persistentVolume,
  };
  if (spec?.csi !== undefined) {
    const { driver, volumeHandle: handle } = spec.csi;
    const about = (await objects.driver(driver, signal))?.spec;
    return {
      ...base,
      kind: 'csi',
      plugin: CSI_PLUGIN,
      uniqueName: csiName(driver, handle),
      csi: { driver, handle, isInline: false },
      source: spec.csi,
      // Without word from the driver it is on the safe side.
      isAttachable: about?.attachRequired !== false,
      isRepublished: about?.requiresRepublish === true,
    };
  }
  if (spec?.local !== undefined)
    return {
      ...base,
      kind: 'local',
      plugin: LOCAL_PLUGIN,
      uniqueName: persistentName(LOCAL_PLUGIN, specName),
      path: spec.local.path,
    };
  if (spec?.hostPath !== undefined)
    return {
      kind: 'pod-local',
      name,
      specName,
      isReadOnly: base.isReadOnly,
      plugin: HOST_PATH_PLUGIN,
      uniqueName: podLocalName(HOST_PATH_PLUGIN, pod.metadata.uid, specName),
      source: { name, hostPath: spec.hostPath },
    };
  throw new VolumeError(`PV ${specName} is of a kind for which this node has no volume plugin`);
}
