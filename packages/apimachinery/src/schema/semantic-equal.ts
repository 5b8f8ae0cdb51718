import { compareQuantities } from '../quantities/quantity.ts';
import { parseTime } from '../time/time.ts';
import type { Schema, SchemaSource } from './schema.ts';

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const TIMES: ReadonlySet<string> = new Set([
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
]);

const NO_DEFINITIONS: SchemaSource = { definition: () => undefined };

/**
 * Whether two values mean the same to an API server: whether a write that changes one into the other
 * changes anything. An absent list or map is an empty one, an absent field is its default, `1` and
 * `1000m` are one quantity, and times are compared as times.
 *
 * What is a quantity, a time or a map, the schema tells. Without one, texts are texts, and every empty
 * object is an absent one.
 */
export function semanticEqual(
  a: unknown,
  b: unknown,
  schema?: Schema,
  source: SchemaSource = NO_DEFINITIONS,
): boolean {
  return equal(a, b, schema, source);
}

function equal(a: unknown, b: unknown, schema: Schema | undefined, source: SchemaSource): boolean {
  if (a === b) return true;
  const resolved = resolve(schema, source);
  if (isAbsent(a) || isAbsent(b)) return isEmpty(a, schema, source) && isEmpty(b, schema, source);
  if (resolved.type === 'quantity') return sameQuantity(a, b);
  if (resolved.type === 'time') return sameTime(a, b);
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => equal(item, b[index], resolved.items, source));
  if (!isObject(a) || !isObject(b)) return false;
  for (const key of Object.keys(a))
    if (!equal(a[key], own(b, key), resolved.field(key), source)) return false;
  for (const key of Object.keys(b))
    if (!Object.hasOwn(a, key) && !isEmpty(b[key], resolved.field(key), source)) return false;
  return true;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** True for what is the same as nothing at all. */
function isEmpty(value: unknown, schema: Schema | undefined, source: SchemaSource): boolean {
  if (isAbsent(value)) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (!isObject(value)) return schema?.default !== undefined && value === schema.default;
  const resolved = resolve(schema, source);
  const fields = Object.keys(value);
  if (resolved.isMap) return fields.length === 0;
  // A struct that is always there says so by an empty default; others may be there with nothing in them.
  const mayBeLeftOut = schema === undefined || isObject(schema.default);
  return mayBeLeftOut && fields.every((key) => isEmpty(value[key], resolved.field(key), source));
}

interface Resolved {
  readonly type: 'quantity' | 'time' | 'other';
  readonly isMap: boolean;
  readonly items: Schema | undefined;
  field(name: string): Schema | undefined;
}

function resolve(schema: Schema | undefined, source: SchemaSource): Resolved {
  let current = schema;
  let type: Resolved['type'] = 'other';
  // A reference that goes round in a circle would be no schema at all; generated and checked ones do not.
  while (current?.$ref !== undefined) {
    if (current.$ref === QUANTITY) type = 'quantity';
    else if (TIMES.has(current.$ref)) type = 'time';
    current = source.definition(current.$ref);
  }
  const properties = current?.properties;
  const rest = typeof current?.additionalProperties === 'object' ? current.additionalProperties : undefined;
  return {
    type,
    isMap: rest !== undefined && properties === undefined,
    items: current?.items,
    field: (name) => (properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : rest),
  };
}

function sameQuantity(a: unknown, b: unknown): boolean {
  const isAmount = (value: unknown): value is string | number =>
    typeof value === 'string' || typeof value === 'number';
  if (!isAmount(a) || !isAmount(b)) return false;
  try {
    return compareQuantities(a, b) === 0;
  } catch {
    // What is no quantity is only equal to itself, and that was asked before.
    return false;
  }
}

function sameTime(a: unknown, b: unknown): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  try {
    return parseTime(a) === parseTime(b);
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
