import { deepEqual } from '../../json/deep-equal.ts';
import { compareUtf8 } from '../../json/go-format.ts';
import type { JsonObject } from '../../json/json-object.ts';
import { isJsonObject, ownValue, setOwn } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import type { DiffContext } from './diff-context.ts';
import { diffLists } from './diff-list.ts';
import { DELETE_FROM_LIST, PATCH, RETAIN_KEYS, SET_ELEMENT_ORDER } from './directives.ts';
import { failed } from './errors.ts';
import type { PatchSchema } from './patch-schema.ts';

export interface DiffOptions {
  /**
   * Leave out what `modified` adds or changes.
   * @default false
   */
  readonly ignoreChanges?: boolean;
  /**
   * Leave out what `modified` lacks.
   * @default false
   */
  readonly ignoreDeletions?: boolean;
  /**
   * Say the order of merged lists.
   * @default true
   */
  readonly setElementOrder?: boolean;
}

/** The strategic merge patch that turns `original` into `modified`. */
export function diffObjects(
  original: JsonObject,
  modified: JsonObject,
  schema: PatchSchema,
  options: DiffOptions = {},
): JsonObject {
  const context: DiffContext = {
    ignoreChanges: options.ignoreChanges ?? false,
    ignoreDeletions: options.ignoreDeletions ?? false,
    setElementOrder: options.setElementOrder ?? true,
    diffObjects: (from, to, inner, retainKeys) => diff(from, to, inner, retainKeys, context),
  };
  return diff(original, modified, schema, false, context);
}

function diff(
  original: JsonObject,
  modified: JsonObject,
  schema: PatchSchema,
  retainKeys: boolean,
  context: DiffContext,
): JsonObject {
  const patch: JsonObject = {};
  const retained: string[] = [];
  for (const key of Object.keys(modified)) {
    const after = modified[key];
    if (after === undefined) continue;
    if (after !== null) retained.push(key);
    const before = ownValue(original, key);
    if (before !== after) diffField(key, before, after, patch, schema, context);
  }
  let extra = false;
  for (const key of Object.keys(original)) {
    const before = original[key];
    if (before === undefined || ownValue(modified, key) !== undefined) continue;
    if (before !== null) extra = true;
    if (!context.ignoreDeletions) setOwn(patch, key, null);
  }
  if (retainKeys && retained.length > 0 && (extra || Object.keys(patch).length > 0))
    setOwn(patch, RETAIN_KEYS, retained.sort(compareUtf8));
  return patch;
}

function diffField(
  key: string,
  before: JsonValue | undefined,
  after: JsonValue,
  patch: JsonObject,
  schema: PatchSchema,
  context: DiffContext,
): void {
  const replace = (): void => {
    if (!context.ignoreChanges && !deepEqual(before, after)) setOwn(patch, key, after);
  };
  if (before !== undefined && key === PATCH) {
    if (typeof before !== 'string' || typeof after !== 'string')
      throw failed(`invalid value for special key: ${PATCH}`);
    if (before !== after) setOwn(patch, key, after);
  } else if (isJsonObject(before) && isJsonObject(after)) {
    // A type that is not known does no harm as long as nothing differs.
    if (deepEqual(before, after)) return;
    const field = schema.object(key);
    if (field.strategy === 'replace') return replace();
    const inner = context.diffObjects(before, after, field.schema, field.retainKeys);
    if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    if (deepEqual(before, after)) return;
    const field = schema.list(key);
    if (field.strategy !== 'merge') return replace();
    const { changes, deletions, order } = diffLists(before, after, field, context);
    if (changes.length > 0) setOwn(patch, key, changes);
    if (deletions.length > 0) setOwn(patch, `${DELETE_FROM_LIST}/${key}`, deletions);
    if (order.length > 0) setOwn(patch, `${SET_ELEMENT_ORDER}/${key}`, order);
  } else replace();
}
