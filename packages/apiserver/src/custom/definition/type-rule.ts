import {
  type FieldError,
  type FieldPath,
  fieldInvalid,
  fieldRequired,
  type Schema,
} from '@windlass/apimachinery';

/** An extension that only means something for one type. */
export function typeMustBe(schema: Schema, type: string, key: string, path: FieldPath): FieldError[] {
  if (schema.type === type) return [];
  const text = `must be ${type} if ${key} is specified`;
  const at = path.child('type');
  return [schema.type === undefined ? fieldRequired(at, text) : fieldInvalid(at, schema.type, text)];
}
