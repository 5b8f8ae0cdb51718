import { fieldOf } from '@windlass/base';
import { mapValue } from './language/access.ts';
import { Duration, Optional, TypeValue, Uint } from './language/values.ts';

/** Order of values of one type, as CEL's `<` has it. */
export function lessThan(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return a.getTime() < b.getTime();
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) < 0;
  if (typeof a === 'string' && typeof b === 'string')
    return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
  // Numbers compare across their types, and durations by their length.
  return (a as number) < (b as number);
}

/** How values of declared types are compared; undefined for those that are compared by their fields. */
export type CustomEquality = (constructor: unknown) => ((a: never, b: never) => boolean) | undefined;

/** Equality as CEL's `==` has it, for values that may be of any type. */
export function equalValues(a: unknown, b: unknown, custom: CustomEquality = () => undefined): boolean {
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return equalNumbers(plainNumber(a), plainNumber(b));
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a.constructor !== b.constructor) return false;
  const own = custom(a.constructor);
  // Such an equality was declared for this type.
  if (own !== undefined) return own(a as never, b as never);
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (a instanceof Duration && b instanceof Duration) return a.nanos === b.nanos;
  if (a instanceof TypeValue && b instanceof TypeValue) return a.name === b.name;
  if (a instanceof Optional && b instanceof Optional)
    return a.hasValue() === b.hasValue() && (!a.hasValue() || equalValues(a.inner, b.inner, custom));
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => equalValues(item, b[index], custom));
  if (a instanceof Map && b instanceof Map)
    return a.size === b.size && [...a].every(([key, value]) => equalEntry(value, mapValue(b, key), custom));
  const entries = Object.entries(a);
  return (
    entries.length === Object.keys(b).length &&
    entries.every(([key, value]) => Object.hasOwn(b, key) && equalValues(value, fieldOf(b, key), custom))
  );
}

function equalEntry(value: unknown, other: unknown, custom: CustomEquality): boolean {
  return other !== undefined && equalValues(value, other, custom);
}

function isNumber(value: unknown): value is bigint | number | Uint {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

/** An int and a double may be equal. */
function equalNumbers(a: bigint | number, b: bigint | number): boolean {
  return a <= b && a >= b;
}

function plainNumber(value: bigint | number | Uint): bigint | number {
  return value instanceof Uint ? value.value : value;
}
