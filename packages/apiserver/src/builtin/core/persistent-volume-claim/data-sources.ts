import type {
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
} from '@windlass/apimachinery/api/core/v1';
import type { DraftOf, View } from '../../../resource/views.ts';

/**
 * A claim names what it is filled from in two fields, the older of which knows fewer kinds: each is made
 * from the other, and the older drops what it does not know, unless the claim had a source before or names it in both.
 * A source in another namespace is dropped, too, unless the claim had one before.
 */
export function alignDataSources(
  spec: DraftOf<PersistentVolumeClaimSpec>,
  old: View<PersistentVolumeClaimSpec> | undefined,
): void {
  const { dataSource: older, dataSourceRef: newer } = old ?? {};
  // Upstream has this behind a feature gate that is closed.
  if ((spec.dataSourceRef?.namespace ?? '') !== '' && newer === undefined) delete spec.dataSourceRef;
  const isNew = older === undefined && newer === undefined && spec.dataSourceRef === undefined;
  if (isNew && spec.dataSource !== undefined && !isKnown(spec.dataSource)) delete spec.dataSource;
  const { dataSource: source, dataSourceRef: reference } = spec;
  if (source !== undefined && reference === undefined) spec.dataSourceRef = { ...source };
  else if (source === undefined && reference !== undefined && (reference.namespace ?? '') === '') {
    const { namespace: _namespace, ...copy } = reference;
    spec.dataSource = copy;
  }
}

function isKnown({ apiGroup, kind }: View<TypedLocalObjectReference>): boolean {
  // The API shows a group that is absent as null.
  if (kind === 'PersistentVolumeClaim') return (apiGroup ?? '') === '';
  return kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io';
}
