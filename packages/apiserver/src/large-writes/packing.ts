import { wideJson } from '@windlass/apimachinery';
import type { Draft } from '../resource/strategy.ts';
import { bytesOf, type StoredObject } from '../storage/index.ts';
import { parseObject } from '../storage/states/object-json.ts';
import { cutJson, parseInParts } from './json-parts.ts';
import type { Packed, PackedParts, PackedState } from './protocol.ts';

export function pack(object: unknown): Packed {
  const json = wideJson(object);
  // A buffer of its own: of a piece of a pool the whole pool would be copied to the other thread.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json));
  bytes.write(json);
  return bytes;
}

/** Packs an object that the server's own thread has to parse: with the places where it can be cut. */
export function packParts(object: unknown): PackedParts {
  const bytes = pack(object);
  return { bytes, cut: cutJson(bytes) };
}

/** As `unpack`, in parts when it is large. @param isWide whether the kind is a custom one */
export async function unpackParts({ bytes, cut }: PackedParts, isWide: boolean): Promise<Draft> {
  if (cut === undefined) return unpack(bytes);
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Both threads pack objects of the API, and nothing else.
  return (await parseInParts(whole, cut, isWide)) as Draft;
}

export function packState(stored: StoredObject): PackedState {
  return { key: stored.key, object: bytesOf(stored), revision: stored.revision };
}

export function unpack(packed: Packed): Draft {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  // Both threads pack objects of the API, and nothing else.
  return parseObject(bytes.toString()) as Draft;
}

/** Makes an object what another is, because others hold on to it. */
export function become(object: Draft, other: Draft): void {
  for (const field of Object.keys(object)) if (!(field in other)) delete object[field];
  Object.assign(object, other);
}
