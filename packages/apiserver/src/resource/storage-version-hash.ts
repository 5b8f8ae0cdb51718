import { createHash } from 'node:crypto';
import type { GroupVersionKind } from '@windlass/apimachinery';

/** The name that discovery gives to the form in which a kind is stored: it changes when the stored version does. */
export function storageVersionHash({ group, version, kind }: GroupVersionKind): string {
  return createHash('sha256')
    .update(`${group}/${version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}
