// JSON in one form per value, and an order over values: both as the server writes and sorts FieldsV1.

import { compareUtf8 } from '../../json/go-format.ts';
import { isJsonObject } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';

const PLAIN = /^[ !#-%'-;=?-[\]-~]*$/;
// Quotes, backslashes and control characters must be escaped; what HTML or JavaScript misreads is too.
const ESCAPED = /["\\<>&\u2028\u2029]|[^\u0020-\uffff]/g;
const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

export function canonicalString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  const escaped = text
    .toWellFormed()
    .replace(ESCAPED, (c) => SHORT[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${escaped}"`;
}

/** Without spaces, with sorted keys. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return canonicalString(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const parts = sortedKeys(value).map(
    (key) => `${canonicalString(key)}:${canonicalJson(value[key] ?? null)}`,
  );
  return `{${parts.join(',')}}`;
}

function sortedKeys(object: { [key: string]: JsonValue }): string[] {
  const keys = Object.keys(object);
  return keys.length < 2 ? keys : keys.sort(compareUtf8);
}

/** Numbers, strings, booleans, lists, objects, null; each by content. */
export function compareJson(left: JsonValue, right: JsonValue): number {
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0) return rank;
  if (typeof left === 'string' && typeof right === 'string') return compareUtf8(left, right);
  if (Array.isArray(left) && Array.isArray(right)) return compareLists(left, right);
  if (isJsonObject(left) && isJsonObject(right)) return compareObjects(left, right);
  const [a, b] = [left ?? 0, right ?? 0];
  return a < b ? -1 : Number(a > b);
}

function rankOf(value: JsonValue): number {
  if (typeof value === 'number' || typeof value === 'bigint') return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (value === null) return 5;
  return Array.isArray(value) ? 3 : 4;
}

function compareLists(left: readonly JsonValue[], right: readonly JsonValue[]): number {
  for (let i = 0; i < left.length && i < right.length; i++) {
    const order = compareJson(left[i] ?? null, right[i] ?? null);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Key by key, as if they were lists of pairs. */
function compareObjects(left: { [key: string]: JsonValue }, right: { [key: string]: JsonValue }): number {
  const leftKeys = sortedKeys(left);
  const rightKeys = sortedKeys(right);
  for (let i = 0; i < leftKeys.length && i < rightKeys.length; i++) {
    const leftKey = leftKeys[i] ?? '';
    const rightKey = rightKeys[i] ?? '';
    const order =
      compareUtf8(leftKey, rightKey) || compareJson(left[leftKey] ?? null, right[rightKey] ?? null);
    if (order !== 0) return order;
  }
  return leftKeys.length - rightKeys.length;
}
