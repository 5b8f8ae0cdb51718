// Distinguished Encoding Rules, as much as certificates need. Writing certificates by hand keeps a dozen
// packages out of every installation.

/** A value with its tag and length before it. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => der(0x30, ...items);
export const set = (...items: readonly Uint8Array[]): Buffer => der(0x31, ...items);
export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
export const bits = (bytes: Uint8Array, unused = 0): Buffer => der(0x03, Buffer.from([unused]), bytes);
export const bool = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text, 'utf8'));
/** `[n]` around a value. */
export const explicit = (number: number, value: Uint8Array): Buffer => der(0xa0 | number, value);
/** `[n]` instead of a value's own tag. */
export const implicit = (number: number, bytes: Uint8Array): Buffer => der(0x80 | number, bytes);

/** Non-negative, of any length. */
export function integer(value: number | Uint8Array): Buffer {
  let bytes =
    typeof value === 'number'
      ? Buffer.from(
          value
            .toString(16)
            .padStart(2, '0')
            .replace(/^(.(?:..)*)$/, '0$1'),
          'hex',
        )
      : Buffer.from(value);
  while (bytes.length > 1 && bytes[0] === 0 && ((bytes[1] ?? 0) & 0x80) === 0) bytes = bytes.subarray(1);
  // A set first bit would make it negative.
  return ((bytes[0] ?? 0) & 0x80) === 0 ? der(0x02, bytes) : der(0x02, Buffer.from([0]), bytes);
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const digits = [part & 0x7f];
    for (let left = Math.floor(part / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return der(0x06, Buffer.from(bytes));
}

/** Years to 2049 have two digits, later ones four. */
export function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');
  return Number(digits.slice(0, 4)) < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
}
