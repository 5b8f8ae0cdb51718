import { Optional, Uint } from './values.ts';

/**
 * A field of an object, or a value of a map.
 * @throws Error `no such key` when it is not there, unless `isTest`: then it is undefined
 */
export function fieldOf(of: unknown, field: string, isTest: boolean): unknown {
  const value = rawField(of, field);
  if (value !== undefined || isTest) return value;
  throw new Error(`no such key: ${field}`);
}

function rawField(of: unknown, field: string): unknown {
  if (of instanceof Map) return of.get(field);
  if (typeof of !== 'object' || of === null || Array.isArray(of)) {
    throw new Error(of === null ? `no such key: ${field}` : 'no such overload');
  }
  // Objects of declared types keep their fields as their own properties.
  if (!Object.hasOwn(of, field)) return getter(of, field);
  const value: unknown = Reflect.get(of, field);
  return value;
}

function getter(of: object, field: string): unknown {
  if (!('getField' in of) || typeof of.getField !== 'function') return undefined;
  const value: unknown = of.getField(field);
  return value;
}

/** `a.?b`: absent when `a` is, or has no such field. */
export function optionalField(of: unknown, field: string): Optional {
  const value = of instanceof Optional ? of.inner : of;
  if (value === undefined || value === null) return Optional.none();
  return Optional.of(fieldOf(value, field, true));
}

/** `a[b]`. @throws Error */
export function elementOf(of: unknown, index: unknown): unknown {
  if (of instanceof Map) {
    const found = mapValue(of, index);
    if (found === undefined) throw new Error(`no such key: ${String(index)}`);
    return found;
  }
  if (Array.isArray(of)) {
    const at = indexOf(index);
    if (at < 0 || at >= of.length) throw new Error(`index out of bounds: ${at}`);
    const item: unknown = of[at];
    return item;
  }
  if (typeof index === 'string') return fieldOf(of, index, false);
  throw new Error('no such overload');
}

/** `a[?b]` */
export function optionalElement(of: unknown, index: unknown): Optional {
  const value = of instanceof Optional ? of.inner : of;
  if (value === undefined || value === null) return Optional.none();
  if (value instanceof Map) return Optional.of(mapValue(value, index));
  if (Array.isArray(value)) return Optional.of(value[indexOf(index)]);
  if (typeof index === 'string') return optionalField(value, index);
  throw new Error('no such overload');
}

/** Numbers are the same key, whatever their type. */
export function mapValue(map: ReadonlyMap<unknown, unknown>, key: unknown): unknown {
  if (key instanceof Uint) return map.get(key.value);
  if (typeof key === 'number') return Number.isInteger(key) ? map.get(BigInt(key)) : undefined;
  return map.get(key);
}

/** `key in map`. A map may have values for keys that it does not hold. */
export function mapHas(map: ReadonlyMap<unknown, unknown>, key: unknown): boolean {
  if (key instanceof Uint) return map.has(key.value);
  if (typeof key === 'number') return Number.isInteger(key) && map.has(BigInt(key));
  return map.has(key);
}

function indexOf(index: unknown): number {
  if (typeof index === 'bigint') return Number(index);
  if (index instanceof Uint) return Number(index.value);
  if (typeof index === 'number' && Number.isInteger(index)) return index;
  throw new Error(`unsupported index type`);
}

export function isTrue(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new Error('no such overload');
}
