import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProtobufDecodeError, ProtobufEncodeError } from '@windlass/apimachinery';
import { messageCodecs } from '@windlass/grpc';
import { table } from '../generated/csi-table.ts';

const codec = messageCodecs(table);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));

test('a message goes out and comes back with every default filled in', () => {
  const request = {
    name: 'pvc-1',
    capacityRange: { requiredBytes: 5_000_000_000 },
    volumeCapabilities: [
      { mount: { fsType: 'xfs', mountFlags: ['noatime'] }, accessMode: { mode: 'SINGLE_NODE_WRITER' } },
      { block: {}, accessMode: { mode: 'MULTI_NODE_MULTI_WRITER' } },
    ],
    parameters: { b: '2', a: '' },
  };
  assert.deepEqual(codec('CreateVolumeRequest').decode(codec('CreateVolumeRequest').encode(request)), {
    name: 'pvc-1',
    capacityRange: { requiredBytes: 5_000_000_000, limitBytes: 0 },
    volumeCapabilities: [
      {
        mount: { fsType: 'xfs', mountFlags: ['noatime'], volumeMountGroup: '' },
        accessMode: { mode: 'SINGLE_NODE_WRITER' },
      },
      { block: {}, accessMode: { mode: 'MULTI_NODE_MULTI_WRITER' } },
    ],
    parameters: { a: '', b: '2' },
    secrets: {},
    mutableParameters: {},
  });
});

for (const [name, message, value, wire] of [
  ['zero scalars are not written', 'CapacityRange', { requiredBytes: 0, limitBytes: 1 }, '1001'],
  ['a negative number takes ten bytes', 'CapacityRange', { requiredBytes: -1 }, '08ffffffffffffffffff01'],
  ['an empty member of a oneof is written', 'VolumeCapability', { block: {} }, '0a00'],
  ['a map entry has both halves, even when empty', 'Topology', { segments: { k: '' } }, '0a050a016b1200'],
  ['map keys are sorted', 'Topology', { segments: { b: '1', a: '2' } }, '0a060a0161120132 0a060a0162120131'],
  ['a wrapper of false is written', 'ProbeResponse', { ready: false }, '0a00'],
  ['a wrapper of true', 'ProbeResponse', { ready: true }, '0a020801'],
  ['a wrapped number', 'GetCapacityResponse', { maximumVolumeSize: 3 }, '12020803'],
  ['an enum', 'VolumeUsage', { unit: 'INODES' }, '2002'],
  ['a timestamp', 'Snapshot', { creationTime: '1970-01-01T00:00:01.5Z' }, '22080801 1080cab5ee01'],
  ['text beyond ASCII', 'VolumeCondition', { message: 'ö' }, '1202c3b6'],
] as const)
  test(name, () => {
    const encoded = codec(message).encode(value);
    assert.equal(hex(encoded), wire.replaceAll(' ', ''));
    assert.deepEqual(codec(message).encode(codec(message).decode(encoded)), encoded);
  });

test('what is absent stays absent, and is not a default', () => {
  assert.deepEqual(codec('ProbeResponse').decode(bytes('')), {});
  assert.deepEqual(codec('VolumeCapability').decode(bytes('')), {});
  assert.deepEqual(codec('GetCapacityResponse').decode(bytes('')), { availableCapacity: 0 });
});

test('the last member of a oneof wins', () => {
  assert.deepEqual(codec('VolumeCapability').decode(bytes('0a00 1205 0a03786673')), {
    mount: { fsType: 'xfs', mountFlags: [], volumeMountGroup: '' },
  });
});

test('a message that comes twice is merged', () => {
  assert.deepEqual(codec('CreateVolumeRequest').decode(bytes('1202 0801 1202 1002'))['capacityRange'], {
    requiredBytes: 1,
    limitBytes: 2,
  });
});

test('a wrapper and a timestamp that come twice are merged, too', () => {
  assert.deepEqual(codec('ProbeResponse').decode(bytes('0a02 0801 0a00')), { ready: true });
  assert.equal(
    codec('Snapshot').decode(bytes('2202 0801 2206 1080cab5ee01'))['creationTime'],
    '1970-01-01T00:00:01.5Z',
  );
});

