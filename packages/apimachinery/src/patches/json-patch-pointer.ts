// JSON pointers (RFC 6901) as the API server's patch library reads them.

import type { JsonObject } from '../json/json-object.ts';
import { ownValue } from '../json/json-object.ts';
import type { JsonValue } from '../object.ts';

export type Container = JsonObject | JsonValue[];

/** `/spec/containers/0` from its parts. */
export function jsonPointer(...parts: readonly (string | number)[]): string {
  let pointer = '';
  for (const part of parts) pointer += `/${escapePointer(String(part))}`;
  return pointer;
}

export function escapePointer(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/**
 * The tokens of a pointer, or undefined when it has none. What stands before the first slash is
 * ignored, as in the API server: `spec/replicas` means `/replicas`.
 */
export function pointerTokens(pointer: string): string[] | undefined {
  const parts = pointer.split('/');
  if (parts.length < 2) return undefined;
  const tokens = parts.slice(1);
  if (pointer.includes('~')) return tokens.map(unescapePointer);
  return tokens;
}

/** One pass, so that `~01` becomes `~1` and not `/`. */
function unescapePointer(token: string): string {
  return token.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~'));
}

/** An index as Go's Atoi reads it: a sign and leading zeros are allowed. NaN when it is none. */
export function parseIndex(token: string): number {
  return /^[+-]?\d{1,15}$/.test(token) ? Number.parseInt(token, 10) : Number.NaN;
}

/**
 * The position in an array of `length`, where a negative index counts from the end; undefined when it
 * is out of range or no index at all.
 */
export function arrayPosition(token: string, length: number): number | undefined {
  const index = parseIndex(token);
  const position = index < 0 ? index + length : index;
  return position >= 0 && position < length ? position : undefined;
}

export function childOf(container: Container, token: string): JsonValue | undefined {
  if (!Array.isArray(container)) return ownValue(container, token);
  const position = arrayPosition(token, container.length);
  return position === undefined ? undefined : container[position];
}
