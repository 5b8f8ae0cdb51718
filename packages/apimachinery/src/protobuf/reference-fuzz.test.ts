// The engine against @bufbuild/protobuf, which passes protobuf's own conformance tests. See
// docs/decisions/0013-protobuf-engine.md for where the two differ, and why.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, createFileRegistry, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import {
  Edition,
  FeatureSet_EnumType as EnumType,
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FeatureSet_FieldPresence as Presence,
  FieldDescriptorProto_Type as Type,
  FeatureSet_Utf8Validation as Utf8Validation,
} from '@bufbuild/protobuf/wkt';
import * as fc from 'fast-check';
import type { JsonValue } from '../object.ts';
import type { JsonObject } from './codec.ts';
import { Enumeration } from './enumeration.ts';
import { ProtobufDecodeError } from './errors.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  ENUM,
  Field,
  INT32,
  INT64,
  MAP,
  MESSAGE,
  REPEATED,
  SAFE_INT64,
  SINGLE,
  STRING,
} from './field.ts';
import { StructCodec } from './struct-codec.ts';
import { WireReader } from './wire-reader.ts';
import { damaged, messageBytes, varint } from './wire-testing.ts';
import { WireWriter } from './wire-writer.ts';

const RUNS = 4000;
const MAX_DEPTH = 30;

/** One row for each field of a message that has everything: what we hold, and protobuf's word for it. */
const FIELDS = [
  { number: 1, name: 'text', holds: STRING, label: SINGLE, type: Type.STRING },
  { number: 2, name: 'small', holds: INT32, label: SINGLE, type: Type.INT32 },
  { number: 3, name: 'big', holds: INT64, label: SINGLE, type: Type.INT64 },
  { number: 4, name: 'flag', holds: BOOL, label: SINGLE, type: Type.BOOL },
  { number: 5, name: 'blob', holds: BYTES, label: SINGLE, type: Type.BYTES },
  { number: 6, name: 'ratio', holds: DOUBLE, label: SINGLE, type: Type.DOUBLE },
  { number: 7, name: 'color', holds: ENUM, label: SINGLE, type: Type.ENUM },
  { number: 8, name: 'safe', holds: SAFE_INT64, label: SINGLE, type: Type.INT64 },
  { number: 9, name: 'child', holds: MESSAGE, label: SINGLE, type: Type.MESSAGE },
  { number: 10, name: 'texts', holds: STRING, label: REPEATED, type: Type.STRING },
  { number: 11, name: 'smalls', holds: INT32, label: REPEATED, type: Type.INT32 },
  { number: 12, name: 'ratios', holds: DOUBLE, label: REPEATED, type: Type.DOUBLE },
  { number: 13, name: 'children', holds: MESSAGE, label: REPEATED, type: Type.MESSAGE },
  { number: 14, name: 'labels', holds: STRING, label: MAP, type: Type.STRING },
  { number: 15, name: 'named', holds: MESSAGE, label: MAP, type: Type.MESSAGE },
  { number: 16, name: 'oneText', holds: STRING, label: SINGLE, type: Type.STRING, oneof: 'one' },
  { number: 17, name: 'oneChild', holds: MESSAGE, label: SINGLE, type: Type.MESSAGE, oneof: 'one' },
  { number: 200, name: 'far', holds: INT32, label: SINGLE, type: Type.INT32 },
] as const;
const COLORS = ['NONE', 'RED', 'BLUE'];

const all = new StructCodec('test.All', false);
const ZEROS: Readonly<Record<number, JsonValue>> = {
  [STRING]: '',
  [BYTES]: '',
  [BOOL]: false,
  [ENUM]: 'NONE',
};
all.setFields(
  FIELDS.map((facts) => {
    const { number, name, holds, label } = facts;
    const oneof = 'oneof' in facts ? facts.oneof : undefined;
    const isOptional = label === SINGLE && (holds === MESSAGE || oneof !== undefined);
    const zero = ZEROS[holds] ?? 0;
    return new Field({
      number,
      name,
      holds,
      label,
      oneof,
      codec: holds === MESSAGE ? all : undefined,
      enumeration:
        holds === ENUM ? new Enumeration(new Map(COLORS.map((color, at) => [at, color]))) : undefined,
      skipsAbsent: true,
      skipped: isOptional || label !== SINGLE ? undefined : zero,
      nullIsZero: false,
      hidesEmpty: false,
      kept: !isOptional,
      zero: () => (label === REPEATED ? [] : label === MAP ? {} : zero),
    });
  }),
);

