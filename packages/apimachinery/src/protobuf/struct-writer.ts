import type { JsonObject } from './codec.ts';
import { noNull, ProtobufEncodeError } from './errors.ts';
import { type Field, MAP, REPEATED } from './field.ts';
import { writeMap } from './map-fields.ts';
import { writeScalar } from './scalar-fields.ts';
import { LENGTH } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

/**
 * Writes the field of the object, or nothing where its rules say so. Null is like what is not there.
 * Answers how many properties of the object it took.
 */
export function writeField(writer: WireWriter, field: Field, source: JsonObject): number {
  if (field.embedded !== undefined) {
    const since = writer.length;
    const known = field.embedded.writeFrom(writer, source);
    writer.lengthSince(since);
    writer.tag(field.number, LENGTH);
    return known;
  }
  const value = source[field.name];
  const absent = value === undefined || value === null;
  if (absent ? field.skipsAbsent : value === field.skipped) return value === undefined ? 0 : 1;
  try {
    if (field.label === MAP) writeMap(writer, field, value);
    else if (field.label === REPEATED) writeList(writer, field, value);
    else writeValue(writer, field, value ?? null);
  } catch (error) {
    throw ProtobufEncodeError.within(field.name, error);
  }
  return value === undefined ? 0 : 1;
}

function writeList(writer: WireWriter, field: Field, value: unknown): void {
  if (!Array.isArray(value)) throw ProtobufEncodeError.type(value, 'a list');
  for (let index = value.length - 1; index >= 0; index--) {
    const item: unknown = value[index] ?? null;
    try {
      if (item === null && !field.nullIsZero) throw noNull('');
      writeValue(writer, field, item);
    } catch (error) {
      throw ProtobufEncodeError.within(`[${index}]`, error);
    }
  }
}

function writeValue(writer: WireWriter, field: Field, value: unknown): void {
  if (field.codec === undefined) {
    writeScalar(writer, field, field.number, value);
    return;
  }
  const since = writer.length;
  field.codec.write(writer, value);
  writer.lengthSince(since);
  writer.tag(field.number, LENGTH);
}

/** apiVersion and kind have no field: the envelope carries them, or the field around them implies them. */
const IMPLIED: ReadonlySet<string> = new Set(['apiVersion', 'kind']);

/**
 * A property without a field would vanish, and with it what somebody wrote or what a newer server keeps
 * there; so that is an error.
 */
export function checkUnknown(
  source: JsonObject,
  known: number,
  message: { readonly name: string; readonly isKind: boolean; hasField(name: string): boolean },
): void {
  let present = 0;
  for (const name in source) if (source[name] !== undefined) present++;
  if (present === known) return;
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined || message.hasField(name) || (message.isKind && IMPLIED.has(name))) continue;
    throw new ProtobufEncodeError(name, `is no field of ${message.name}`);
  }
}
