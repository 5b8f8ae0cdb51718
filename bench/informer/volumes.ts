// DirectPVVolumes as a cluster has them, about 1.1 kB each: staged, published, with labels and finalizers.
import type { KubeObject, ResourceType } from '@windlass/apimachinery';

export const VOLUME: ResourceType<KubeObject> = {
  group: 'directpv.min.io',
  version: 'v1beta1',
  kind: 'DirectPVVolume',
  plural: 'directpvvolumes',
  namespaced: false,
};

/** All versions are written with as many digits, so that a server can put another one in their place. */
export const FIRST_VERSION = 10_000_001;

export function volume(index: number): KubeObject & { readonly status: object } {
  const id = String(index).padStart(12, '0');
  const name = `pvc-5a1c7a3e-0c7e-4a27-9f0b-${id}`;
  const fsuuid = `2dd2a2b1-9d6c-4c62-8f6e-${String(index % 480).padStart(12, '0')}`;
  const node = `node-${index % 60}`;
  const mounts = '/var/lib/kubelet/plugins/kubernetes.io/csi/directpv-min-io';
  return {
    apiVersion: 'directpv.min.io/v1beta1',
    kind: 'DirectPVVolume',
    metadata: {
      creationTimestamp: '2026-10-02T11:48:07Z',
      finalizers: ['directpv.min.io/pv-protection', 'directpv.min.io/purge-protection'],
      labels: {
        'directpv.min.io/created-by': 'directpv-controller',
        'directpv.min.io/drive': fsuuid,
        'directpv.min.io/drive-name': `nvme${index % 8}n1`,
        'directpv.min.io/node': node,
        'directpv.min.io/pod.name': `minio-${index % 2000}`,
        'directpv.min.io/version': 'v1beta1',
      },
      name,
      resourceVersion: String(FIRST_VERSION + index),
      uid: `8f3b6c55-4f0e-47d1-b4d9-${id}`,
    },
    status: {
      availableCapacity: 10_737_418_240,
      dataPath: `/var/lib/directpv/mnt/${fsuuid}/.FSUUID.${fsuuid}/${name}`,
      fsuuid,
      stagingTargetPath: `${mounts}/${id}/globalmount`,
      status: 'Ready',
      targetPath: `/var/lib/kubelet/pods/11d1a0ab-93d8-4b57-9c4b-${id}/volumes/kubernetes.io~csi/${name}/mount`,
      totalCapacity: 10_737_418_240,
      usedCapacity: 0,
    },
  };
}
