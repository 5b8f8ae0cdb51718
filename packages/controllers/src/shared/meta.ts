// Metadata is optional in the types, because people write objects without it. What a server or a cache
// gives has all of this.
import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';

type Any = DeepReadonly<KubeObject>;

export const uidOf = (object: Any): string => object.metadata?.uid ?? '';
export const nameOf = (object: Any): string => object.metadata?.name ?? '';
export const namespaceOf = (object: Any): string => object.metadata?.namespace ?? '';
export const labelsOf = (object: Any): Readonly<Record<string, string>> => object.metadata?.labels ?? {};
export const annotationsOf = (object: Any): Readonly<Record<string, string>> =>
  object.metadata?.annotations ?? {};
export const generationOf = (object: Any): number => object.metadata?.generation ?? 0;

/** Older first; of the same second by name. */
export function byCreation(a: Any, b: Any): number {
  const [left, right] = [a.metadata?.creationTimestamp ?? '', b.metadata?.creationTimestamp ?? ''];
  if (left !== right) return left < right ? -1 : 1;
  return nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0;
}
