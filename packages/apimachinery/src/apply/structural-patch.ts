import { appendAll, toError } from '@windlass/base';
import { asJsonValue, isJsonObject } from '../json/json-object.ts';
import type { JsonValue } from '../object.ts';
import type { Schema } from '../schema/schema.ts';
import { fieldElement, formatPath, indexElement, type PathElement } from './fields/path-element.ts';
import { ApplyError } from './kind-types.ts';
import { merge } from './merge/merge.ts';
import type { Type } from './types/type.ts';
import { DEDUCED, type TypeCompiler } from './types/type-compiler.ts';
import { validate } from './types/validate.ts';

/**
 * `live` with all that `patch` says, merged as server-side apply does it, but nobody comes to own anything and
 * nothing is removed.
 *
 * @param schema undefined for a kind whose fields are not known
 * @throws ApplyError for what is not of its type, and for what can only be replaced as a whole
 */
export function mergeStructuralPatch<T extends object>(
  live: T,
  patch: Readonly<Record<string, unknown>>,
  types: TypeCompiler,
  schema: Schema | undefined,
): T {
  const [before, change] = [asJsonValue(live), asJsonValue(patch)];
  const type = schema === undefined ? DEDUCED : types.typeOf(schema);
  attempt('failed to convert patch object to typed object', () => validate(change, type));
  const atomic = atomicPlaces(change, type, []);
  if (atomic.length > 0)
    throw new ApplyError(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomic.join(', ')}`,
    );
  attempt('failed to convert original object to typed object', () =>
    validate(before, type, { allowDuplicates: true }),
  );
  // Both have been checked against the type, and so what they make together is of it.
  return merge(before, change, type) as T;
}

function attempt(problem: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    throw new ApplyError(`${problem}: ${toError(cause).message}`, cause);
  }
}

/** Where a value has something that is only replaced as a whole. */
function atomicPlaces(value: JsonValue, type: Type, path: readonly PathElement[]): string[] {
  const places: string[] = [];
  if (isJsonObject(value) && type.map !== undefined) {
    if (type.map.relationship === 'atomic') places.push(formatPath(path));
    for (const [name, child] of Object.entries(value)) {
      const field = type.map.field(name);
      if (field !== undefined && child !== undefined)
        appendAll(places, atomicPlaces(child, field.type, [...path, fieldElement(name)]));
    }
  }
  if (Array.isArray(value) && type.list !== undefined) {
    if (type.list.relationship === 'atomic') places.push(formatPath(path));
    for (const [index, item] of value.entries())
      appendAll(places, atomicPlaces(item, type.list.items, [...path, indexElement(index)]));
  }
  return places;
}
