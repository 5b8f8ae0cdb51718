import { joinKey, type KubeObject } from '@windlass/apimachinery';

/** Undefined for what has no name, and so can be neither found nor removed again. */
export function keyOrNone(object: KubeObject | null | undefined): string | undefined {
  const metadata = object?.metadata;
  // A stranger's JSON may have anything there.
  const name: unknown = metadata?.name;
  if (typeof name !== 'string' || name === '') return undefined;
  return joinKey(metadata?.namespace, name);
}
