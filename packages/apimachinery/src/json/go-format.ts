// Whole JSON values as Go's fmt prints them, for messages that quote them.

import type { JsonValue } from '../object.ts';
import { goNumber, goQuote } from '../text/go-text.ts';
import { isJsonObject } from './json-object.ts';

/** `%v`: `map[a:1 b:[x y]]`, `<nil>`. */
export function goValue(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (!isJsonObject(value)) return typeof value === 'number' ? goNumber(value) : String(value);
  const keys = Object.keys(value).toSorted(compareUtf8);
  return `map[${keys.map((key) => `${key}:${goValue(value[key])}`).join(' ')}]`;
}

/** The name of the Go type that a JSON value decodes to. */
export function goType(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return 'string';
}

/** Go orders strings by UTF-8 bytes; JavaScript by UTF-16 units, which differs above U+FFFF. */
export function compareUtf8(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a === b) continue;
    const aSurrogate = a >= 0xd800 && a <= 0xdfff;
    const bSurrogate = b >= 0xd800 && b <= 0xdfff;
    return aSurrogate === bSurrogate ? a - b : aSurrogate ? 1 : -1;
  }
  return left.length - right.length;
}

/** `%#v`: the value as Go source. */
export function goSyntax(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isJsonObject(value)) return goValue(value);
  const keys = Object.keys(value).toSorted(compareUtf8);
  return `map[string]interface {}{${keys.map((key) => `${goQuote(key)}:${goSyntax(value[key])}`).join(', ')}}`;
}
