// The other direction: the patch that makes one document out of another, as mutating webhooks answer
// it and clients send it.

import { deepEqual } from '../json/deep-equal.ts';
import { asJsonValue, isJsonObject, ownValue } from '../json/json-object.ts';
import type { JsonValue } from '../object.ts';
import type { JsonPatchOperation } from './json-patch.ts';
import { escapePointer } from './json-patch-pointer.ts';

/**
 * Operations that turn `original` into `modified`; none when they are equal. Keys are visited in
 * `original`'s order, then `modified`'s, so the result is stable. Arrays are compared from both ends:
 * an insertion or removal in one place costs as many operations as elements came or went.
 */
export function createJsonPatch(original: unknown, modified: unknown): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  diffValues(asJsonValue(original), asJsonValue(modified), '', operations);
  return operations;
}

function diffValues(from: JsonValue, to: JsonValue, path: string, out: JsonPatchOperation[]): void {
  if (from === to) return;
  if (isJsonObject(from) && isJsonObject(to)) diffObjects(from, to, path, out);
  else if (Array.isArray(from) && Array.isArray(to)) diffArrays(from, to, path, out);
  else if (!deepEqual(from, to)) out.push({ op: 'replace', path, value: to });
}

function diffObjects(
  from: { [key: string]: JsonValue },
  to: { [key: string]: JsonValue },
  path: string,
  out: JsonPatchOperation[],
): void {
  for (const key of Object.keys(from)) {
    const before = from[key];
    if (before === undefined) continue;
    const after = ownValue(to, key);
    const child = `${path}/${escapePointer(key)}`;
    if (after === undefined) out.push({ op: 'remove', path: child });
    else diffValues(before, after, child, out);
  }
  for (const key of Object.keys(to)) {
    const after = to[key];
    if (after === undefined || ownValue(from, key) !== undefined) continue;
    out.push({ op: 'add', path: `${path}/${escapePointer(key)}`, value: after });
  }
}

function diffArrays(
  from: readonly JsonValue[],
  to: readonly JsonValue[],
  path: string,
  out: JsonPatchOperation[],
): void {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && deepEqual(from[start], to[start])) start++;
  let end = 0;
  while (end < shorter - start && deepEqual(from[from.length - 1 - end], to[to.length - 1 - end])) end++;

  const fromEnd = from.length - end;
  const toEnd = to.length - end;
  const paired = Math.min(fromEnd, toEnd);
  for (let i = start; i < paired; i++) {
    diffValues(from[i] ?? null, to[i] ?? null, `${path}/${i}`, out);
  }
  for (let i = fromEnd - 1; i >= paired; i--) out.push({ op: 'remove', path: `${path}/${i}` });
  for (let i = paired; i < toEnd; i++) out.push({ op: 'add', path: `${path}/${i}`, value: to[i] ?? null });
}
