import { type Cached, Quantity, referenceTo } from '@windlass/apimachinery';
import { type PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import type { Volume } from '../generated/csi.ts';
import type { DriverFacts } from '../sidecar/driver-facts.ts';
import {
  DELETION_SECRET_NAME,
  DELETION_SECRET_NAMESPACE,
  PROVISIONED_BY,
  VOLUME_FINALIZER,
} from '../sidecar/names.ts';
import { nodeAffinityOf } from '../sidecar/topology.ts';
import type { CreatePlan } from './create-request.ts';

export interface VolumeInput {
  readonly claim: Cached<PersistentVolumeClaim>;
  readonly storageClass: Cached<StorageClass>;
  readonly driver: DriverFacts;
  readonly plan: CreatePlan;
  /** What the driver has made. */
  readonly volume: Volume;
}

/** The volume object of what a driver has made, bound to its claim from the start. */
export function persistentVolumeOf(input: VolumeInput): PersistentVolume {
  const { claim, storageClass, driver, plan, volume } = input;
  const name = plan.request.name ?? '';
  const { accessModes = [], volumeMode = 'Filesystem' } = claim.spec ?? {};
  const affinity = driver.hasTopology ? nodeAffinityOf(volume.accessibleTopology) : undefined;
  const policy = storageClass.reclaimPolicy ?? 'Delete';
  const isReadOnly = accessModes.length === 1 && accessModes[0] === 'ReadOnlyMany';
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name,
      annotations: {
        [PROVISIONED_BY]: driver.name,
        [DELETION_SECRET_NAME]: plan.provisionerSecret?.name ?? '',
        [DELETION_SECRET_NAMESPACE]: plan.provisionerSecret?.namespace ?? '',
      },
      finalizers: policy === 'Delete' ? [VOLUME_FINALIZER] : [],
    },
    spec: {
      accessModes: [...accessModes],
      capacity: { storage: Quantity.of(volume.capacityBytes || plan.bytes, 'BinarySI').toString() },
      claimRef: referenceTo(claim, { type: PersistentVolumeClaim }),
      csi: {
        driver: driver.name,
        volumeHandle: volume.volumeId,
        volumeAttributes: { ...volume.volumeContext },
        ...(volumeMode === 'Block' ? {} : { fsType: plan.fsType }),
        ...(isReadOnly && driver.controller.has('PUBLISH_READONLY') ? { readOnly: true } : {}),
        ...plan.volumeSecrets,
      },
      ...(storageClass.mountOptions === undefined ? {} : { mountOptions: [...storageClass.mountOptions] }),
      ...(affinity === undefined ? {} : { nodeAffinity: affinity }),
      persistentVolumeReclaimPolicy: policy,
      storageClassName: storageClass.metadata.name,
      volumeMode,
    },
  };
}
