import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type {
  CSIPersistentVolumeSource,
  CSIVolumeSource,
  PersistentVolume,
  PersistentVolumeClaim,
  Volume,
} from '@windlass/apimachinery/api/core/v1';

/** As it stands in names of volumes and, with `~` for `/`, in paths. */
export type PluginName = `kubernetes.io/${string}`;

export const CSI_PLUGIN = 'kubernetes.io/csi';
export const LOCAL_PLUGIN = 'kubernetes.io/local-volume';
export const HOST_PATH_PLUGIN = 'kubernetes.io/host-path';
export const EMPTY_DIR_PLUGIN = 'kubernetes.io/empty-dir';

/** All that is needed to take a volume down; it can be found on the disk again. */
export interface VolumeIdentity {
  /** The same for every pod that shares the volume; operations exclude each other by it. */
  readonly uniqueName: string;
  readonly plugin: PluginName;
  /** Undefined for volumes of other plugins. */
  readonly csi?: CsiIdentity;
}

export interface CsiIdentity {
  readonly driver: string;
  readonly handle: string;
  /** Made for one pod by the driver and gone with it; never staged. */
  readonly isInline: boolean;
}

interface WantedBase extends VolumeIdentity {
  /** What the pod calls it. */
  readonly name: string;
  /** The name of the persistent volume, or what the pod calls it. */
  readonly specName: string;
  readonly isReadOnly: boolean;
}

/** A persistent volume of a CSI driver. */
export interface CsiVolume extends WantedBase {
  readonly kind: 'csi';
  readonly csi: CsiIdentity;
  readonly source: DeepReadonly<CSIPersistentVolumeSource>;
  readonly volume: Cached<PersistentVolume>;
  readonly claim: Cached<PersistentVolumeClaim>;
  /** A VolumeAttachment must say that it is attached before it is mounted. */
  readonly isAttachable: boolean;
  /** The driver wants to be called again and again while it is mounted: what it shows may change. */
  readonly isRepublished: boolean;
}

/** `csi` in a pod itself. */
export interface InlineCsiVolume extends WantedBase {
  readonly kind: 'inline';
  readonly csi: CsiIdentity;
  readonly source: DeepReadonly<CSIVolumeSource>;
  readonly isRepublished: boolean;
}

/** A persistent volume that is a directory of the node. */
export interface LocalVolume extends WantedBase {
  readonly kind: 'local';
  readonly path: string;
  readonly volume: Cached<PersistentVolume>;
  readonly claim: Cached<PersistentVolumeClaim>;
}

/** What lives and dies with the pod: emptyDir, configMap, secret, projected, downwardAPI; and hostPath. */
export interface PodLocalVolume extends WantedBase {
  readonly kind: 'pod-local';
  readonly source: DeepReadonly<Volume>;
}

/** A volume as one pod wants it. */
export type WantedVolume = CsiVolume | InlineCsiVolume | LocalVolume | PodLocalVolume;

/** Whether it is made ready for the node once, before any pod gets it. */
export function hasDevice({ csi }: VolumeIdentity): boolean {
  return csi?.isInline === false;
}

export function persistentName(plugin: PluginName, id: string): string {
  return `${plugin}/${id}`;
}

/** Of a volume that no other pod can share. */
export function podLocalName(plugin: PluginName, uid: string, name: string): string {
  return `${plugin}/${uid}-${name}`;
}

export function csiName(driver: string, handle: string): string {
  return persistentName(CSI_PLUGIN, `${driver}^${handle}`);
}
