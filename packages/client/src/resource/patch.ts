import type { JsonPatchOperation } from '@windlass/apimachinery';
import { InvalidRequestError } from '../errors.ts';
import type { WriteOptions } from './options.ts';

/** RFC 7386: what is there is set, null removes, lists are replaced. */
export type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: MergePatch<T[K]> | null }
    : T;

/** As a merge patch, with lists merged by their keys, and directives such as `$patch`. Built-in kinds only. */
export type StrategicPatch<T> = T extends readonly (infer Item)[]
  ? readonly StrategicPatch<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: StrategicPatch<T[K]> | null } & {
        readonly [directive: `$${string}`]: unknown;
      }
    : T;

/** What an apply configuration may leave out: everything. */
export type ApplyConfiguration<T> = T extends readonly (infer Item)[]
  ? readonly ApplyConfiguration<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: ApplyConfiguration<T[K]> }
    : T;

/** A change of an object: a merge patch, a strategic merge patch, or JSON patch operations. */
export type Patch<T> = MergePatch<T> | StrategicPatch<T> | readonly JsonPatchOperation[];

/** Options of a patch. */
export interface PatchOptions extends WriteOptions {
  /** @default json for a list of operations, merge for an object */
  readonly type?: 'json' | 'merge' | 'strategic';
}

const MEDIA_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

export const APPLY_MEDIA_TYPE = 'application/apply-patch+yaml';

/** The content type of a patch, which its form alone decides unless it is a strategic one. */
export function patchMediaType(patch: unknown, type: PatchOptions['type']): string {
  const isList = Array.isArray(patch);
  if (!isList && (typeof patch !== 'object' || patch === null)) {
    throw new InvalidRequestError('a patch must be an object or a list of JSON Patch operations');
  }
  if (type !== undefined && isList !== (type === 'json')) {
    throw new InvalidRequestError(
      `a ${type} patch must be ${type === 'json' ? 'a list of operations' : 'an object'}, but it is ${isList ? 'a list' : 'an object'}`,
    );
  }
  return MEDIA_TYPES[type ?? (isList ? 'json' : 'merge')];
}
