import type { Schema } from '@windlass/apimachinery';
import type { CelEnvironment } from '../cel/cel-environment.ts';
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  objectOf,
  STRING,
  TIMESTAMP,
} from '../cel/language/cel-type.ts';
import { Duration } from '../cel/language/values.ts';
import { mapValueSchema } from '../schema/children.ts';
import { escapedKeyword, escapedName, namesFor } from './names.ts';
import {
  BOOL_LIMITS,
  intOrTextLimits,
  listLimits,
  mapLimits,
  NUMBER_LIMITS,
  objectLimits,
  type SizeLimits,
  textLimits,
} from './size-limits.ts';

type Convert = (value: unknown) => unknown;

/** The CEL type of the values of a schema, how a JSON value becomes one, and how large they can be. */
export interface SchemaType {
  readonly type: CelType;
  readonly convert: Convert;
  readonly limits: SizeLimits;
}

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
 * those that are described are there. Undefined for a schema without a type.
 */
export function declareType(env: CelEnvironment, schema: Schema, isRoot: boolean): SchemaType | undefined {
  let count = 0;
  const declare = (at: Schema, isObjectRoot: boolean): SchemaType | undefined => {
    if (at['x-kubernetes-int-or-string'] === true)
      return { type: DYN, convert: toCelValue, limits: intOrTextLimits(at) };
    switch (at.type) {
      case 'integer':
        return { type: INT, convert: toInteger, limits: NUMBER_LIMITS };
      case 'number':
        return { type: DOUBLE, convert: Number, limits: NUMBER_LIMITS };
      case 'boolean':
        return { type: BOOL, convert: (value) => value, limits: BOOL_LIMITS };
      case 'string':
        return { ...textType(at.format), limits: textLimits(at) };
      case 'array': {
        const items = at.items === undefined ? undefined : declare(at.items, false);
        if (items === undefined) return undefined;
        return {
          type: listOf(items.type),
          convert: (value) =>
            Array.isArray(value) ? value.map((item) => orNull(item, items.convert)) : value,
          limits: listLimits(at, items.limits),
        };
      }
      case 'object':
        return objectType(at, isObjectRoot);
      default:
        return undefined;
    }
  };
  const objectType = (at: Schema, isObjectRoot: boolean): SchemaType | undefined => {
    const values = mapValueSchema(at);
    if (values !== undefined) {
      const type = declare(values, false);
      if (type === undefined) return undefined;
      return {
        type: mapOf(STRING, type.type),
        convert: (value) =>
          new Map(Object.entries(value ?? {}).map(([key, child]) => [key, orNull(child, type.convert)])),
        limits: mapLimits(at, type.limits),
      };
    }
    const isObject = isObjectRoot || at['x-kubernetes-embedded-resource'] === true;
    const properties: Record<string, Schema> = {
      ...at.properties,
      ...(isObject && { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: META }),
    };
    const described = Object.entries(properties).flatMap(([name, property]) => {
      const type = declare(property, false);
      return type === undefined ? [] : [{ name, escaped: escapedName(name), type, limits: type.limits }];
    });
    const fields = new Map(described.map((field) => [field.name, field]));
    class Part {
      [field: string]: unknown;
      /** Of a field that is called like a keyword, by its own name. */
      getField(field: string): unknown {
        const escaped = escapedKeyword(field);
        return Object.hasOwn(this, escaped) ? this[escaped] : undefined;
      }
    }
    const name = `schema.Object${count++}`;
    const types = described.flatMap(({ name: field, type }) =>
      namesFor(field).map((written) => [written, type.type] as const),
    );
    env.objectType(name, Part, Object.fromEntries(types));
    return {
      type: objectOf(name),
      convert: (value) => {
        const part = new Part();
        for (const [key, child] of Object.entries(value ?? {})) {
          const field = fields.get(key);
          // What is null is as if it were not there.
          if (field?.escaped !== undefined && child !== null) part[field.escaped] = field.type.convert(child);
        }
        return part;
      },
      limits: objectLimits(at, described),
    };
  };
  return declare(schema, isRoot);
}

function orNull(value: unknown, convert: Convert): unknown {
  return value === null ? null : convert(value);
}

function toInteger(value: unknown): unknown {
  return typeof value === 'number' ? BigInt(Math.trunc(value)) : value;
}

function textType(format: string | undefined): Omit<SchemaType, 'limits'> {
  switch (format) {
    case 'byte':
      return { type: BYTES, convert: (value) => new Uint8Array(Buffer.from(String(value), 'base64')) };
    case 'duration':
      return { type: DURATION, convert: (value) => Duration.parse(String(value)) };
    case 'date':
    case 'date-time':
      return { type: TIMESTAMP, convert: (value) => new Date(String(value)) };
    default:
      return { type: STRING, convert: (value) => value };
  }
}
