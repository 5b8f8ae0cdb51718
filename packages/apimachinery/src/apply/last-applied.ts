// Client-side apply left its configuration in an annotation. When kubectl goes over to server-side apply,
// what stands there is its own, though client-side apply wrote it under another manager's name.

import { goMapJson } from '../json/go-json.ts';
import type { JsonObject } from '../json/json-object.ts';
import { isJsonObject, ownValue } from '../json/json-object.ts';
import { byteLength } from '../text/go-text.ts';
import type { FieldSet } from './fields/field-set.ts';
import { compare } from './merge/compare.ts';
import { toFieldSet } from './types/to-field-set.ts';
import type { TypedObject } from './types/typed-object.ts';
import { validate } from './types/validate.ts';

/** Where client-side apply keeps what was applied last. */
export const LAST_APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** The only manager that the annotation is read and kept up to date for. */
export const KUBECTL = 'kubectl';

/** What all annotations together may measure, keys included. */
const MAX_ANNOTATIONS_BYTES = 256 * 1024;

/** The annotation's text; undefined when there is none or it is empty. */
export function lastAppliedOf(object: JsonObject): string | undefined {
  const metadata = ownValue(object, 'metadata');
  const annotations = isJsonObject(metadata) ? ownValue(metadata, 'annotations') : undefined;
  const text = isJsonObject(annotations) ? ownValue(annotations, LAST_APPLIED_ANNOTATION) : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/**
 * The fields that client-side apply set and that are still as it set them; undefined when there is no
 * annotation, or one that cannot be read.
 */
export function lastAppliedFields(live: TypedObject): FieldSet | undefined {
  const text = lastAppliedOf(live.value);
  if (text === undefined) return undefined;
  const applied = parseObject(text);
  if (applied === undefined || ownValue(applied, 'apiVersion') !== live.apiVersion) return undefined;
  try {
    validate(applied, live.type);
  } catch {
    return undefined;
  }
  const { modified, added, removed } = compare(applied, live.value, live.type);
  return toFieldSet(applied, live.type).difference(modified).difference(added).difference(removed);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `object` with the annotation set to `applied`, or without it when that would be too large. */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  const text = `${goMapJson(withoutAnnotation(applied))}\n`;
  const metadata = ownValue(object, 'metadata');
  const before = isJsonObject(metadata) ? ownValue(metadata, 'annotations') : undefined;
  const annotations: JsonObject = {
    ...(isJsonObject(before) ? before : {}),
    [LAST_APPLIED_ANNOTATION]: text,
  };
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations))
    bytes += byteLength(key) + (typeof value === 'string' ? byteLength(value) : 0);
  if (bytes > MAX_ANNOTATIONS_BYTES) delete annotations[LAST_APPLIED_ANNOTATION];
  return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), annotations } };
}

function withoutAnnotation(object: JsonObject): JsonObject {
  const metadata = ownValue(object, 'metadata');
  const annotations = isJsonObject(metadata) ? ownValue(metadata, 'annotations') : undefined;
  if (!isJsonObject(metadata) || !isJsonObject(annotations)) return object;
  const { [LAST_APPLIED_ANNOTATION]: _, ...rest } = annotations;
  return { ...object, metadata: { ...metadata, annotations: rest } };
}
