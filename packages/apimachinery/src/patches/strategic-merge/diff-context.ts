import type { JsonObject } from '../../json/json-object.ts';
import type { PatchSchema } from './patch-schema.ts';

/** What the parts of a diff share. */
export interface DiffContext {
  readonly ignoreChanges: boolean;
  readonly ignoreDeletions: boolean;
  readonly setElementOrder: boolean;
  diffObjects(from: JsonObject, to: JsonObject, schema: PatchSchema, retainKeys: boolean): JsonObject;
}
