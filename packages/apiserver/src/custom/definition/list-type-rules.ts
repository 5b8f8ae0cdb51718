import {
  type FieldError,
  type FieldPath,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  type Schema,
} from '@windlass/apimachinery';
import { appendAll } from '@windlass/base';
import { typeMustBe } from './type-rule.ts';

const LIST_TYPE = 'x-kubernetes-list-type';
const KEYS = 'x-kubernetes-list-map-keys';

/** What `x-kubernetes-list-type` and `x-kubernetes-list-map-keys` ask of a list and its items. */
export function listTypeRules(schema: Schema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const type: string | undefined = schema[LIST_TYPE];
  const keys = schema[KEYS] ?? [];
  if (type !== undefined) {
    if (schema.type !== 'array') appendAll(errors, typeMustBe(schema, 'array', LIST_TYPE, path));
    else if (type === 'set') appendAll(errors, setRules(schema.items, path.child('items')));
    if (!['atomic', 'set', 'map'].includes(type))
      errors.push(fieldNotSupported(path.child(LIST_TYPE), type, ['atomic', 'set', 'map']));
  }
  if (keys.length > 0 && type !== 'map') {
    const text = `must be map if ${KEYS} is non-empty`;
    const at = path.child(LIST_TYPE);
    errors.push(type === undefined ? fieldRequired(at, text) : fieldInvalid(at, type, text));
  }
  if (type === 'map') appendAll(errors, mapRules(schema, keys, path));
  if (schema.items !== undefined && (type === 'set' || type === 'map'))
    appendAll(errors, nullRules(schema.items, type, keys, path.child('items')));
  return errors;
}

function setRules(items: Schema | undefined, path: FieldPath): FieldError[] {
  const text = `must be atomic as item of a list with ${LIST_TYPE}=set`;
  const nested = items?.[LIST_TYPE];
  if (items?.type === 'array' && nested !== undefined && nested !== 'atomic')
    return [fieldInvalid(path.child(LIST_TYPE), nested, text)];
  if (items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic')
    return [fieldInvalid(path.child('x-kubernetes-map-type'), nested ?? null, text)];
  return [];
}

function mapRules(schema: Schema, keys: readonly string[], path: FieldPath): FieldError[] {
  const { items } = schema;
  const errors: FieldError[] = [];
  if (keys.length === 0)
    errors.push(fieldRequired(path.child(KEYS), `must not be empty if ${LIST_TYPE} is map`));
  if (items === undefined) {
    errors.push(fieldRequired(path.child('items'), `must have a schema if ${LIST_TYPE} is map`));
    return errors;
  }
  if (items.type !== 'object') {
    const text = `must be object if parent array's ${LIST_TYPE} is map`;
    errors.push(fieldInvalid(path.child('items').child('type'), items.type ?? '', text));
    return errors;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = items.properties?.[key];
    if (property === undefined)
      errors.push(fieldInvalid(path.child(KEYS), keys, 'entries must all be names of item properties'));
    else if (property.type === 'array' || property.type === 'object') {
      const at = path.child('items').child('properties').key(key).child('type');
      errors.push(
        fieldInvalid(at, items.type, `must be a scalar type if parent array's ${LIST_TYPE} is map`),
      );
    }
    if (seen.has(key))
      errors.push(fieldInvalid(path.child(KEYS), keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return errors;
}

function nullRules(items: Schema, type: string, keys: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (items.nullable === true)
    errors.push(fieldForbidden(path.child('nullable'), `cannot be nullable when ${LIST_TYPE} is ${type}`));
  for (const key of type === 'map' ? keys : []) {
    const property = items.properties?.[key];
    if (property === undefined) continue;
    const at = path.child('properties').key(key);
    if (!(items.required ?? []).includes(key) && property.default === undefined) {
      const text = `this property is in ${KEYS}, so it must have a default or be a required property`;
      errors.push(fieldRequired(at.child('default'), text));
    }
    if (property.nullable === true)
      errors.push(
        fieldForbidden(at.child('nullable'), `this property is in ${KEYS}, so it cannot be nullable`),
      );
  }
  return errors;
}
