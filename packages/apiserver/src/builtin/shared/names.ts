import { validatePathSegmentName, validatePathSegmentPrefix } from '@windlass/apimachinery';

/** A name that may be anything that fits into a path, for `validateName`. */
export function validatePathSegment(name: string, isPrefix: boolean): string[] {
  return isPrefix ? validatePathSegmentPrefix(name) : validatePathSegmentName(name);
}
