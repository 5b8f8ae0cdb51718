import type { Cached } from '@windlass/apimachinery';
import type { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { annotationsOf } from '../shared/meta.ts';

export type ReadonlyClass = Cached<StorageClass>;

const IS_DEFAULT = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export function isDefaultClass(storageClass: ReadonlyClass): boolean {
  return IS_DEFAULT.some((annotation) => annotationsOf(storageClass)[annotation] === 'true');
}

/** Of several that are meant to be, the newest. */
export function defaultClassOf(classes: readonly ReadonlyClass[]): ReadonlyClass | undefined {
  const createdAt = (each: ReadonlyClass): string => each.metadata.creationTimestamp;
  return classes
    .filter(isDefaultClass)
    .toSorted((a, b) =>
      createdAt(a) === createdAt(b)
        ? a.metadata.name < b.metadata.name
          ? -1
          : 1
        : createdAt(a) > createdAt(b)
          ? -1
          : 1,
    )[0];
}

export function waitsForConsumer(storageClass: ReadonlyClass | undefined): boolean {
  return storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** Those that were once a part of Kubernetes, and the drivers that do their work today. */
const MOVED: ReadonlyMap<string, string> = new Map([
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['kubernetes.io/azure-file', 'file.csi.azure.com'],
  ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
  ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
]);

/** Who makes volumes of the class, outside of this program; undefined when nobody does. */
export function externalProvisioner({ provisioner }: ReadonlyClass): string | undefined {
  return MOVED.get(provisioner) ?? (provisioner.startsWith('kubernetes.io/') ? undefined : provisioner);
}

/** Whether somebody outside of this program deletes what this provisioner has made. */
export function hasExternalDeleter(provisioner: string): boolean {
  return provisioner !== '' && !provisioner.startsWith('kubernetes.io/');
}
