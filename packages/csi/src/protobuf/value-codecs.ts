import { ProtobufEncodeError, type WireReader, type WireWriter } from '@windlass/apimachinery';
import { Field, isMessage, type Message, type ValueCodec } from './field.ts';
import { MessageCodec } from './message-codec.ts';
import { parseEnum, parseFields } from './table.ts';
import { parseTimestamp, printTimestamp } from './timestamp.ts';

const STRING: ValueCodec = {
  isVarint: false,
  zero: '',
  read: (reader, end) => reader.string(end),
  write(writer, value) {
    if (typeof value !== 'string') throw ProtobufEncodeError.type(value, 'a string');
    writer.string(value);
  },
};

const BOOL: ValueCodec = {
  isVarint: true,
  zero: false,
  read: (reader) => reader.bool(),
  write(writer, value) {
    if (typeof value !== 'boolean') throw ProtobufEncodeError.type(value, 'true or false');
    writer.uint(value ? 1 : 0);
  },
};

const integer = (bits: 32 | 64): ValueCodec => ({
  isVarint: true,
  zero: 0,
  read(reader) {
    const value = bits === 32 ? reader.int32() : reader.int64();
    if (Number.isSafeInteger(value)) return value;
    throw reader.fail(`the number ${value} is beyond 2^53 - 1 and would lose digits`);
  },
  write(writer, value) {
    const bound = bits === 32 ? 2 ** 31 : 2 ** 53;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < -bound || value >= bound)
      throw ProtobufEncodeError.type(value, `a whole number of less than 2^${bits === 32 ? 31 : 53}`);
    writer.int(value);
  },
});

/** A wrapper shows its value, and says by being there that there is one. */
const wrapper = (codec: MessageCodec): ValueCodec => ({
  isVarint: false,
  zero: undefined,
  read: (reader, end) => readMessage(codec, reader, end, undefined)['value'],
  write: (writer, value) => writeMessage(codec, writer, { value }),
});

const timestamp = (codec: MessageCodec): ValueCodec => ({
  isVarint: false,
  zero: undefined,
  read(reader, end) {
    const { seconds, nanos } = readMessage(codec, reader, end, undefined);
    try {
      return printTimestamp({ seconds: Number(seconds), nanos: Number(nanos) });
    } catch (error) {
      throw reader.fail('a timestamp is out of range', error);
    }
  },
  write(writer, value) {
    if (typeof value !== 'string') throw ProtobufEncodeError.type(value, 'a time as text');
    writeMessage(codec, writer, { ...parseTimestamp(value) });
  },
});

/** Names instead of numbers. A number of a newer protocol reads as the first name, which says "unknown". */
export function enumeration(text: string): ValueCodec {
  const names = parseEnum(text);
  const numbers = new Map([...names].map(([number, name]) => [name, number]));
  const zero = names.get(0) ?? '';
  return {
    isVarint: true,
    zero,
    read: (reader) => names.get(reader.int32()) ?? zero,
    write(writer, value) {
      const number = typeof value === 'string' ? numbers.get(value) : undefined;
      if (number === undefined)
        throw ProtobufEncodeError.type(value, `one of ${[...numbers.keys()].join(', ')}`);
      writer.int(number);
    },
  };
}

function readMessage(codec: MessageCodec, reader: WireReader, end: number, before: unknown): Message {
  // A message that comes twice is merged, as protobuf wants it.
  const target = isMessage(before) ? before : {};
  codec.read(reader, reader.lengthEnd(end), target);
  return target;
}

function writeMessage(codec: MessageCodec, writer: WireWriter, value: unknown): void {
  const since = writer.length;
  codec.write(writer, value);
  writer.lengthSince(since);
}

export const messageValue = (codec: MessageCodec): ValueCodec => ({
  isVarint: false,
  zero: undefined,
  message: codec,
  read: (reader, end, before) => readMessage(codec, reader, end, before),
  write: (writer, value) => writeMessage(codec, writer, value),
});

const field = (text: string, value: ValueCodec): Field => {
  const [facts] = parseFields(text);
  if (facts === undefined) throw new Error(`the text "${text}" has no field`);
  return new Field(facts, value);
};

/** By their letter in the table. */
export const SCALARS: Readonly<Record<string, ValueCodec>> = {
  s: STRING,
  b: BOOL,
  i: integer(32),
  l: integer(64),
  B: wrapper(new MessageCodec('google.protobuf.BoolValue', [field('1 value b', BOOL)])),
  L: wrapper(new MessageCodec('google.protobuf.Int64Value', [field('1 value l', integer(64))])),
  t: timestamp(
    new MessageCodec('google.protobuf.Timestamp', [
      field('1 seconds l', integer(64)),
      field('2 nanos i', integer(32)),
    ]),
  ),
};
