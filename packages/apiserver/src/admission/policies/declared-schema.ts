import type { Schema, SchemaSource } from '@windlass/apimachinery';
import type { CelEnvironment } from '../../custom/cel/cel-environment.ts';
import { namesFor } from '../../custom/rules/names.ts';

const TEXTS: Readonly<Record<string, string>> = {
  byte: 'bytes',
  'date-time': 'google.protobuf.Timestamp',
  date: 'google.protobuf.Timestamp',
  'int-or-string': 'dyn',
};

/**
 * Declares the types of a schema, for checking expressions and not for evaluating them, and answers the
 * name of the whole's. What has no one type, and what contains itself, is `dyn`.
 *
 * @param prefix makes the names of the types unique
 */
export function declareSchema(
  env: CelEnvironment,
  schema: Schema,
  schemas: SchemaSource,
  prefix: string,
): string {
  const byReference = new Map<string, string>();
  let count = 0;
  const declare = (at: Schema): string => {
    if (at.$ref !== undefined) return declareReference(at.$ref);
    if (at.allOf?.length === 1 && at.allOf[0] !== undefined && at.type === undefined)
      return declare(at.allOf[0]);
    if (at['x-kubernetes-int-or-string'] === true) return 'dyn';
    switch (at.type) {
      case 'integer':
        return 'int';
      case 'number':
        return 'double';
      case 'boolean':
        return 'bool';
      case 'string':
        return TEXTS[at.format ?? ''] ?? 'string';
      case 'array':
        return at.items === undefined ? 'dyn' : `list<${declare(at.items)}>`;
      case 'object':
        return declareObject(at);
      default:
        return 'dyn';
    }
  };
  const declareReference = (reference: string): string => {
    const known = byReference.get(reference);
    if (known !== undefined) return known;
    byReference.set(reference, 'dyn');
    const target = schemas.definition(reference.slice(reference.lastIndexOf('/') + 1));
    const name = target === undefined ? 'dyn' : declare(target);
    byReference.set(reference, name);
    return name;
  };
  const declareObject = (at: Schema): string => {
    const { properties, additionalProperties } = at;
    if (typeof additionalProperties === 'object') return `map<string, ${declare(additionalProperties)}>`;
    if (properties === undefined || at['x-kubernetes-preserve-unknown-fields'] === true) return 'dyn';
    const fields: Record<string, string> = {};
    for (const [name, property] of Object.entries(properties)) {
      const names = namesFor(name);
      if (names.length === 0) continue;
      const type = declare(property);
      for (const written of names) fields[written] = type;
    }
    const name = `${prefix}.Object${count++}`;
    env.objectType(name, class Part {}, fields);
    return name;
  };
  return declare(schema);
}
