// What the tables of volumes and of claims have in common.
import { canonicalQuantity } from '@windlass/apimachinery';
import type { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../resource/views.ts';

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

type Metadata = Pick<View<PersistentVolume> | View<PersistentVolumeClaim>, 'metadata'>;

export function storageText(amounts: Readonly<Record<string, string>> | null | undefined): string {
  const storage = amounts?.['storage'];
  return storage === undefined ? '0' : canonicalQuantity(storage);
}

export function phaseText({
  metadata,
  status,
}: Metadata & { readonly status?: { readonly phase?: string } }): string {
  return metadata?.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating';
}

/** Before there was a field for it, the class stood in an annotation. */
export function classText({
  metadata,
  spec,
}: Metadata & { readonly spec?: { readonly storageClassName?: string } }): string {
  return metadata?.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? '';
}
