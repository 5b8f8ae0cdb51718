/**
 * Strings that were read before. Kubernetes objects repeat themselves ("TCP", "default", label keys,
 * mount paths), so looking a short text up is faster than making it again, and what is decoded shares
 * one copy of it. Bounded: a new text takes the place of an older one with the same hash.
 */
export class StringCache {
  readonly #texts: (string | undefined)[];

  /** `slots` must be a power of two. */
  constructor(slots: number) {
    this.#texts = Array.from<string | undefined>({ length: slots }).fill(undefined);
  }

  /** The ASCII text in the bytes; undefined when some byte is not ASCII. Costs one pass over the bytes. */
  ascii(bytes: Buffer, start: number, end: number): string | undefined {
    let hash = end - start;
    for (let index = start; index < end; index++) {
      const byte = bytes[index] ?? 0x80;
      if (byte >= 0x80) return undefined;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    const slot = (hash ^ (hash >>> 15)) & (this.#texts.length - 1);
    const known = this.#texts[slot];
    if (known !== undefined && equals(known, bytes, start, end)) return known;
    const text = bytes.toString('latin1', start, end);
    this.#texts[slot] = text;
    return text;
  }
}

function equals(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let index = 0; index < text.length; index++)
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  return true;
}
