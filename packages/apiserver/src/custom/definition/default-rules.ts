import {
  deepCopy,
  deepEqual,
  type FieldError,
  type FieldPath,
  fieldInvalid,
  type Schema,
} from '@windlass/apimachinery';
import { appendAll } from '@windlass/base';
import { pruneUnknownParts } from '../schema/pruning.ts';
import { validateAgainstSchema } from '../schema/schema-validation.ts';

/** A default must be what the schema itself would accept, without fields that it does not know. */
export function validateDefaults(schema: Schema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.default !== undefined && schema.default !== null) {
    const at = path.child('default');
    const pruned = deepCopy(schema.default);
    pruneUnknownParts(pruned, schema);
    if (!deepEqual(pruned, schema.default))
      errors.push(fieldInvalid(at, schema.default, 'must not have unknown fields'));
    appendAll(errors, validateAgainstSchema(schema.default, schema, { prefix: at.toString() }));
  }
  if (schema.items !== undefined) appendAll(errors, validateDefaults(schema.items, path.child('items')));
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    appendAll(errors, validateDefaults(property, path.child('properties').key(name)));
  return errors;
}
