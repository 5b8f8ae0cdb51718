import type { JsonObject } from '../../json/json-object.ts';
import type { JsonValue } from '../../object.ts';
import { withoutDirectiveKeys } from './directives.ts';
import type { PatchSchema } from './patch-schema.ts';

/** What the parts of a merge share. */
export interface MergeContext {
  /**
   * True when the patch meets an object: its directives are carried out and do not reach the result.
   * False when it meets another patch: the directives are kept.
   */
  readonly execute: boolean;
  /** `patch` merged into `original`. Neither is changed. */
  mergeObjects(original: JsonObject, patch: JsonObject, schema: PatchSchema): JsonObject;
}

/** A part of the patch that goes into the result as it is. */
export function incoming<T extends JsonValue>(value: T, context: MergeContext): T {
  // An object stays an object and a list a list.
  return context.execute ? (withoutDirectiveKeys(value) as T) : value;
}
