import { isJsonObject } from '../../json/json-object.ts';
import { FieldSet } from '../fields/field-set.ts';
import type { Manager, Managers } from '../managers/managers.ts';
import { toFieldSet } from '../types/to-field-set.ts';
import type { TypedObject, UpdateContext } from '../types/typed-object.ts';
import { withNamedMembers } from './named-members.ts';
import { removeFields } from './remove.ts';

/**
 * The merged object without what its manager applied last time and does not apply now, unless somebody
 * else owns it. `managers` has what is applied now; `last` is the manager as it was.
 */
export function prune(
  merged: TypedObject,
  managers: Managers,
  last: Manager | undefined,
  now: Manager,
  context: UpdateContext,
): TypedObject {
  if (last === undefined || last.fields.isEmpty) return merged;
  // Nothing that was applied is missing now, so nothing can go: the case of a loop that applies again.
  if (last.apiVersion === now.apiVersion && last.fields.isSubsetOf(now.fields)) return merged;
  const inLast = context.convert(merged, last.apiVersion);
  if (inLast === undefined) return merged;
  const fieldsOf = rememberFields();
  const gone = remove(inLast, withNamedMembers(last.fields, inLast.type));
  const kept = addBackOwned(inLast, gone, managers, context, fieldsOf);
  const pruned = addBackDangling(inLast, kept, last, context, fieldsOf);
  return context.convert(pruned, now.apiVersion) ?? merged;
}

function remove(object: TypedObject, fields: FieldSet): TypedObject {
  const value = removeFields(object.value, fields, object.type);
  return value === object.value ? object : { ...object, value: isJsonObject(value) ? value : {} };
}

type FieldsOf = (object: TypedObject) => FieldSet;

/** All fields of an object. It is asked for more than once, and is most of the work. */
function rememberFields(): FieldsOf {
  const known = new Map<TypedObject, FieldSet>();
  return (object) => {
    const fields = known.get(object) ?? withNamedMembers(toFieldSet(object.value, object.type), object.type);
    known.set(object, fields);
    return fields;
  };
}

/** Puts back what anybody owns, the applying manager included. */
function addBackOwned(
  merged: TypedObject,
  pruned: TypedObject,
  managers: Managers,
  context: UpdateContext,
  fieldsOf: FieldsOf,
): TypedObject {
  const owned = new Map<string, FieldSet>();
  // The version of the objects comes first, because what is missing may be needed to convert them.
  owned.set(pruned.apiVersion, FieldSet.EMPTY);
  for (const { apiVersion, fields } of managers.values())
    owned.set(apiVersion, (owned.get(apiVersion) ?? FieldSet.EMPTY).union(fields));
  let from = merged;
  let kept = pruned;
  for (const [apiVersion, fields] of owned) {
    const before = context.convert(from, apiVersion);
    const after = before && context.convert(kept, apiVersion);
    if (before === undefined || after === undefined || fields.isEmpty) continue;
    const stays = fieldsOf(after).union(withNamedMembers(fields, before.type));
    kept = remove(before, fieldsOf(before).difference(stays));
    from = before;
  }
  return kept;
}

/** Puts back what went only because something around it did, and the manager never applied. */
function addBackDangling(
  merged: TypedObject,
  pruned: TypedObject,
  last: Manager,
  context: UpdateContext,
  fieldsOf: FieldsOf,
): TypedObject {
  const converted = context.convert(pruned, last.apiVersion);
  if (converted === undefined) return merged;
  const applied = withNamedMembers(last.fields, merged.type);
  return remove(merged, fieldsOf(merged).difference(fieldsOf(converted)).intersection(applied));
}
