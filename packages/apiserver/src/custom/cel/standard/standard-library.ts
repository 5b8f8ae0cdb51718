import type { Declarations } from '../language/declarations.ts';
import { Optional } from '../language/values.ts';
import { registerConversions } from './conversions.ts';
import { registerOperators } from './operators.ts';
import { registerTimes } from './times.ts';

/** What CEL has by itself, and optionals. Logical operators and macros have code of their own. */
export function registerStandardLibrary(env: Declarations): void {
  registerOperators(env);
  registerConversions(env);
  registerTimes(env);
  registerSizes(env);
  registerOptionals(env);
  env
    .function(
      'string.startsWith(string): bool',
      (text: string, part: string) => text.startsWith(part),
      'starts_with_string',
    )
    .function(
      'string.endsWith(string): bool',
      (text: string, part: string) => text.endsWith(part),
      'ends_with_string',
    )
    .function(
      'string.contains(string): bool',
      (text: string, part: string) => text.includes(part),
      'contains_string',
    )
    .overload('cel.@mapInsert', ['map<K, V>', 'K', 'V'], 'map<K, V>', insert, '@mapInsert_map_key_value')
    .overload('cel.@mapInsert', ['map<K, V>', 'map<K, V>'], 'map<K, V>', insertAll, '@mapInsert_map_map');
}

function registerSizes(env: Declarations): void {
  const sizes: Readonly<Record<string, (value: never) => bigint>> = {
    string: (text: string) => BigInt(Array.from(text).length),
    bytes: ({ length }: Uint8Array) => BigInt(length),
    'list<T>': ({ length }: readonly unknown[]) => BigInt(length),
    'map<K, V>': ({ size }: ReadonlyMap<unknown, unknown>) => BigInt(size),
  };
  for (const [type, size] of Object.entries(sizes))
    env
      .overload('size', [type], 'int', size, `size_${type}`)
      .overload('size', [type], 'int', size, `${type}_size`, true);
}

function registerOptionals(env: Declarations): void {
  env
    .function('optional.of(T): optional<T>', (value: unknown) => Optional.of(value))
    .function('optional.none(): optional<T>', () => Optional.none())
    .function('optional.ofNonZeroValue(T): optional<T>', (value: unknown) =>
      isZero(value) ? Optional.none() : Optional.of(value),
    )
    .function('optional<T>.hasValue(): bool', (value: Optional) => value.hasValue())
    .function('optional<T>.value(): T', (value: Optional) => value.value())
    .function('optional<T>.or(optional<T>): optional<T>', (value: Optional, other: Optional) =>
      value.hasValue() ? value : other,
    )
    .function('optional<T>.orValue(T): T', (value: Optional, other: unknown) => value.inner ?? other);
}

function isZero(value: unknown): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  return value instanceof Map && value.size === 0;
}

/** Loops own their accumulators, and so it may grow in place. */
function insert(map: Map<unknown, unknown>, key: unknown, value: unknown): Map<unknown, unknown> {
  if (map.has(key)) throw new Error(`insert failed: key '${String(key)}' already exists`);
  return map.set(key, value);
}

function insertAll(map: Map<unknown, unknown>, others: ReadonlyMap<unknown, unknown>): Map<unknown, unknown> {
  for (const [key, value] of others) insert(map, key, value);
  return map;
}
