import type { Random } from '@windlass/base';

/** No vowels and nothing that looks like another, so that no word and no confusion comes of it. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

const SUFFIX_LENGTH = 5;
/** Where a base is cut, so that the name is at most a DNS label long. */
export const MAX_GENERATE_NAME_LENGTH = 63 - SUFFIX_LENGTH;

/** As many characters as asked for, fit for a name. */
export function randomSuffix(random: Random, length = SUFFIX_LENGTH): string {
  let suffix = '';
  for (let index = 0; index < length; index++) suffix += ALPHABET[random.int(ALPHABET.length)] ?? '';
  return suffix;
}

/** The name that a server gives to an object with this `metadata.generateName`. It may be taken. */
export function generateName(base: string, random: Random): string {
  return base.slice(0, MAX_GENERATE_NAME_LENGTH) + randomSuffix(random);
}

/** Any ASCII text, as a text of the same length that is fit for a name: how hashes get into names. */
export function safeEncode(text: string): string {
  let encoded = '';
  for (let index = 0; index < text.length; index++)
    encoded += ALPHABET[text.charCodeAt(index) % ALPHABET.length] ?? '';
  return encoded;
}
