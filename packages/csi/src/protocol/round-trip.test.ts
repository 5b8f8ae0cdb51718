// Any message of the protocol, with any of its fields, comes back as it went; and bytes that are none do no harm.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtobufDecodeError } from '@windlass/apimachinery';
import { type FieldFacts, messageCodecs, type ProtocolTable, parseEnum, parseFields } from '@windlass/grpc';
import * as fc from 'fast-check';
import { table } from '../generated/csi-table.ts';

const codec = messageCodecs(table);
const names = Object.keys(table.messages);
const { messages, enums }: ProtocolTable = table;

const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const safe = fc.maxSafeInteger();

function valueOf(type: string): fc.Arbitrary<unknown> {
  switch (type) {
    case 's':
      return text;
    case 'b':
    case 'B':
      return fc.boolean();
    case 'i':
      return fc.integer();
    case 'l':
    case 'L':
      return safe;
    case 't':
      return fc
        .date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString().replace(/\.?0*Z$/, 'Z'));
    default: {
      const name = type.slice(1);
      return type.startsWith('#')
        ? fc.constantFrom(...parseEnum(enums[name] ?? '').values())
        : messageOf(name);
    }
  }
}

function fieldOf({ label, type }: FieldFacts): fc.Arbitrary<unknown> {
  const value = valueOf(type);
  if (label === 'map') return fc.dictionary(text, text, { maxKeys: 3 });
  return label === 'repeated' ? fc.array(value, { maxLength: 3 }) : value;
}

/** As decoding gives it: scalars, lists and maps are there, messages and one of each oneof perhaps. */
function messageOf(name: string): fc.Arbitrary<Record<string, unknown>> {
  const fields = parseFields(messages[name] ?? '');
  const isOptional = ({ label, type, oneof }: FieldFacts): boolean =>
    oneof !== undefined || (label === 'single' && /^[.tBL]/.test(type));
  const required = fields.filter((field) => !isOptional(field));
  const model = Object.fromEntries(fields.map((field) => [field.name, fieldOf(field)]));
  return fc.record(model, { requiredKeys: required.map((field) => field.name) }).map((message) => {
    const chosen = new Set<string>();
    const entries = Object.entries(message).filter(([key]) => {
      const oneof = fields.find((field) => field.name === key)?.oneof;
      if (oneof === undefined) return true;
      if (chosen.has(oneof)) return false;
      chosen.add(oneof);
      return true;
    });
    return Object.fromEntries(entries);
  });
}

test('every message comes back as it went', () => {
  for (const name of names)
    fc.assert(
      fc.property(messageOf(name), (message) => {
        const bytes = codec(name).encode(message);
        const back = codec(name).decode(bytes);
        assert.deepEqual(normal(back), normal(message), name);
        assert.deepEqual(codec(name).encode(back), bytes);
      }),
      { numRuns: 8 },
    );
});

/** Without prototypes, which dictionaries of strangers' keys may not have. */
const normal = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('any bytes are a message or an error that says where', () => {
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 60 }), damaged());
  fc.assert(
    fc.property(fc.constantFrom(...names), bytes, (name, given) => {
      try {
        codec(name).decode(given);
      } catch (error) {
        assert.ok(error instanceof ProtobufDecodeError, String(error));
      }
    }),
    { numRuns: 800 },
  );
});

/** A request with some of its bytes changed, or cut off. */
function damaged(): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(messageOf('CreateVolumeRequest'), fc.nat(), fc.nat(255), fc.boolean())
    .map(([message, at, byte, isCut]) => {
      const bytes = Uint8Array.from(codec('CreateVolumeRequest').encode(message));
      const index = bytes.length === 0 ? 0 : at % bytes.length;
      if (isCut) return bytes.subarray(0, index);
      if (index < bytes.length) bytes[index] = byte;
      return bytes;
    });
}
