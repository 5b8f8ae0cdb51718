import type { JsonObject } from '../json/json-object.ts';
import { apiVersionOf } from '../resource.ts';
import type { GroupVersionKind } from '../schema/schema.ts';
import { hasTypedForm, toTypedForm } from '../typed-form/typed-form.ts';

/**
 * What an object of a kind has before anything is set. Servers hold built-in kinds in structs, and some
 * of a struct's fields are always there: nested structs, and some lists and pointers, as null. Whoever
 * creates an object does not own those by merely leaving them as they are. Other kinds have nothing.
 */
export function emptyObject(kind: GroupVersionKind): JsonObject {
  const apiVersion = apiVersionOf(kind);
  if (!hasTypedForm(apiVersion, kind.kind)) return {};
  return toTypedForm(apiVersion, kind.kind, {}).object as JsonObject; // the form of an object is JSON
}
