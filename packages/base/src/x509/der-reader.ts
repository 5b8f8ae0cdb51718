/** A value of DER: its tag, what is in it, and the whole of it as it stands there. */
export interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

/** The values that stand one after the other. @throws Error when these are not values */
export function elements(bytes: Uint8Array): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    let length = bytes[at + 1] ?? Number.NaN;
    let start = at + 2;
    if (length > 0x80) {
      const size = length & 0x7f;
      // Nothing that we read is longer than what four bytes can say.
      if (size > 4) throw new Error('it is not DER');
      length = 0;
      for (const byte of bytes.subarray(start, start + size)) length = length * 256 + byte;
      start += size;
    } else if (length === 0x80) throw new Error('it is not DER');
    const end = start + length;
    if (!(end <= bytes.length)) throw new Error('it ends too soon');
    found.push({ tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) });
    at = end;
  }
  return found;
}

/** Dotted. */
export function readObjectIdentifier(content: Uint8Array): string {
  const parts: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) !== 0) continue;
    if (parts.length === 0) parts.push(Math.min(2, Math.floor(value / 40)));
    parts.push(parts.length === 1 ? value - (parts[0] ?? 0) * 40 : value);
    value = 0;
  }
  return parts.join('.');
}
