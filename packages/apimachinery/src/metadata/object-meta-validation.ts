import { appendAll } from '@windlass/base';
import { deepEqual } from '../json/deep-equal.ts';
import { validateLabelValue, validateQualifiedName } from '../names/label-syntax.ts';
import { type NameValidator, validateLabelName } from '../names/names.ts';
import type { DeepReadonly, ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../object.ts';
import {
  type FieldError,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
} from '../status/field-error.ts';
import type { FieldPath } from '../status/field-path.ts';
import { byteLength, goQuote, isPrintable } from '../text/go-text.ts';
import { FOREGROUND_DELETION_FINALIZER, ORPHAN_FINALIZER } from './finalizers.ts';

type Meta = DeepReadonly<ObjectMeta>;
type Strings = Readonly<Record<string, string>>;

/** Of all keys and values of an object's annotations together. */
export const TOTAL_ANNOTATION_SIZE_LIMIT = 256 * 1024;
/** How long the name of a field manager may be. */
export const FIELD_MANAGER_MAX_LENGTH = 128;
const SUBRESOURCE_MAX_LENGTH = 256;

/** The metadata of an object that is about to be created, after its name was generated. */
export function validateObjectMeta(
  metadata: Meta,
  options: { readonly namespaced: boolean; readonly validateName: NameValidator },
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const { name = '', generateName = '', namespace = '' } = metadata;
  const invalid = (field: string, value: string, problems: readonly string[]): void => {
    for (const problem of problems) errors.push(fieldInvalid(path.child(field), value, problem));
  };
  if (generateName !== '') invalid('generateName', generateName, options.validateName(generateName, true));
  if (name === '') errors.push(fieldRequired(path.child('name'), 'name or generateName is required'));
  else invalid('name', name, options.validateName(name, false));
  if (options.namespaced) {
    if (namespace === '') errors.push(fieldRequired(path.child('namespace')));
    else invalid('namespace', namespace, validateLabelName(namespace, false));
  } else if (namespace !== '') {
    errors.push(fieldForbidden(path.child('namespace'), 'not allowed on this type'));
  }
  const generation = metadata.generation ?? 0;
  if (generation < 0)
    errors.push(fieldInvalid(path.child('generation'), generation, 'must be greater than or equal to 0'));
  return [
    ...errors,
    ...validateLabels(metadata.labels ?? {}, path.child('labels')),
    ...validateAnnotations(metadata.annotations ?? {}, path.child('annotations')),
    ...validateOwnerReferences(metadata.ownerReferences ?? [], path.child('ownerReferences')),
    ...validateFinalizers(metadata.finalizers ?? [], path.child('finalizers')),
    ...validateManagedFields(metadata.managedFields ?? [], path.child('managedFields')),
  ];
}

const IMMUTABLE = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

/** The metadata of an object that is about to replace an old one. */
export function validateObjectMetaUpdate(metadata: Meta, old: Meta, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp) {
    const known = new Set(old.finalizers);
    const added = [...new Set(metadata.finalizers)].filter((finalizer) => !known.has(finalizer)).sort();
    if (added.length > 0) {
      const list = `[]string{${added.map(goQuote).join(', ')}}`;
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
      errors.push(fieldForbidden(path.child('finalizers'), detail));
    }
  }
  if (!metadata.resourceVersion)
    errors.push(fieldInvalid(path.child('resourceVersion'), '', 'must be specified for an update'));
  const generation = metadata.generation ?? 0;
  if (generation < (old.generation ?? 0))
    errors.push(fieldInvalid(path.child('generation'), generation, 'must not be decremented'));
  for (const field of IMMUTABLE) {
    const isText = field === 'name' || field === 'namespace' || field === 'uid';
    const value = metadata[field] ?? (isText ? '' : null);
    if (!deepEqual(value, old[field] ?? (isText ? '' : null)))
      errors.push(fieldInvalid(path.child(field), value, 'field is immutable'));
  }
  return [
    ...errors,
    ...validateLabels(metadata.labels ?? {}, path.child('labels')),
    ...validateAnnotations(metadata.annotations ?? {}, path.child('annotations')),
    ...validateOwnerReferences(metadata.ownerReferences ?? [], path.child('ownerReferences')),
    ...validateManagedFields(metadata.managedFields ?? [], path.child('managedFields')),
  ];
}

