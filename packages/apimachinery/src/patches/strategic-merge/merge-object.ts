import { deepEqual } from '../../json/deep-equal.ts';
import type { JsonObject } from '../../json/json-object.ts';
import { isJsonObject, ownValue, setOwn } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import {
  DELETE_FROM_LIST,
  PATCH,
  RETAIN_KEYS,
  SET_ELEMENT_ORDER,
  targetOf,
  withoutNullKeys,
  withoutPatchedObjects,
} from './directives.ts';
import { badRetainKeys, failed, unknownDirective } from './errors.ts';
import { incoming, type MergeContext } from './merge-context.ts';
import { mergeLists } from './merge-list.ts';
import { mergeOrderedLists } from './merge-order.ts';
import type { PatchSchema } from './patch-schema.ts';

/** `patch` merged into `original`; see MergeContext for `execute`. Neither is changed. */
export function mergeObjects(
  original: JsonObject,
  patch: JsonObject,
  schema: PatchSchema,
  execute: boolean,
): JsonObject {
  const context: MergeContext = {
    execute,
    mergeObjects: (inner, innerPatch, innerSchema) => merge(inner, innerPatch, innerSchema, context),
  };
  return merge(original, patch, schema, context);
}

function merge(
  original: JsonObject,
  patch: JsonObject,
  schema: PatchSchema,
  context: MergeContext,
): JsonObject {
  const directive = ownValue(patch, PATCH);
  if (directive === 'delete') return {};
  if (directive === 'replace') {
    const { [PATCH]: _, ...rest } = patch;
    return incoming(rest, context);
  }
  if (directive !== undefined) throw unknownDirective(directive, patch);

  const result = { ...original };
  const rest = { ...patch };
  retainKeys(result, rest, context);
  mergeOrderedLists(result, rest, schema, context);
  for (const key of Object.keys(rest)) {
    const value = rest[key];
    if (value !== undefined) mergeField(result, key, value, schema, context);
  }
  return result;
}

function mergeField(
  result: JsonObject,
  patchKey: string,
  value: JsonValue,
  schema: PatchSchema,
  context: MergeContext,
): void {
  const deletion = patchKey.startsWith(DELETE_FROM_LIST);
  if (deletion && !context.execute) return setOwn(result, patchKey, value);
  const key = deletion ? targetOf(patchKey, DELETE_FROM_LIST) : patchKey;
  if (value === null) {
    delete result[key];
    // In a patch that is merged with another, the null is the instruction to delete.
    if (!context.execute) setOwn(result, key, null);
    return;
  }
  const current = ownValue(result, key);
  if (isJsonObject(current) && isJsonObject(value)) {
    const field = schema.object(key);
    if (field.strategy === 'replace') setOwn(result, key, incoming(value, context));
    else setOwn(result, key, merge(current, value, field.schema, context));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    const field = schema.list(key);
    setOwn(result, key, mergeLists(current, value, field, context, deletion));
  } else if (!deletion) setUnmatched(result, key, value, context);
}

function setUnmatched(result: JsonObject, key: string, value: JsonValue, context: MergeContext): void {
  const kept = withoutPatchedObjects(context.execute ? withoutNullKeys(value) : value);
  if (kept === undefined) delete result[key];
  else setOwn(result, key, incoming(kept, context));
}

/** Carries `$retainKeys` out on `result`, or moves it there; either way it leaves `patch`. */
function retainKeys(result: JsonObject, patch: JsonObject, context: MergeContext): void {
  const keys = ownValue(patch, RETAIN_KEYS);
  if (keys === undefined) return;
  delete patch[RETAIN_KEYS];
  if (!context.execute) {
    const before = ownValue(result, RETAIN_KEYS);
    if (before !== undefined && !deepEqual(before, keys))
      throw failed(
        'the two patches retain different keys: this may happen when calculating the 3-way diff patch',
      );
    return setOwn(result, RETAIN_KEYS, keys);
  }
  if (!Array.isArray(keys)) throw badRetainKeys();
  const retained = new Set(keys);
  for (const key of Object.keys(patch)) {
    const parallel = key.startsWith(DELETE_FROM_LIST) || key.startsWith(SET_ELEMENT_ORDER);
    if ((patch[key] ?? null) !== null && !parallel && !retained.has(key)) throw badRetainKeys();
  }
  for (const key of Object.keys(result)) if (!retained.has(key)) delete result[key];
}
