import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { decodeProtobuf, encodeProtobuf } from './envelope.ts';
import { ProtobufDecodeError, ProtobufKindError } from './errors.ts';
import { WireReader } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

/** A ConfigMap whose message is these bytes. */
function configMap(message: readonly number[], kind = 'ConfigMap'): Uint8Array {
  const writer = new WireWriter();
  writer.raw(Uint8Array.from(message));
  writer.lengthSince(0);
  writer.tag(2, 2);
  const since = writer.length;
  writer.string(kind);
  writer.tag(2, 2);
  writer.string('v1');
  writer.tag(1, 2);
  writer.lengthSince(since);
  writer.tag(1, 2);
  writer.raw(Buffer.from('k8s\0'));
  return writer.finish();
}

function without(object: { [key: string]: unknown }): unknown {
  const { apiVersion: _, kind: __, ...rest } = object;
  return rest;
}

test('what is wrong is named, with its place', () => {
  const rows: [string, number[], RegExp][] = [
    [
      'a length past the end',
      [0x0a, 0x05, 0x00],
      /a length of 5 exceeds what is left at byte 25 in io\.k8s\.api\.core\.v1\.ConfigMap/,
    ],
    [
      'a length of 2^63',
      [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
      /a length is too large/,
    ],
    ['a tag that is cut off', [0x80], /a number is cut off/],
    ['a number of eleven bytes', [0x20, ...Array<number>(10).fill(0xff), 0x01], /longer than ten bytes/],
    ['field number 0', [0x02, 0x00], /field number 0/],
    ['a wrong wire type', [0x08, 0x01], /metadata has wire type 0, not 2/],
    ['wire type 6', [0x7e], /no wire type 6/],
    ['an end without a group', [0x7c], /no wire type 4/],
    ['a group without an end', [0x7b, 0x08, 0x01], /a group has no end/],
    ['a group with the end of another', [0x7b, 0x84, 0x01], /group 15 has the end of group 16/],
    ['a tag of six bytes', [0x8a, 0x80, 0x80, 0x80, 0x80, 0x00, 0x00], /a tag is too large/],
    ['a map key that is no text', [0x12, 0x02, 0x08, 0x01], /data has wire type 0, not 2/],
    ['a nested field past its message', [0x0a, 0x03, 0x0a, 0x05, 0x61, 0x61, 0x61], /a length of 5 exceeds/],
    ['a fixed number that is cut off', [0x79, 0x00], /cut off/],
    ['a map entry past its end', [0x12, 0x02, 0x0a, 0x05, 0x61], /a length of 5 exceeds/],
  ];
  for (const [name, message, expected] of rows)
    assert.throws(
      () => decodeProtobuf(configMap(message)),
      (error) => error instanceof ProtobufDecodeError && expected.test(error.message),
      name,
    );
});

test('raw JSON that does not parse is malformed too', () => {
  const entry = Buffer.from('{"a":');
  const field = [0x12, entry.length + 2, 0x0a, entry.length, ...entry];
  assert.throws(() => decodeProtobuf(configMap(field, 'List')), /raw JSON does not parse/);
});

test('fields that nobody knows are skipped, of every wire type', () => {
  const unknown = [
    [0xf8, 0x07, 0x80, 0x01], // varint
    [0xf9, 0x07, 1, 2, 3, 4, 5, 6, 7, 8],
    [0xfa, 0x07, 0x02, 0xff, 0xff],
    [0xfb, 0x07, 0x08, 0x01, 0xfb, 0x07, 0xfc, 0x07, 0xfc, 0x07], // a group in a group
    [0xfd, 0x07, 1, 2, 3, 4],
    [0xf8, 0xff, 0xff, 0xff, 0x0f, 0x01], // the greatest number of a field
  ].flat();
  const decoded = decodeProtobuf(configMap([...unknown, 0x20, 0x01, ...unknown]));
  assert.deepEqual(without(decoded), { metadata: {}, immutable: true });
});

test('a field that comes twice is merged, and the last value counts', () => {
  const meta = (...fields: number[]): number[] => [0x0a, fields.length, ...fields];
  const [name, namespace] = [
    [0x0a, 1, 0x61],
    [0x1a, 1, 0x62],
  ];
  const decoded = decodeProtobuf(configMap([...meta(...name), ...meta(...namespace), 0x20, 1, 0x20, 0]));
  assert.deepEqual(without(decoded), { metadata: { name: 'a', namespace: 'b' }, immutable: false });
  const emptied = decodeProtobuf(configMap([...meta(...name, 0x0a, 0)]));
  assert.deepEqual(without(emptied), { metadata: {} });
});

test('packed lists of numbers are read', () => {
  // PodSecurityContext.supplementalGroups = 4, in PodSpec.securityContext = 14, in Pod.spec = 2
  const packed = [0x22, 0x03, 0x01, 0x80, 0x01];
  const pod = [0x12, packed.length + 2, 0x72, packed.length, ...packed];
  const decoded = decodeProtobuf(configMap(pod, 'Pod')) as { spec: { securityContext: object } };
  assert.deepEqual(decoded.spec.securityContext, { supplementalGroups: [1, 128] });
});

test('the greatest number of 64 bits is written as it was read, though JavaScript has none like it', () => {
  const pod = (seconds: number): object => ({
    apiVersion: 'v1',
    kind: 'Pod',
    spec: { activeDeadlineSeconds: seconds },
  });
  const max = Buffer.from(encodeProtobuf(pod(Number('9223372036854775807'))));
  assert.ok(max.includes(Buffer.from([0x28, ...Array<number>(8).fill(0xff), 0x7f])), max.toString('hex'));
  assert.throws(() => encodeProtobuf(pod(2 ** 64)), /must be a whole number of 64 bits/);
});

test('nesting has an end', () => {
  // JSONSchemaProps.not is field 28; then the way from a schema out to its envelope.
  const read = (depth: number): unknown => {
    const writer = new WireWriter();
    const path = [...Array<number>(depth).fill(28), 1, 4, 7, 2, 2];
    for (const number of path) {
      writer.lengthSince(0);
      writer.tag(number, 2);
    }
    const since = writer.length;
    writer.string('CustomResourceDefinition');
    writer.tag(2, 2);
    writer.string('apiextensions.k8s.io/v1');
    writer.tag(1, 2);
    writer.lengthSince(since);
    writer.tag(1, 2);
    writer.raw(Buffer.from('k8s\0'));
    return decodeProtobuf(writer.finish(), { maxDepth: 100 });
  };
  assert.doesNotThrow(() => read(90));
  assert.throws(() => read(100), /nested more than 100 deep/);
  const deepGroup = Array<number>(300).fill(0x7b);
  assert.throws(() => decodeProtobuf(configMap(deepGroup), { maxDepth: 100 }), /nested more than 100 deep/);
});

const pod = encodeProtobuf({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', labels: { a: 'b' }, creationTimestamp: '2024-02-29T12:00:00Z' },
  spec: {
    containers: [
      { name: 'c', resources: { limits: { cpu: '1' } }, livenessProbe: { httpGet: { port: 80 } } },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
  },
});

/** Decodes, or says why not. Anything else that is thrown fails the test. */
function attempt(wire: Uint8Array): void {
  try {
    decodeProtobuf(wire);
  } catch (error) {
    if (!(error instanceof ProtobufDecodeError) && !(error instanceof ProtobufKindError)) throw error;
    if (error instanceof ProtobufDecodeError) assert.ok(error.offset >= 0 && error.offset <= wire.length);
  }
}

test('every beginning of an object, and every object with a byte changed', () => {
  for (let length = 0; length < pod.length; length++) attempt(pod.slice(0, length));
  for (let index = 4; index < pod.length; index++)
    for (const value of [0x00, 0x01, 0x0a, 0x7f, 0x80, 0xff]) {
      const wire = pod.slice();
      wire[index] = value;
      attempt(wire);
    }
});

test('any bytes at all', () => {
  const some = fc.uint8Array({ maxLength: 60 });
  fc.assert(
    fc.property(some, fc.constantFrom('Pod', 'Secret', 'Event', 'List', 'Status'), (message, kind) =>
      attempt(configMap([...message], kind)),
    ),
    { numRuns: 5000 },
  );
  fc.assert(
    fc.property(some, (wire) => attempt(Buffer.concat([Buffer.from('k8s\0'), wire]))),
    { numRuns: 2000 },
  );
});

test('the reader is the writer turned round', () => {
  const value = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.constantFrom(-(2 ** 63), 2 ** 62));
  fc.assert(
    fc.property(value, fc.string({ unit: 'binary' }), fc.double(), (number, text, double) => {
      const writer = new WireWriter({ capacity: 1 });
      writer.double(double);
      writer.string(text);
      writer.int(number);
      const wire = writer.finish();
      const reader = new WireReader(wire, 'test', 1);
      assert.equal(reader.int64(), number);
      assert.equal(reader.string(wire.length), text);
      assert.ok(Object.is(reader.double(wire.length), double));
      assert.equal(reader.position, wire.length);
    }),
    { numRuns: 1000 },
  );
});