/** What is wrong with labels. */
export function validateLabels(labels: Strings, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels)) {
    for (const problem of validateQualifiedName(key)) errors.push(fieldInvalid(path, key, problem));
    for (const problem of validateLabelValue(value)) errors.push(fieldInvalid(path, value, problem));
  }
  return errors;
}

/** Keys are qualified names in any case; all keys and values together have a limit. */
export function validateAnnotations(annotations: Strings, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) {
    for (const problem of validateQualifiedName(key.toLowerCase()))
      errors.push(fieldInvalid(path, key, problem));
    size += byteLength(key) + byteLength(value);
  }
  if (size > TOTAL_ANNOTATION_SIZE_LIMIT) errors.push(fieldTooLong(path, TOTAL_ANNOTATION_SIZE_LIMIT));
  return errors;
}

/** What is wrong with owner references. */
export function validateOwnerReferences(
  references: readonly DeepReadonly<Partial<OwnerReference>>[],
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const reference of references) {
    const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
    const [version = '', ...more] = apiVersion.split('/').reverse();
    if (version === '' || more.length > 1)
      errors.push(fieldInvalid(path.child('apiVersion'), apiVersion, 'version must not be empty'));
    for (const [field, value] of Object.entries({ kind, name, uid }))
      if (value === '') errors.push(fieldInvalid(path.child(field), value, 'must not be empty'));
    if (apiVersion === 'v1' && kind === 'Event')
      errors.push(fieldInvalid(path, reference, '/v1, Kind=Event is disallowed from being an owner'));
    if (reference.controller !== true) continue;
    const current = `${kind}/${name}`;
    if (controller !== undefined)
      errors.push(
        fieldInvalid(
          path,
          references,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`,
        ),
      );
    else controller = current;
  }
  return errors;
}

/** What is wrong with finalizers. */
export function validateFinalizers(finalizers: readonly string[], path: FieldPath): FieldError[] {
  const errors = finalizers.flatMap((finalizer) =>
    validateQualifiedName(finalizer).map((problem) => fieldInvalid(path, finalizer, problem)),
  );
  if (finalizers.includes(ORPHAN_FINALIZER) && finalizers.includes(FOREGROUND_DELETION_FINALIZER)) {
    const detail = `finalizer ${ORPHAN_FINALIZER} and ${FOREGROUND_DELETION_FINALIZER} cannot be both set`;
    errors.push(fieldInvalid(path, finalizers, detail));
  }
  return errors;
}

/** Whoever writes: at most 128 bytes, all of them printable. */
export function validateFieldManager(manager: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (byteLength(manager) > FIELD_MANAGER_MAX_LENGTH)
    errors.push(fieldTooLong(path, FIELD_MANAGER_MAX_LENGTH));
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(fieldInvalid(path, manager, `invalid character U+${point} (at position ${position})`));
    }
    position += byteLength(character);
  }
  return errors;
}

/** What is wrong with `managedFields`. */
export function validateManagedFields(
  entries: readonly DeepReadonly<ManagedFieldsEntry>[],
  path: FieldPath,
): FieldError[] {
  return entries.flatMap((entry, index) => {
    const at = path.index(index);
    const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
    const errors: FieldError[] = [];
    if (operation !== 'Apply' && operation !== 'Update')
      errors.push(fieldInvalid(at.child('operation'), operation, 'must be `Apply` or `Update`'));
    if (fieldsType !== '' && fieldsType !== 'FieldsV1')
      errors.push(fieldInvalid(at.child('fieldsType'), fieldsType, 'must be `FieldsV1`'));
    appendAll(errors, validateFieldManager(manager, at.child('manager')));
    if (byteLength(subresource) > SUBRESOURCE_MAX_LENGTH)
      errors.push(fieldTooLong(at.child('subresource'), SUBRESOURCE_MAX_LENGTH));
    return errors;
  });
}
