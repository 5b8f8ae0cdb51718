// The messages whose JSON form is not an object with their fields.
import { parseJsonValue } from '../json/json-object.ts';
import type { JsonValue } from '../object.ts';
import type { MessageCodec } from './codec.ts';
import { ProtobufEncodeError } from './errors.ts';
import { checkInteger } from './scalar-fields.ts';
import { formatMicros, formatSeconds, parseTimestamp, ZERO_TIME_SECONDS } from './timestamp.ts';
import { LENGTH, VARINT, type WireReader } from './wire-reader.ts';
import type { WireWriter } from './wire-writer.ts';

/** Calls `field` for each field, whose value it must read or leave to be skipped by answering false. */
function eachField(reader: WireReader, end: number, field: (tag: number) => boolean): void {
  while (reader.position < end) {
    const tag = reader.tag();
    if (!field(tag)) reader.skip(tag, end);
  }
  reader.checkEnd(end);
}

const tagOf = (number: number, wireType: number): number => number * 8 + wireType;

/** Seconds 1, nanoseconds 2. Empty means that no time is set. `Time` has whole seconds only, as in JSON. */
export function timeCodec(name: string, precision: 'seconds' | 'micros'): MessageCodec {
  return {
    name,
    nilable: false,
    zero: () => null,
    read(reader, end) {
      if (reader.position === end) return null;
      let seconds = 0;
      let nanos = 0;
      while (reader.position < end) {
        const tag = reader.tag();
        if (tag === tagOf(1, VARINT)) seconds = reader.int64();
        else if (tag === tagOf(2, VARINT)) nanos = reader.int32();
        else reader.skip(tag, end);
      }
      reader.checkEnd(end);
      return precision === 'seconds' ? formatSeconds(seconds) : formatMicros(seconds, nanos);
    },
    write(writer, value) {
      if (value === null) return;
      const time = typeof value === 'string' ? parseTimestamp(value) : undefined;
      if (time === undefined) throw ProtobufEncodeError.type(value, 'a time such as 2024-02-29T12:00:00Z');
      const nanos = precision === 'seconds' ? 0 : time.nanos - (time.nanos % 1000);
      if (time.seconds === ZERO_TIME_SECONDS && time.nanos === 0) return;
      writer.uint(nanos);
      writer.tag(2, VARINT);
      writer.int(time.seconds);
      writer.tag(1, VARINT);
    },
  };
}

/** The text in field 1, in the form that its writer chose; servers write the canonical one. */
export function quantityCodec(name: string): MessageCodec {
  return {
    name,
    nilable: false,
    zero: () => '0',
    read(reader, end) {
      let text = '0';
      eachField(reader, end, (tag) => {
        if (tag !== tagOf(1, LENGTH)) return false;
        text = reader.string(end);
        return true;
      });
      return text;
    },
    write(writer, value) {
      if (typeof value !== 'string' && typeof value !== 'number' && value !== null)
        throw ProtobufEncodeError.type(value, 'a quantity such as "500m"');
      writer.string(String(value ?? 0).trim());
      writer.tag(1, LENGTH);
    },
  };
}

/** Type 1 (0 is a number, 1 a text), number 2, text 3. */
export function intOrStringCodec(name: string): MessageCodec {
  return {
    name,
    nilable: false,
    zero: () => 0,
    read(reader, end) {
      let isText = false;
      let number = 0;
      let text = '';
      eachField(reader, end, (tag) => {
        if (tag === tagOf(1, VARINT)) isText = reader.int64() === 1;
        else if (tag === tagOf(2, VARINT)) number = reader.int32();
        else if (tag === tagOf(3, LENGTH)) text = reader.string(end);
        else return false;
        return true;
      });
      return isText ? text : number;
    },
    write(writer, value) {
      const isText = typeof value === 'string';
      writer.string(isText ? value : '');
      writer.tag(3, LENGTH);
      writer.int(isText ? 0 : checkInteger(value ?? 0, 2 ** 31));
      writer.tag(2, VARINT);
      writer.uint(isText ? 1 : 0);
      writer.tag(1, VARINT);
    },
  };
}

/**
 * Any JSON, as text in field 1. `nested` decodes a whole object in its protobuf envelope, which some
 * encoders put there instead; it answers undefined when the bytes are none.
 */
export function jsonCodec(
  name: string,
  nested?: (reader: WireReader, end: number) => JsonValue | undefined,
): MessageCodec {
  return {
    name,
    nilable: false,
    zero: () => null,
    read(reader, end) {
      let value: JsonValue = null;
      eachField(reader, end, (tag) => {
        if (tag !== tagOf(1, LENGTH)) return false;
        const stop = reader.lengthEnd(end);
        value = nested?.(reader, stop) ?? parseJson(reader, stop);
        reader.position = stop;
        return true;
      });
      return value;
    },
    write(writer, value) {
      if (value === null) return;
      writer.string(JSON.stringify(value));
      writer.tag(1, LENGTH);
    },
  };
}

function parseJson(reader: WireReader, end: number): JsonValue {
  if (reader.position === end) return null;
  try {
    return parseJsonValue(reader.bytes.toString('utf8', reader.position, end));
  } catch (error) {
    throw reader.fail('raw JSON does not parse', error);
  }
}

/** A list of strings in a message of its own. */
export function stringListCodec(name: string): MessageCodec {
  return {
    name,
    nilable: true,
    zero: () => [],
    read(reader, end, before) {
      const list: JsonValue[] = Array.isArray(before) ? before : [];
      eachField(reader, end, (tag) => {
        if (tag !== tagOf(1, LENGTH)) return false;
        list.push(reader.string(end));
        return true;
      });
      return list;
    },
    write(writer, value) {
      writeStrings(writer, value ?? [], 1);
    },
  };
}

export function writeStrings(writer: WireWriter, value: unknown, number: number): void {
  if (!Array.isArray(value)) throw ProtobufEncodeError.type(value, 'a list of strings');
  for (let index = value.length - 1; index >= 0; index--) {
    const text: unknown = value[index];
    if (typeof text !== 'string')
      throw ProtobufEncodeError.within(`[${index}]`, ProtobufEncodeError.type(text, 'a string'));
    writer.string(text);
    writer.tag(number, LENGTH);
  }
}
