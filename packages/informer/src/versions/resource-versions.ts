import { compareResourceVersions, isResourceVersion } from '@windlass/apimachinery';

/**
 * Whether `a` is known to be older than `b`. Versions that are no numbers are opaque: nothing is known of
 * their order, and whatever comes later is taken for the newer one.
 *
 * The first two lines answer for almost every event of a watch; only what seems to be older is worth the
 * proof that both are numbers.
 */
export function isOlder(a: string, b: string): boolean {
  if (a.length > b.length) return false;
  if (a.length === b.length && a >= b) return false;
  return isResourceVersion(a) && isResourceVersion(b) && compareResourceVersions(a, b) < 0;
}

/** Whether `a` is known to be newer than `b`, both of them of the same server. */
export function isNewer(a: string, b: string): boolean {
  if (a.length !== b.length) return a.length > b.length && isResourceVersion(a) && isResourceVersion(b);
  return a > b && isDigits(a) && isDigits(b);
}

/** What a loop over a few characters says faster than a regular expression. */
function isDigits(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}

/** Whether a watch can go on from it: the empty one and `0` mean "anywhere". */
export function isResumable(version: string): boolean {
  return version !== '' && version !== '0';
}
