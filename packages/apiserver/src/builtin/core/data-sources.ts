import { type Fields, objectAt } from '../values.ts';

/**
 * A claim names what it is filled from in two fields, the older of which knows fewer kinds: each is made
 * from the other, and the older drops what it does not know, unless it was there before.
 */
export function alignDataSources(spec: Fields, old: Fields | undefined): void {
  const source = objectAt(spec, 'dataSource');
  if (source !== undefined && objectAt(old, 'dataSource') === undefined && !isKnown(source))
    delete spec['dataSource'];
  const kept = objectAt(spec, 'dataSource');
  const reference = objectAt(spec, 'dataSourceRef');
  if (kept !== undefined && reference === undefined) spec['dataSourceRef'] = { ...kept };
  else if (kept === undefined && reference !== undefined && (reference['namespace'] ?? '') === '') {
    const { namespace: _namespace, ...copy } = reference;
    spec['dataSource'] = copy;
  }
}

function isKnown({ apiGroup = '', kind }: Fields): boolean {
  if (kind === 'PersistentVolumeClaim') return apiGroup === '';
  return kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io';
}