/** As the reference has it. Text is not checked, as in Go's decoder of Kubernetes' objects. */
const schema = (() => {
  const typed = (type: Type): { typeName?: string } =>
    type === Type.MESSAGE ? { typeName: '.test.All' } : type === Type.ENUM ? { typeName: '.test.Color' } : {};
  const entryName = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}Entry`;
  const file = create(FileDescriptorProtoSchema, {
    name: 'test.proto',
    package: 'test',
    syntax: 'editions',
    edition: Edition.EDITION_2023,
    options: {
      features: {
        fieldPresence: Presence.IMPLICIT,
        enumType: EnumType.OPEN,
        utf8Validation: Utf8Validation.NONE,
      },
    },
    enumType: [{ name: 'Color', value: COLORS.map((name, number) => ({ name, number })) }],
    messageType: [
      {
        name: 'All',
        oneofDecl: [{ name: 'one' }],
        field: FIELDS.map((facts) => ({
          number: facts.number,
          name: facts.name,
          jsonName: facts.name,
          label: facts.label === SINGLE ? Label.OPTIONAL : Label.REPEATED,
          ...(facts.label === MAP
            ? { type: Type.MESSAGE, typeName: `.test.All.${entryName(facts.name)}` }
            : { type: facts.type, ...typed(facts.type) }),
          ...('oneof' in facts && { oneofIndex: 0 }),
        })),
        nestedType: FIELDS.filter(({ label }) => label === MAP).map(({ name, type }) => ({
          name: entryName(name),
          options: { mapEntry: true },
          field: [
            { number: 1, name: 'key', label: Label.OPTIONAL, type: Type.STRING },
            { number: 2, name: 'value', label: Label.OPTIONAL, type, ...typed(type) },
          ],
        })),
      },
    ],
  });
  const found = createFileRegistry(file, () => undefined).getMessage('test.All');
  assert.ok(found !== undefined);
  return found;
})();

/** The reference's message in our form. */
function shown(message: Message): JsonObject {
  const object: JsonObject = {};
  // The registry made the message, so that its type has no fields.
  const fields = message as unknown as Readonly<Record<string, unknown>>;
  for (const { name, holds, label, ...rest } of FIELDS) {
    const one = fields['one'] as { readonly case?: string; readonly value?: unknown };
    const value = 'oneof' in rest ? (one.case === name ? one.value : undefined) : fields[name];
    if (value === undefined) continue;
    if (label === REPEATED) object[name] = (value as unknown[]).map((item) => shownValue(item, holds));
    else if (label === MAP) object[name] = mapOf(Object.entries(value as object), holds);
    else object[name] = shownValue(value, holds);
  }
  return object;
}

function mapOf(entries: readonly (readonly [string, unknown])[], holds: number): JsonObject {
  const map: JsonObject = {};
  for (const [key, value] of entries)
    Object.defineProperty(map, key, {
      value: shownValue(value, holds),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return map;
}

function shownValue(value: unknown, holds: number): JsonValue {
  if (holds === MESSAGE) return shown(value as Message);
  if (holds === BYTES) return Buffer.from(value as Uint8Array).toString('base64');
  if (holds === INT64 || holds === SAFE_INT64) return Number(value);
  if (holds === ENUM) return COLORS[Number(value)] ?? 'NONE';
  return value as JsonValue;
}

function theirs(bytes: Uint8Array): JsonObject | undefined {
  try {
    return shown(fromBinary(schema, bytes, { recursionLimit: MAX_DEPTH }));
  } catch {
    return undefined;
  }
}

function ours(bytes: Uint8Array): JsonObject | string {
  try {
    return all.read(new WireReader(bytes, 'test.All', MAX_DEPTH), bytes.length, undefined);
  } catch (error) {
    assert.ok(error instanceof ProtobufDecodeError, String(error));
    assert.ok(error.offset >= 0 && error.offset <= bytes.length);
    return error.message;
  }
}

/**
 * What we refuse and the reference does not look at: a field of another wire type, one that runs past the end of the
 * message around it, a length of more than 32 bits, and a number of eleven bytes in a field that nobody knows.
 */
const STRICTER =
  /wire type|runs past|exceeds what is left|is cut off|has no end|would lose digits|length is too large|longer than ten bytes/;

const bytes = messageBytes({
  varints: [2, 3, 4, 7, 8, 11, 200],
  doubles: [6, 12],
  texts: [1, 5, 10, 16],
  packedVarints: [11],
  packedDoubles: [12],
  messages: [9, 13, 17],
  textMaps: [14],
  messageMaps: [15],
  unknown: [18, 199, 1000, 2 ** 29 - 1],
});

test('a message is read as the reference reads it, and written so that the reference reads it', () => {
  let read = 0;
  fc.assert(
    fc.property(bytes, (given) => {
      const wire = Uint8Array.from(given);
      const mine = ours(wire);
      const other = theirs(wire);
      if (typeof mine === 'string') {
        assert.match(mine, /would lose digits/);
        return;
      }
      assert.deepEqual(mine, other);
      const writer = new WireWriter();
      all.write(writer, mine);
      assert.deepEqual(theirs(writer.finish()), mine);
      read++;
    }),
    { numRuns: RUNS },
  );
  assert.ok(read > RUNS / 2, `${read} were read`);
});

test('damaged bytes are refused by both, or read alike', () => {
  const seen = { both: 0, neither: 0, onlyTheirs: 0 };
  fc.assert(
    fc.property(damaged(bytes), (given) => {
      const wire = Uint8Array.from(given);
      const mine = ours(wire);
      const other = theirs(wire);
      if (typeof mine !== 'string') {
        assert.deepEqual(mine, other);
        seen.both++;
      } else if (other === undefined) seen.neither++;
      else {
        assert.match(mine, STRICTER);
        seen.onlyTheirs++;
      }
    }),
    { numRuns: RUNS },
  );
  assert.ok(seen.both > RUNS / 20 && seen.neither > RUNS / 20, JSON.stringify(seen));
});

test('both end at the same depth, of messages, maps and groups', () => {
  const sized = (number: number, inner: readonly number[]): number[] => [
    ...varint(BigInt(number * 8 + 2)),
    ...varint(BigInt(inner.length)),
    ...inner,
  ];
  for (const wrap of [
    (inner: readonly number[]) => sized(9, inner),
    (inner: readonly number[]) => sized(13, inner),
    (inner: readonly number[]) => [0x93, 0x01, ...inner, 0x94, 0x01],
  ]) {
    let nested: readonly number[] = [];
    for (let depth = 1; depth < MAX_DEPTH + 5; depth++) {
      const wire = Uint8Array.from(nested);
      assert.equal(typeof ours(wire) === 'string', theirs(wire) === undefined, `${depth} levels`);
      assert.equal(typeof ours(wire) === 'string', depth > MAX_DEPTH, `${depth} levels`);
      nested = wrap(nested);
    }
  }
});

test('what the reference writes is written alike', () => {
  fc.assert(
    fc.property(bytes, (given) => {
      const wire = Uint8Array.from(given);
      const mine = ours(wire);
      if (typeof mine === 'string') return;
      // Maps have no order, the reference packs lists of numbers, and writes what it does not know.
      const { smalls: _, ratios: __, labels: ___, named: ____, ...rest } = mine;
      const isPlain = Object.values(rest).every((value) => typeof value !== 'object');
      if (!isPlain) return;
      const writer = new WireWriter();
      all.write(writer, rest);
      const message = fromBinary(schema, writer.finish());
      assert.deepEqual(Buffer.from(writer.finish()), Buffer.from(toBinary(schema, message)));
    }),
    { numRuns: RUNS / 4 },
  );
});
