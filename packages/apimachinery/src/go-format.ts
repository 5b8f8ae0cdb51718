// Values as Go's fmt prints them. API servers put such text into error messages, and clients match on it.

import { isJsonObject } from './json-object.ts';
import type { JsonValue } from './object.ts';

/** `%v`: `map[a:1 b:[x y]]`, `<nil>`. */
export function goValue(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (!isJsonObject(value)) return typeof value === 'number' ? goNumber(value) : String(value);
  const keys = Object.keys(value).toSorted(compareUtf8);
  return `map[${keys.map((key) => `${key}:${goValue(value[key])}`).join(' ')}]`;
}

/** An int64 or a float64: the latter has an exponent of two digits, from 1e21 up and below 1e-4. */
export function goNumber(value: number): string {
  const text = value !== 0 && Math.abs(value) < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** The name of the Go type that a JSON value decodes to. */
export function goType(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return 'string';
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const PLAIN = /^[ !#-[\]-~]*$/;

/** `%q`: like JSON, but other escapes for what cannot be printed. */
export function goQuote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) quoted += goQuoteCharacter(character);
  return `${quoted}"`;
}

function goQuoteCharacter(character: string): string {
  const escape = ESCAPES[character];
  if (escape !== undefined) return escape;
  if (PRINTABLE.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000
    ? `\\u${code.toString(16).padStart(4, '0')}`
    : `\\U${code.toString(16).padStart(8, '0')}`;
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
