// A map is a list of entries: key 1, value 2.
import type { JsonValue } from '../object.ts';
import { isJsonObject, type JsonObject } from './codec.ts';
import { noNull, ProtobufEncodeError } from './errors.ts';
import type { Field } from './field.ts';
import { expectWireType, readScalar, writeScalar } from './scalar-fields.ts';
import { LENGTH, type WireReader } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

/** A later entry for a key replaces an earlier one. */
export function readMapEntry(
  reader: WireReader,
  field: Field,
  wireType: number,
  end: number,
  target: JsonObject,
): void {
  expectWireType(reader, field, wireType, LENGTH);
  const before = target[field.name];
  const map: JsonObject = isJsonObject(before) ? before : {};
  if (map !== before) target[field.name] = map;
  const stop = reader.lengthEnd(end);
  reader.enter();
  let key = '';
  let value: JsonValue | undefined;
  while (reader.position < stop) {
    const tag = reader.tag();
    if (tag >>> 3 === 1) {
      expectWireType(reader, field, tag & 7, LENGTH);
      key = reader.string(stop);
    } else if (tag >>> 3 === 2) value = readValue(reader, field, tag & 7, stop);
    else reader.skip(tag, stop);
  }
  reader.leave(stop);
  setOwn(map, key, value === undefined ? (field.codec?.zero() ?? '') : value);
}

function readValue(reader: WireReader, field: Field, wireType: number, end: number): JsonValue {
  if (field.codec === undefined) return readScalar(reader, field, wireType, end);
  expectWireType(reader, field, wireType, LENGTH);
  return field.codec.read(reader, reader.lengthEnd(end), undefined);
}

/** Keys come from strangers, and one of them is not like the others. */
function setOwn(map: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true });
  else map[key] = value;
}

/** Sorted by key as Go sorts, so that one object always gives the same bytes. */
export function writeMap(writer: WireWriter, field: Field, value: unknown): void {
  if (!isJsonObject(value)) throw ProtobufEncodeError.type(value, 'a map');
  const keys = Object.keys(value).sort(byCodePoint);
  for (let index = keys.length - 1; index >= 0; index--) {
    const key = keys[index] ?? '';
    const entry = value[key];
    if (entry === undefined) continue;
    if (entry === null && !field.nullIsZero) throw noNull(`[${JSON.stringify(key)}]`);
    const since = writer.length;
    try {
      if (field.codec === undefined) writeScalar(writer, field, 2, entry);
      else {
        field.codec.write(writer, entry);
        writer.lengthSince(since);
        writer.tag(2, LENGTH);
      }
    } catch (error) {
      throw ProtobufEncodeError.within(`[${JSON.stringify(key)}]`, error);
    }
    writer.string(key);
    writer.tag(1, LENGTH);
    writer.lengthSince(since);
    writer.tag(field.number, LENGTH);
  }
}

/** The order of UTF-8 bytes, which is that of code points. UTF-16 differs only where surrogates come in. */
function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x === y) continue;
    const xIsSurrogate = x >= 0xd800 && x < 0xe000;
    const yIsSurrogate = y >= 0xd800 && y < 0xe000;
    return xIsSurrogate === yIsSurrogate ? x - y : xIsSurrogate ? 1 : -1;
  }
  return a.length - b.length;
}
