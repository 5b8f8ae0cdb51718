// Distinguished Encoding Rules, read strictly: each value has exactly one form, so two readers cannot differ over it.
import { SigningRequestError } from './errors.ts';

/** A value of DER: its tag, what is in it, and the whole of it as it stands there. */
export interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;
export const OBJECT_IDENTIFIER = 0x06;
export const SEQUENCE = 0x30;
export const SET = 0x31;
export const BOOLEAN = 0x01;

/** Tags above 30 take more bytes. Nothing in a request has one. */
const LONG_TAG = 0x1f;
/** Nothing that we read is longer than what four bytes can say. */
const MAX_LENGTH_BYTES = 4;
/** How deep values may be nested. Requests need nine. */
const MAX_DEPTH = 32;
/** Tags with this bit have values in them. */
const CONSTRUCTED = 0x20;
/** Arcs of 31 bits, as Go reads them. */
const MAX_ARC = 2 ** 31 - 1;

/**
 * The values that stand one after the other. Only this level is read: what is nested costs nothing until it is asked
 * for, and no nesting makes this recurse.
 * @throws SigningRequestError when these are not values in DER
 */
export function elements(bytes: Uint8Array): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    if ((tag & LONG_TAG) === LONG_TAG)
      throw new SigningRequestError('the certificate request has a tag of more than one byte');
    const { length, start } = readLength(bytes, at + 1);
    const end = start + length;
    if (end > bytes.length) throw new SigningRequestError('the certificate request ends too soon');
    found.push({ tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) });
    at = end;
  }
  return found;
}

/**
 * The values, after all that is nested in them was found to be DER, too, also what nobody looks at later.
 * @throws SigningRequestError also when they are nested more than 32 deep
 */
export function wellFormedElements(bytes: Uint8Array, depth = 1): Element[] {
  if (depth > MAX_DEPTH)
    throw new SigningRequestError(`the certificate request is nested more than ${MAX_DEPTH} deep`);
  const found = elements(bytes);
  for (const { tag, content } of found) if ((tag & CONSTRUCTED) !== 0) wellFormedElements(content, depth + 1);
  return found;
}

function readLength(bytes: Uint8Array, at: number): { readonly length: number; readonly start: number } {
  const first = bytes[at];
  if (first === undefined) throw new SigningRequestError('the certificate request ends too soon');
  if (first < 0x80) return { length: first, start: at + 1 };
  const size = first & 0x7f;
  if (size === 0)
    throw new SigningRequestError('the certificate request has a length that is not said, which DER forbids');
  if (size > MAX_LENGTH_BYTES)
    throw new SigningRequestError('the certificate request has a length of more than four bytes');
  const start = at + 1 + size;
  if (start > bytes.length) throw new SigningRequestError('the certificate request ends too soon');
  let length = 0;
  for (const byte of bytes.subarray(at + 1, start)) length = length * 256 + byte;
  if (length < 0x80 || length < 256 ** (size - 1))
    throw new SigningRequestError(
      'the certificate request has a length in more bytes than needed, which DER forbids',
    );
  return { length, start };
}

/** The value if it has this tag. @throws SigningRequestError that names what is wrong */
export function expectTag(element: Element | undefined, tag: number, what: string): Element {
  if (element === undefined) throw new SigningRequestError(`${what} is missing`);
  if (element.tag !== tag)
    throw new SigningRequestError(`${what} has the tag ${hex(element.tag)}, not ${hex(tag)}`);
  return element;
}

const hex = (tag: number): string => `0x${tag.toString(16).padStart(2, '0')}`;

/** What is in a value with this tag, which has from `least` to `most` parts. */
export function partsOf(
  element: Element | undefined,
  tag: number,
  what: string,
  [least, most]: readonly [least: number, most: number] = [0, Number.POSITIVE_INFINITY],
): Element[] {
  const parts = elements(expectTag(element, tag, what).content);
  if (parts.length < least || parts.length > most)
    throw new SigningRequestError(`${what} has ${parts.length} parts`);
  return parts;
}

/** Dotted. @throws SigningRequestError when it is no object identifier in DER */
export function readObjectIdentifier(element: Element | undefined): string {
  const { content } = expectTag(element, OBJECT_IDENTIFIER, 'an object identifier');
  const arcs: number[] = [];
  let value = 0;
  let isNew = true;
  for (const byte of content) {
    if (isNew && byte === 0x80)
      throw new SigningRequestError('an object identifier has a number with a leading zero');
    value = value * 128 + (byte & 0x7f);
    if (value > MAX_ARC) throw new SigningRequestError('an object identifier has a number beyond 2^31');
    isNew = (byte & 0x80) === 0;
    if (!isNew) continue;
    if (arcs.length > 0) arcs.push(value);
    else {
      const root = Math.min(2, Math.floor(value / 40));
      arcs.push(root, value - root * 40);
    }
    value = 0;
  }
  if (arcs.length === 0 || !isNew) throw new SigningRequestError('an object identifier ends too soon');
  return arcs.join('.');
}
