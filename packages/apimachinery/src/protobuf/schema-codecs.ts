// The three forms of "a schema or something else" in a CustomResourceDefinition.
import type { JsonValue } from '../object.ts';
import { isJsonObject, type MessageCodec } from './codec.ts';
import { ProtobufEncodeError } from './errors.ts';
import { writeStrings } from './special-codecs.ts';
import { LENGTH, VARINT, type WireReader } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

const SCHEMA_1 = 1 * 8 + LENGTH;
const SECOND = 2 * 8 + LENGTH;

function readSchema(reader: WireReader, end: number, schema: MessageCodec): JsonValue {
  return schema.read(reader, reader.lengthEnd(end), undefined);
}

function writeSchema(writer: WireWriter, number: number, schema: MessageCodec, value: unknown): void {
  const since = writer.length;
  schema.write(writer, value);
  writer.lengthSince(since);
  writer.tag(number, LENGTH);
}

/** Schema 1, or a list of schemas 2. */
export function schemaOrArrayCodec(name: string, schema: MessageCodec): MessageCodec {
  return {
    name,
    nilable: false,
    zero: () => null,
    read(reader, end) {
      let one: JsonValue = null;
      const many: JsonValue[] = [];
      while (reader.position < end) {
        const tag = reader.tag();
        if (tag === SCHEMA_1) one = readSchema(reader, end, schema);
        else if (tag === SECOND) many.push(readSchema(reader, end, schema));
        else reader.skip(tag, end);
      }
      reader.checkEnd(end);
      return many.length > 0 ? many : one;
    },
    write(writer, value) {
      if (value === null) return;
      if (!Array.isArray(value)) writeSchema(writer, 1, schema, value);
      else for (const one of value.toReversed()) writeSchema(writer, 2, schema, one);
    },
  };
}

/** Allows 1, schema 2. */
export function schemaOrBoolCodec(name: string, schema: MessageCodec): MessageCodec {
  return {
    name,
    nilable: false,
    zero: () => false,
    read(reader, end) {
      let allows = false;
      let one: JsonValue | undefined;
      while (reader.position < end) {
        const tag = reader.tag();
        if (tag === 8 + VARINT) allows = reader.bool();
        else if (tag === SECOND) one = readSchema(reader, end, schema);
        else reader.skip(tag, end);
      }
      reader.checkEnd(end);
      return one ?? allows;
    },
    write(writer, value) {
      if (isJsonObject(value)) writeSchema(writer, 2, schema, value);
      else if (typeof value !== 'boolean' && value !== null)
        throw ProtobufEncodeError.type(value, 'a schema, true or false');
      writer.uint(value === false || value === null ? 0 : 1);
      writer.tag(1, VARINT);
    },
  };
}

/** Schema 1, or a list of names 2. */
export function schemaOrStringsCodec(name: string, schema: MessageCodec): MessageCodec {
  return {
    name,
    nilable: false,
    zero: () => null,
    read(reader, end) {
      let one: JsonValue = null;
      const names: JsonValue[] = [];
      while (reader.position < end) {
        const tag = reader.tag();
        if (tag === SCHEMA_1) one = readSchema(reader, end, schema);
        else if (tag === SECOND) names.push(reader.string(end));
        else reader.skip(tag, end);
      }
      reader.checkEnd(end);
      return names.length > 0 ? names : one;
    },
    write(writer, value) {
      if (Array.isArray(value)) writeStrings(writer, value, 2);
      else if (value !== null) writeSchema(writer, 1, schema, value);
    },
  };
}