test('fields and enum values of a newer protocol are taken as unknown', () => {
  assert.deepEqual(codec('VolumeUsage').decode(bytes('2063 f80701 fa0701ff')), {
    available: 0,
    total: 0,
    used: 0,
    unit: 'UNKNOWN',
  });
});

test('a key that means something to JavaScript is only a key', () => {
  const encoded = codec('Topology').encode({ segments: JSON.parse('{"__proto__":"x"}') });
  const { segments } = codec('Topology').decode(encoded);
  assert.deepEqual(Object.keys(segments as object), ['__proto__']);
  assert.equal(Object.getPrototypeOf(segments), Object.prototype);
});

test('numbers that would lose digits are refused in both directions', () => {
  assert.throws(() => codec('CapacityRange').decode(bytes('08 80808080808080 10')), /beyond 2\^53 - 1/);
  assert.equal(codec('CapacityRange').decode(bytes('08 ffffffffffffff0f'))['requiredBytes'], 2 ** 53 - 1);
  assert.throws(() => codec('CapacityRange').encode({ requiredBytes: 2 ** 53 }), ProtobufEncodeError);
  assert.throws(
    () => codec('CapacityRange').encode({ requiredBytes: 1.5 }),
    /requiredBytes must be a whole number/,
  );
});

for (const [what, value, message] of [
  ['an unknown field', { volumeID: 'x' }, /volumeID is no field of csi\.v1\.Volume/],
  ['a wrong type', { volumeId: 5 }, /volumeId must be a string, but it is 5/],
  [
    'a wrong type, deep down',
    { accessibleTopology: [{}, { segments: { a: 1 } }] },
    /accessibleTopology\[1\]\.segments\["a"\]/,
  ],
  ['two members of a oneof', { contentSource: { snapshot: {}, volume: {} } }, /volume excludes snapshot/],
  [
    'null in a list',
    { accessibleTopology: [null] },
    /accessibleTopology\[0\] must be a value, but it is null/,
  ],
  ['null in a map', { volumeContext: { a: null } }, /volumeContext\["a"\] must be a value, but it is null/],
  ['a list for a map', { volumeContext: [] }, /volumeContext must be a map/],
] as const)
  test(`${what} is refused, with its place`, () => {
    assert.throws(() => codec('Volume').encode(value), message);
  });

for (const [what, wire] of [
  ['a cut-off text', '1205 61'],
  ['a wrong wire type', '1001'],
  ['a message that ends early', '2a04 0a01'],
  ['field number 0', '0001'],
] as const)
  test(`${what} is an error that says where`, () => {
    assert.throws(() => codec('Volume').decode(bytes(wire)), ProtobufDecodeError);
  });

test('what the protocol calls secret is not shown', () => {
  const request = { name: 'n', secrets: { password: 'x' }, volumeCapabilities: [{ block: {} }] };
  assert.deepEqual(codec('CreateVolumeRequest').redact(request), {
    name: 'n',
    volumeCapabilities: [{ block: {} }],
  });
  assert.equal(request.secrets.password, 'x');
});

test('every message of the protocol has a codec, and an empty one goes both ways', () => {
  for (const name of Object.keys(table.messages)) {
    const empty = codec(name).decode(codec(name).encode({}));
    assert.deepEqual(codec(name).encode(empty), new Uint8Array(0), name);
  }
});

test('counters, fractions, bytes and lists of numbers, as the container runtime interface has them', () => {
  const runtime = messageCodecs({
    package: 'x',
    messages: { All: '1 id n|2 average d|3 output x|4 groups [n|5 password !s' },
    enums: {},
    services: {},
  })('All');
  const value = { id: 4_294_967_295, average: 0.5, output: 'AAE=', groups: [1, 2 ** 33], password: 'secret' };
  assert.deepEqual(runtime.decode(runtime.encode(value)), value);
  assert.deepEqual(runtime.decode(bytes('08ffffffffffffffffff01')).id, -1, 'the largest counter is no error');
  assert.deepEqual(runtime.decode(bytes('22020102')).groups, [1, 2], 'packed, as Go writes them');
  assert.deepEqual(runtime.decode(bytes('')), { id: 0, average: 0, output: '', groups: [], password: '' });
  assert.deepEqual(runtime.redact({ id: 1, password: 'secret' }), { id: 1 });
});
