import { FieldSet } from '../fields/field-set.ts';
import { type ElementPath, pathOf } from '../fields/path-element.ts';

/** What the server sets or what names the object: nobody owns it. */
const NEVER_OWNED = FieldSet.of(
  pathOf('apiVersion'),
  pathOf('kind'),
  pathOf('metadata'),
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => pathOf('metadata', name)),
);

export function stripMeta(fields: FieldSet): FieldSet {
  return fields.difference(NEVER_OWNED);
}

/** Whether nobody ever owns this. */
export function isStripped(path: ElementPath): boolean {
  return NEVER_OWNED.has(path);
}
