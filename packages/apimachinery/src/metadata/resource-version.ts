import { InvalidResourceVersionError } from '../errors.ts';
import { goQuote } from '../text/go-text.ts';

const WELL_FORMED = /^[1-9][0-9]*$/;

/** True for what an object's `metadata.resourceVersion` may be: a whole number above zero, any length. */
export function isResourceVersion(text: string): boolean {
  return WELL_FORMED.test(text);
}

/**
 * -1, 0 or 1 as `a` is older than, the same as, or newer than `b`. It means something only for objects
 * of one resource. The empty one and `0` are requests, not versions, and throw.
 */
export function compareResourceVersions(a: string, b: string): -1 | 0 | 1 {
  for (const version of [a, b])
    if (!WELL_FORMED.test(version))
      throw new InvalidResourceVersionError(`resource version is not well formed: ${version}`);
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}

const UINT64_MAX = 2n ** 64n - 1n;
/** With more digits than this, it does not fit in 64 bits. */
const UINT64_DIGITS = 20;

/**
 * A request's `resourceVersion` as a number: 0 for the empty one and for `0`. It may have 64 bits, as it does
 * with Kubernetes, but beyond 2^53 it is the largest safe number: there never was such a version.
 */
export function parseResourceVersion(text: string): number {
  if (text === '') return 0;
  const digits = /^0*([0-9]+)$/.exec(text)?.[1];
  if (digits === undefined) throw unreadable(text, 'invalid syntax');
  if (digits.length > UINT64_DIGITS || BigInt(digits) > UINT64_MAX)
    throw unreadable(text, 'value out of range');
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}

function unreadable(text: string, problem: string): Error {
  return new InvalidResourceVersionError(`strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`);
}
