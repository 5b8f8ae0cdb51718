import type { Schema } from '@windlass/apimachinery';
import type { Range } from '../cel/estimate/range.ts';

/** How large the values of a schema can be. */
export interface SizeLimits {
  /** The most items, entries or characters. */
  readonly maxElements: number;
  /** The fewest bytes that a value takes in a request. */
  readonly minSize: number;
  readonly items?: SizeLimits;
  readonly keys?: SizeLimits;
  /** By the names that expressions write. */
  readonly fields?: ReadonlyMap<string, SizeLimits>;
}

/** No request is larger. */
export const MAX_REQUEST_BYTES = 3 * 1024 * 1024;
const WHOLE_REQUEST = MAX_REQUEST_BYTES - 2;
/** A character of a text may be so many bytes. */
const BYTES_PER_CHARACTER = 4;
const MAX_TIME_BYTES = 32;
const DATE_BYTES = 12;
const MIN_TIME_BYTES = 21;

export const BOOL_LIMITS: SizeLimits = { maxElements: 0, minSize: 4 };
export const NUMBER_LIMITS: SizeLimits = { maxElements: 0, minSize: 1 };
/** Nothing is known of how long keys are, and so they count as empty, as they do upstream. */
const KEY_LIMITS: SizeLimits = { maxElements: 0, minSize: 2 };

export function intOrTextLimits(schema: Schema): SizeLimits {
  return { maxElements: declaredLength(schema) ?? WHOLE_REQUEST, minSize: 1 };
}

export function textLimits(schema: Schema): SizeLimits {
  switch (schema.format) {
    case 'byte':
      return { maxElements: atLeastZero(schema.maxLength) ?? WHOLE_REQUEST, minSize: 2 };
    case 'duration':
      return { maxElements: MAX_TIME_BYTES, minSize: 3 };
    case 'date':
      return { maxElements: DATE_BYTES, minSize: DATE_BYTES };
    case 'date-time':
      return { maxElements: MAX_TIME_BYTES, minSize: MIN_TIME_BYTES };
    default:
      return { maxElements: declaredLength(schema) ?? longestValue(schema) ?? WHOLE_REQUEST, minSize: 2 };
  }
}

export function listLimits(schema: Schema, items: SizeLimits): SizeLimits {
  const most = atLeastZero(schema.maxItems) ?? Math.floor(WHOLE_REQUEST / (items.minSize + 1));
  return { maxElements: most, minSize: 2, items };
}

export function mapLimits(schema: Schema, values: SizeLimits): SizeLimits {
  const most = atLeastZero(schema.maxProperties) ?? Math.floor(WHOLE_REQUEST / (values.minSize + 6));
  return { maxElements: most, minSize: 2, items: values, keys: KEY_LIMITS };
}

/** @param properties with the names in the schema, and those that expressions write, if there are any */
export function objectLimits(
  schema: Schema,
  properties: readonly {
    readonly name: string;
    readonly escaped: string | undefined;
    readonly limits: SizeLimits;
  }[],
): SizeLimits {
  const required = new Set(schema.required);
  const fields = new Map<string, SizeLimits>();
  let minSize = 2;
  for (const { name, escaped, limits } of properties) {
    if (escaped !== undefined) fields.set(escaped, limits);
    if (required.has(name) && schema.properties?.[name]?.default === undefined)
      minSize += Buffer.byteLength(name) + limits.minSize + 4;
  }
  return { maxElements: 0, minSize, fields };
}

function atLeastZero(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.max(0, value);
}

function declaredLength(schema: Schema): number | undefined {
  const length = atLeastZero(schema.maxLength);
  return length === undefined ? undefined : length * BYTES_PER_CHARACTER;
}

function longestValue({ enum: values = [] }: Schema): number | undefined {
  if (values.length === 0) return undefined;
  return Math.max(0, ...values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
}

/** How large what is at a path from a value can be; undefined where nothing is known of it. */
export function sizeWithin(limits: SizeLimits, [, ...path]: readonly string[]): Range | undefined {
  let at: SizeLimits | undefined = limits;
  for (const name of path) {
    if (name === '@items' || name === '@values') at = at.items;
    else at = name === '@keys' ? at.keys : at.fields?.get(name);
    if (at === undefined) return undefined;
  }
  return { min: 0, max: at.maxElements };
}
