import { InvalidResourceVersionError } from './errors.ts';
import { goQuote } from './go-text.ts';

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

/** A request's `resourceVersion` as a number: 0 for the empty one and for `0`. */
export function parseResourceVersion(text: string): number {
  if (text === '') return 0;
  const problem = !/^[0-9]+$/.test(text)
    ? 'invalid syntax'
    : !Number.isSafeInteger(Number(text))
      ? 'value out of range'
      : undefined;
  if (problem !== undefined)
    throw new InvalidResourceVersionError(`strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`);
  return Number(text);
}
