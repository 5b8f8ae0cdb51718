// Requests to a driver, as functions of what the API says.
import { createHash } from 'node:crypto';
import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { CSIDriver } from '@windlass/apimachinery/api/storage/v1';
import type { CsiVolume, InlineCsiVolume } from '../volume.ts';
import type { DriverAbilities } from './driver-registry.ts';
import type { DriverAccessMode, DriverCapability } from './node-driver.ts';

export function accessMode(mode: string, { hasSingleWriterModes }: DriverAbilities): DriverAccessMode {
  switch (mode) {
    case 'ReadOnlyMany':
      return 'MULTI_NODE_READER_ONLY';
    case 'ReadWriteMany':
      return 'MULTI_NODE_MULTI_WRITER';
    case 'ReadWriteOncePod':
      return hasSingleWriterModes ? 'SINGLE_NODE_SINGLE_WRITER' : 'SINGLE_NODE_WRITER';
    default:
      return hasSingleWriterModes ? 'SINGLE_NODE_MULTI_WRITER' : 'SINGLE_NODE_WRITER';
  }
}

export function capabilityOf(
  volume: CsiVolume | InlineCsiVolume,
  pod: Cached<Pod>,
  abilities: DriverAbilities,
): DriverCapability {
  const spec = volume.kind === 'csi' ? volume.volume.spec : undefined;
  const { fsGroup } = pod.spec?.securityContext ?? {};
  return {
    mount: {
      fsType: volume.source.fsType ?? '',
      mountFlags: [...(spec?.mountOptions ?? [])],
      volumeMountGroup: abilities.mountsForGroup && fsGroup !== undefined ? String(fsGroup) : '',
    },
    accessMode: { mode: accessMode(spec?.accessModes?.[0] ?? 'ReadWriteOnce', abilities) },
  };
}

/** What the driver is told besides the volume's own attributes, when its CSIDriver asks for it. */
export function podInfo(
  pod: Cached<Pod>,
  volume: CsiVolume | InlineCsiVolume,
  driver: Cached<CSIDriver> | undefined,
): Record<string, string> {
  if (driver?.spec.podInfoOnMount !== true) return {};
  const { name, namespace, uid } = pod.metadata;
  return {
    'csi.storage.k8s.io/pod.name': name,
    'csi.storage.k8s.io/pod.namespace': namespace,
    'csi.storage.k8s.io/pod.uid': uid,
    'csi.storage.k8s.io/serviceAccount.name': pod.spec?.serviceAccountName ?? '',
    'csi.storage.k8s.io/ephemeral': String(volume.kind === 'inline'),
  };
}

/** Who attaches volumes leaves word under this name. */
export function attachmentName(handle: string, driver: string, node: string): string {
  return `csi-${createHash('sha256').update(`${handle}${driver}${node}`).digest('hex')}`;
}

/** Of a volume that a driver makes for one pod. */
export function inlineHandle(uid: string, name: string): string {
  return `csi-${createHash('sha256').update(`${uid}${name}`).digest('hex')}`;
}

/** Whether the files of the volume are given to the pod's group by the node. */
export function givesToGroup(
  volume: CsiVolume | InlineCsiVolume,
  driver: Cached<CSIDriver> | undefined,
): boolean {
  if (volume.isReadOnly) return false;
  switch (driver?.spec.fsGroupPolicy ?? 'ReadWriteOnceWithFSType') {
    case 'None':
      return false;
    case 'File':
      return true;
    default: {
      if ((volume.source.fsType ?? '') === '') return false;
      if (volume.kind === 'inline') return true;
      const modes = volume.volume.spec?.accessModes ?? [];
      return modes.includes('ReadWriteOnce') || modes.includes('ReadWriteOncePod');
    }
  }
}
