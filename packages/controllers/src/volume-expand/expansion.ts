import { Quantity, requestOf } from '@windlass/apimachinery';
import type { ReadonlyClaim, ReadonlyVolume } from '../persistent-volume-binder/decide-claim.ts';
import { type EventNote, normal, warning } from '../shared/event-note.ts';
import { annotationsOf } from '../shared/meta.ts';

const PRE_RESIZE_CAPACITY = 'volume.alpha.kubernetes.io/pre-resize-capacity';

export interface Expansion {
  readonly event: EventNote;
  /** The driver that shall do it, where the volume does not name one. */
  readonly resizer?: string;
}

/** Volumes that name no driver, and the plugin and driver that they are of. */
const MOVED: readonly (readonly [keyof NonNullable<ReadonlyVolume['spec']>, string, string])[] = [
  ['awsElasticBlockStore', 'kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['azureDisk', 'kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['azureFile', 'kubernetes.io/azure-file', 'file.csi.azure.com'],
  ['cinder', 'kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['gcePersistentDisk', 'kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['portworxVolume', 'kubernetes.io/portworx-volume', 'pxd.portworx.com'],
  ['vsphereVolume', 'kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
];

/** Who has to make a claim's volume bigger; undefined when it is big enough, or not the claim's. */
export function expansionOf(claim: ReadonlyClaim, volume: ReadonlyVolume): Expansion | undefined {
  if (claim.status?.phase !== 'Bound' || volume.spec?.claimRef?.uid !== claim.metadata.uid) return undefined;
  const has = Quantity.from(claim.status.capacity?.['storage'] ?? '0');
  const isBigEnough = requestOf(claim).compare(has) <= 0;
  if (isBigEnough && annotationsOf(volume)[PRE_RESIZE_CAPACITY] === undefined) return undefined;
  for (const [source, plugin, resizer] of MOVED)
    if (volume.spec[source] !== undefined)
      return {
        resizer,
        event: normal(
          'ExternalExpanding',
          `CSI migration enabled for ${plugin}; waiting for external resizer to expand the pvc`,
        ),
      };
  const message = 'waiting for an external controller to expand this PVC';
  // Of a driver's volumes somebody takes care; of others perhaps nobody does.
  const tell = volume.spec.csi === undefined ? warning : normal;
  return { event: tell('ExternalExpanding', message) };
}
