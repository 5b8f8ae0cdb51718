import type { Schema } from '@windlass/apimachinery';
import { equalValues } from '../cel/cel-compare.ts';
import type { CelEnvironment } from '../cel/cel-environment.ts';
import { mapValueSchema } from '../schema/children.ts';
import { escapedName } from './names.ts';

type Convert = (value: unknown) => unknown;

/** The CEL type of the values of a schema, and how a JSON value becomes one. */
export interface SchemaType {
  readonly name: string;
  readonly convert: Convert;
}

const DYN: SchemaType = { name: 'dyn', convert: toCelValue };
const META: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
};

/** A JSON value of which no type is known: whole numbers are integers. */
export function toCelValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toCelValue);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, child]) => [key, toCelValue(child)]));
}

/**
 * Declares the types of a schema in an environment. Fields have the names that expressions write, and only
 * those that are described are there.
 */
export function declareType(env: CelEnvironment, schema: Schema, isRoot: boolean): SchemaType {
  let count = 0;
  const declare = (at: Schema, isObjectRoot: boolean): SchemaType => {
    if (at['x-kubernetes-int-or-string'] === true || (at.nullable === true && !isObjectRoot)) {
      const inner = at.nullable === true ? declare({ ...at, nullable: false }, false) : DYN;
      return { name: 'dyn', convert: (value) => (value === null ? null : inner.convert(value)) };
    }
    switch (at.type) {
      case 'integer':
        return {
          name: 'int',
          convert: (value) => (typeof value === 'number' ? BigInt(Math.trunc(value)) : value),
        };
      case 'number':
        return { name: 'double', convert: Number };
      case 'boolean':
        return { name: 'bool', convert: (value) => value };
      case 'string':
        return textType(at.format);
      case 'array': {
        const items = declare(at.items ?? {}, false);
        return {
          name: `list<${items.name}>`,
          convert: (value) => (Array.isArray(value) ? value.map(items.convert) : value),
        };
      }
      case 'object':
        return objectType(at, isObjectRoot);
      default:
        return DYN;
    }
  };
  const objectType = (at: Schema, isObjectRoot: boolean): SchemaType => {
    const values = mapValueSchema(at);
    if (values !== undefined) {
      const type = declare(values, false);
      return {
        name: `map<string, ${type.name}>`,
        convert: (value) =>
          new Map(Object.entries(value as object).map(([key, child]) => [key, type.convert(child)])),
      };
    }
    const isObject = isObjectRoot || at['x-kubernetes-embedded-resource'] === true;
    const properties: Record<string, Schema> = {
      ...at.properties,
      ...(isObject && { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: META }),
    };
    const fields = new Map<string, { escaped: string; type: SchemaType }>();
    for (const [name, property] of Object.entries(properties)) {
      const escaped = escapedName(name);
      if (escaped !== undefined) fields.set(name, { escaped, type: declare(property, false) });
    }
    class Part {}
    const name = `schema.Object${count++}`;
    const types = [...fields.values()].map(({ escaped, type }) => [escaped, type.name] as const);
    env.objectType(name, Part, Object.fromEntries(types), equalValues);
    return {
      name,
      convert: (value) => {
        const part: Record<string, unknown> = new Part() as Record<string, unknown>;
        for (const [key, child] of Object.entries(value as object)) {
          const field = fields.get(key);
          if (field !== undefined) part[field.escaped] = field.type.convert(child);
        }
        return part;
      },
    };
  };
  return declare(schema, isRoot);
}

function textType(format: string | undefined): SchemaType {
  switch (format) {
    case 'byte':
      return { name: 'bytes', convert: (value) => new Uint8Array(Buffer.from(String(value), 'base64')) };
    case 'date':
    case 'date-time':
      return { name: 'google.protobuf.Timestamp', convert: (value) => new Date(String(value)) };
    default:
      return { name: 'string', convert: (value) => value };
  }
}
