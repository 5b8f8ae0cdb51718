// google.protobuf's own messages, which are shown as one value and not as an object.
import { ProtobufEncodeError } from '@windlass/apimachinery';
import { type MessageCodec, StructCodec } from '@windlass/apimachinery/protobuf';
import { proto3Field } from './proto3-field.ts';
import { parseFields } from './table.ts';
import { parseTimestamp, printTimestamp } from './timestamp.ts';

function structOf(name: string, fields: string): StructCodec {
  const codec = new StructCodec(`google.protobuf.${name}`, false);
  codec.setFields(parseFields(fields).map((facts) => proto3Field(facts, undefined)));
  return codec;
}

/** A wrapper shows its value, and says by being there that there is one. */
function wrapper(name: string, type: 'b' | 'l'): MessageCodec {
  const codec = structOf(name, `1 value ${type}`);
  return {
    name: codec.name,
    nilable: true,
    zero: () => null,
    // A message that comes twice is merged, as protobuf wants it.
    read: (reader, end, before = null) =>
      codec.read(reader, end, before === null ? undefined : { value: before })['value'] ?? null,
    write: (writer, value) => codec.write(writer, { value }),
  };
}

function timestamp(): MessageCodec {
  const codec = structOf('Timestamp', '1 seconds l|2 nanos i');
  return {
    name: codec.name,
    nilable: true,
    zero: () => null,
    read(reader, end, before) {
      const earlier = typeof before === 'string' ? { ...parseTimestamp(before) } : undefined;
      const { seconds, nanos } = codec.read(reader, end, earlier);
      try {
        return printTimestamp({ seconds: Number(seconds), nanos: Number(nanos) });
      } catch (error) {
        throw reader.fail('a timestamp is out of range', error);
      }
    },
    write(writer, value) {
      if (typeof value !== 'string') throw ProtobufEncodeError.type(value, 'a time as text');
      codec.write(writer, { ...parseTimestamp(value) });
    },
  };
}

/** By their letter in the table. */
export const WELL_KNOWN: ReadonlyMap<string, MessageCodec> = new Map([
  ['B', wrapper('BoolValue', 'b')],
  ['L', wrapper('Int64Value', 'l')],
  ['t', timestamp()],
]);
