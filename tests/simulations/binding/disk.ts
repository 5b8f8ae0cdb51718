// A volume of one zone.
import type { PersistentVolume } from '@windlass/apimachinery/api/core/v1';

export function disk(
  name: string,
  storageClassName: string,
  zone: string,
  persistentVolumeReclaimPolicy: 'Retain' | 'Delete',
): PersistentVolume {
  return {
    metadata: { name },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy,
      storageClassName,
      csi: { driver: 'csi.example.com', volumeHandle: name },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }],
        },
      },
    },
  };
}
