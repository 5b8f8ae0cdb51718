import {
  type FieldError,
  FieldPath,
  fieldInvalid,
  fieldRequired,
  type ObjectMeta,
  type Schema,
  TypedFormError,
  toTypedForm,
  validateDns1035Label,
  validateObjectMeta,
  validatePathSegment,
} from '@windlass/apimachinery';
import { appendAll } from '@windlass/base';
import { isJsonObject, mapValueSchema, propertyOf } from './children.ts';

export interface TypedMetadata {
  readonly metadata: ObjectMeta | undefined;
  /** `unknown field "metadata.foo"`. */
  readonly problems: readonly string[];
}

/**
 * Metadata in the form that every kind has, which the schemas of custom resources do not describe.
 *
 * @throws TypedFormError when a value has the wrong type
 */
export function typedMetadata(metadata: unknown): TypedMetadata {
  if (metadata === undefined || metadata === null) return { metadata: undefined, problems: [] };
  // Any kind will do: they all have the same metadata.
  const { object, problems } = toTypedForm('v1', 'ConfigMap', { metadata });
  // In the typed form, metadata has its type.
  const typed = object['metadata'] as ObjectMeta;
  if (typed.creationTimestamp === null) delete typed.creationTimestamp;
  return { metadata: typed, problems };
}

/** Brings the metadata of objects within an object into their form; what has the wrong type stays, and is an error later. */
export function coerceEmbedded(value: unknown, schema: Schema): void {
  visit(value, schema, undefined, (object) => {
    try {
      const { metadata } = typedMetadata(object['metadata']);
      if (metadata !== undefined) object['metadata'] = metadata;
    } catch (error) {
      if (!(error instanceof TypedFormError)) throw error;
    }
  });
}

/** What is wrong with `apiVersion`, `kind` and `metadata` of the objects within an object. */
export function validateEmbedded(value: unknown, schema: Schema): FieldError[] {
  const errors: FieldError[] = [];
  visit(value, schema, undefined, (object, path) => {
    appendAll(
      errors,
      validateText(object, 'apiVersion', path, (text) =>
        text.split('/').length > 2 ? `unexpected GroupVersion string: ${text}` : undefined,
      ),
    );
    appendAll(
      errors,
      validateText(object, 'kind', path, (text) => {
        const problems = validateDns1035Label(text.toLowerCase());
        return problems.length === 0
          ? undefined
          : `may have mixed case, but should otherwise match: ${problems.join(',')}`;
      }),
    );
    if (!('metadata' in object)) return;
    const at = path.child('metadata');
    try {
      const metadata = { name: 'fakename', ...typedMetadata(object['metadata']).metadata };
      const namespaced = (metadata.namespace ?? '') !== '';
      appendAll(errors, validateObjectMeta(metadata, { namespaced, validateName: validatePathSegment }, at));
    } catch (error) {
      if (!(error instanceof TypedFormError)) throw error;
      errors.push(fieldInvalid(at, object['metadata'], error.message));
    }
  });
  return errors;
}

function validateText(
  object: Readonly<Record<string, unknown>>,
  name: string,
  path: FieldPath,
  problemOf: (text: string) => string | undefined,
): FieldError[] {
  const at = path.child(name);
  const value = object[name];
  if (value === undefined) return [fieldRequired(at)];
  if (typeof value !== 'string') return [fieldInvalid(at, value, 'must be a string')];
  if (value === '') return [fieldInvalid(at, value, 'must not be empty')];
  const problem = problemOf(value);
  return problem === undefined ? [] : [fieldInvalid(at, value, problem)];
}

function visit(
  value: unknown,
  schema: Schema | undefined,
  path: FieldPath | undefined,
  onEmbedded: (object: Record<string, unknown>, path: FieldPath) => void,
): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, schema.items, path?.index(index), onEmbedded);
    return;
  }
  if (!isJsonObject(value)) return;
  if (schema['x-kubernetes-embedded-resource'] === true && path !== undefined) onEmbedded(value, path);
  const values = mapValueSchema(schema);
  for (const [name, child] of Object.entries(value)) {
    const property = propertyOf(schema, name);
    if (property !== undefined) visit(child, property, path?.child(name) ?? FieldPath.of(name), onEmbedded);
    else visit(child, values, path?.key(name), onEmbedded);
  }
}
