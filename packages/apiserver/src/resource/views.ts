// How rules of built-in kinds see an object. Decoding has brought the object into its typed form: a field that is
// there has the type that the API gives it. But any field may be absent, even one that the API requires, because
// validation has yet to say so.
//
// Four things to know of the typed form:
// - Lists of objects hold objects only: null items have become empty objects, and anything else was refused.
// - A list or map that the API always shows is null when it is empty. Hence the null in both types.
// - A few other fields are null when they are absent: see NullWhenAbsent.
// - A time is null when the client sent an empty text, although its type is string. Give times to functions that
//   take null (`since`, `timeOf`), or test them with `?? ''`.
import type { DeepReadonly, ObjectMeta } from '@windlass/apimachinery';

/**
 * Fields that the API requires and always shows, as null when they are absent. Other required fields show the zero
 * of their type. The test beside this file holds the list against the typed form of every kind.
 */
type NullWhenAbsent = 'pathType' | 'request' | 'secretRef' | 'selector' | 'sideEffects';

type Scalar = string | number | boolean | null | undefined;

/** What a field may hold besides its own type. */
type Empty<T, Key extends keyof T> =
  | EmptyList<T[Key]>
  | (Key extends NullWhenAbsent ? (undefined extends T[Key] ? never : null) : never);
type EmptyList<T> = T extends readonly unknown[] ? null : string extends keyof T ? null : never;

/** Metadata has a type of its own all over the server, in which every field is optional already. */
type IsMetadata<T> = keyof ObjectMeta extends keyof T ? true : false;

/** For reading: deeply read-only, with every field optional. For validation, printers and whatever is stored. */
export type View<T> = T extends Scalar
  ? T
  : T extends readonly (infer Item)[]
    ? readonly View<Item>[]
    : string extends keyof T
      ? { readonly [Key in keyof T]: View<T[Key]> }
      : IsMetadata<T> extends true
        ? DeepReadonly<T>
        : { readonly [Key in keyof T]?: View<T[Key]> | Empty<T, Key> };

/** For writing: every field is optional. For defaults and for what prepares an object before it is stored. */
export type DraftOf<T> = T extends Scalar
  ? T
  : T extends readonly (infer Item)[]
    ? DraftOf<Item>[]
    : string extends keyof T
      ? { [Key in keyof T]: DraftOf<T[Key]> }
      : IsMetadata<T> extends true
        ? T
        : { [Key in keyof T]?: DraftOf<T[Key]> | Empty<T, Key> };

/**
 * A part of an object, for a draft that takes it over as it is. The part may be a stored object's own, which is shared
 * and frozen: nobody may change it through the draft. Of what is to be changed, give a copy.
 */
export function draftFrom<T>(part: View<T>): DraftOf<T> {
  // The two types differ in nothing but what may be written.
  return part as DraftOf<T>;
}
