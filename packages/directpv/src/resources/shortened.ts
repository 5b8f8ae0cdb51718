import { createHash } from 'node:crypto';

const MAX_LENGTH = 63;
const HASH_LENGTH = 32;

/**
 * A text of at most 63 (or `maxLength`) lower-case letters, digits and hyphens that stands for a longer or stranger one: its
 * beginning, for people, and 128 bits of its SHA-256, so that different texts stay different. A label value, a
 * part of a finalizer and an object's name alike.
 */
export function shortened(text: string, maxLength = MAX_LENGTH): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
  const readable = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength - HASH_LENGTH - 1)
    .replaceAll(/^-+|-+$/g, '');
  return readable === '' ? hash : `${readable}-${hash}`;
}
