// Parts of the metadata that an object may lack, as what that means.
import type { Cached, DeepReadonly, KubeObject } from '@windlass/apimachinery';

type Any = DeepReadonly<KubeObject>;

export const labelsOf = (object: Any): Readonly<Record<string, string>> => object.metadata?.labels ?? {};
export const annotationsOf = (object: Any): Readonly<Record<string, string>> =>
  object.metadata?.annotations ?? {};
export const generationOf = (object: Any): number => object.metadata?.generation ?? 0;

/** Older first; of the same second by name. */
export function byCreation({ metadata: a }: Cached<KubeObject>, { metadata: b }: Cached<KubeObject>): number {
  if (a.creationTimestamp !== b.creationTimestamp) return a.creationTimestamp < b.creationTimestamp ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
