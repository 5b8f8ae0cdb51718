import type { Namespace } from '@windlass/apimachinery/api/core/v1';
import type { CSIDriver, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { DRIVER_NAME, IDENTITY, LABELS, NAMESPACE, STORAGE_CLASS } from '../../resources/index.ts';
import { clusterMeta, INSTALL_LABELS } from './shared.ts';

/** The node server is privileged, which the namespace has to allow. */
export function namespaceObject(): Namespace {
  const level = 'privileged';
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: NAMESPACE,
      labels: {
        ...INSTALL_LABELS,
        'pod-security.kubernetes.io/enforce': level,
        'pod-security.kubernetes.io/audit': level,
        'pod-security.kubernetes.io/warn': level,
      },
    },
  };
}

/** Persistent volumes only: a volume in line would have to be staged before there is one. */
export function csiDriver(): CSIDriver {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: clusterMeta(DRIVER_NAME),
    spec: {
      attachRequired: false,
      podInfoOnMount: true,
      storageCapacity: true,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
    },
  };
}

export function storageClass(): StorageClass {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: clusterMeta(STORAGE_CLASS),
    provisioner: DRIVER_NAME,
    parameters: { 'csi.storage.k8s.io/fstype': 'xfs' },
    reclaimPolicy: 'Delete',
    allowVolumeExpansion: true,
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions: [{ key: LABELS.identity, values: [IDENTITY] }] }],
  };
}
