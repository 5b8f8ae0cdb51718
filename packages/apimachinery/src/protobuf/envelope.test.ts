import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeProtobuf, encodeProtobuf } from './envelope.ts';
import { ProtobufDecodeError, ProtobufEncodeError, ProtobufKindError } from './errors.ts';

const bytes = (...parts: (string | number | readonly number[])[]): Uint8Array =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part) : Buffer.from(typeof part === 'number' ? [part] : part),
    ),
  );

/** A field with a length: its tag's byte, then what it holds. */
const field = (tag: number, ...parts: (string | number | readonly number[])[]): number[] => {
  const content = bytes(...parts);
  return [tag, content.length, ...content];
};

/** The envelope around a message that is shorter than 128 bytes. */
const envelope = (
  apiVersion: string,
  kind: string,
  ...message: (string | number | readonly number[])[]
): Uint8Array =>
  bytes(
    'k8s\0',
    field(0x0a, field(0x0a, apiVersion), field(0x12, kind)),
    field(0x12, ...message),
    field(0x1a),
    field(0x22),
  );

/** Every string of an ObjectMeta that is set to nothing: Go writes them all. */
const emptyMeta = (name: string): number[] => [
  ...field(0x0a, name),
  ...[0x12, 0x1a, 0x22, 0x2a, 0x32].flatMap((tag) => [tag, 0]),
  0x38, // generation
  0,
  0x42, // creationTimestamp: no time
  0,
];

test('a ConfigMap, byte for byte', () => {
  const wire = envelope(
    'v1',
    'ConfigMap',
    field(0x0a, emptyMeta('a')),
    field(0x12, field(0x0a, 'k1'), field(0x12, 'v')),
    field(0x12, field(0x0a, 'k2'), field(0x12, '')),
    field(0x1a, field(0x0a, 'bin'), field(0x12, [0xff, 0x00])),
    [0x20, 0x01],
  );
  const object = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a' },
    data: { k2: '', k1: 'v' },
    binaryData: { bin: '/wA=' },
    immutable: true,
  };
  assert.deepEqual(decodeProtobuf(wire), object);
  assert.deepEqual(Buffer.from(encodeProtobuf(object)), Buffer.from(wire));
});

test('DeleteOptions of any group, byte for byte', () => {
  for (const apiVersion of ['v1', 'apps/v1', 'policy/v1beta1']) {
    const wire = envelope(
      apiVersion,
      'DeleteOptions',
      [0x08, 0x00],
      field(0x12, field(0x0a, 'uid-1')),
      field(0x22, 'Foreground'),
      field(0x2a, 'All'),
    );
    const object = {
      kind: 'DeleteOptions',
      apiVersion,
      gracePeriodSeconds: 0,
      preconditions: { uid: 'uid-1' },
      propagationPolicy: 'Foreground',
      dryRun: ['All'],
    };
    assert.deepEqual(decodeProtobuf(wire), object);
    assert.deepEqual(Buffer.from(encodeProtobuf(object)), Buffer.from(wire));
  }
});

test('a Lease: pointers, times with microseconds, negative numbers', () => {
  const wire = envelope(
    'coordination.k8s.io/v1',
    'Lease',
    field(0x0a, emptyMeta('l')),
    field(
      0x12,
      field(0x0a, 'me'),
      [0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
      field(0x1a, [0x08, 0x01, 0x10, 0xe8, 0x07]),
    ),
  );
  const object = {
    kind: 'Lease',
    apiVersion: 'coordination.k8s.io/v1',
    metadata: { name: 'l' },
    spec: { holderIdentity: 'me', leaseDurationSeconds: -1, acquireTime: '1970-01-01T00:00:01.000001Z' },
  };
  assert.deepEqual(decodeProtobuf(wire), object);
  assert.deepEqual(Buffer.from(encodeProtobuf(object)), Buffer.from(wire));
});

/** The object that the real thing gives back, without the type. */
function through(object: { apiVersion: string; kind: string; [key: string]: unknown }): unknown {
  const { apiVersion: _, kind: __, ...rest } = decodeProtobuf(encodeProtobuf(object));
  return rest;
}

test('empty values are shown where Go shows them', () => {
  assert.deepEqual(through({ apiVersion: 'v1', kind: 'Pod' }), {
    metadata: {},
    spec: { containers: null },
    status: {},
  });
  assert.deepEqual(through({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', rules: [] }), {
    metadata: {},
    rules: null,
  });
  assert.deepEqual(through({ apiVersion: 'v1', kind: 'PodList', metadata: {}, items: [] }), {
    metadata: {},
    items: [],
  });
  assert.deepEqual(through({ apiVersion: 'v1', kind: 'Event', metadata: {}, involvedObject: {} }), {
    metadata: {},
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  });
  assert.deepEqual(through({ apiVersion: 'apps/v1', kind: 'ControllerRevision', revision: 0 }), {
    metadata: {},
    data: null,
    revision: 0,
  });
});

test('embedded structs are shown in place', () => {
  const spec = {
    containers: [
      { name: 'c', resources: {}, livenessProbe: { tcpSocket: { port: 'http' }, periodSeconds: 3 } },
    ],
    volumes: [{ name: 'v', configMap: { name: 'cm', items: [{ key: 'a', path: 'b' }] } }],
    ephemeralContainers: [{ name: 'e', resources: {}, targetContainerName: 'c' }],
  };
  assert.deepEqual(through({ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec, status: {} }), {
    metadata: {},
    spec,
    status: {},
  });
});

test('JSON shows a type in claim templates that the wire does not have', () => {
  const template = { metadata: { name: 'data' }, spec: { resources: {} }, status: {} };
  const spec = (templates: object[]): object => ({
    serviceName: '',
    selector: null,
    template: { metadata: {}, spec: { containers: null } },
    updateStrategy: {},
    volumeClaimTemplates: templates,
  });
  assert.deepEqual(through({ apiVersion: 'apps/v1', kind: 'StatefulSet', spec: spec([template]) }), {
    metadata: {},
    spec: spec([{ kind: 'PersistentVolumeClaim', apiVersion: 'v1', ...template }]),
    status: { replicas: 0, availableReplicas: 0 },
  });
});

test('a raw object may be JSON or an envelope of its own', () => {
  const inner = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'x' }, spec: {}, status: {} };
  const list = { kind: 'List', apiVersion: 'v1', metadata: {}, items: [inner, { a: [1, 'b', null] }] };
  assert.deepEqual(decodeProtobuf(encodeProtobuf(list)), list);
  const raw = encodeProtobuf(inner);
  const wire = envelope('v1', 'List', field(0x12, field(0x0a, [...raw])));
  assert.deepEqual(decodeProtobuf(wire), { kind: 'List', apiVersion: 'v1', metadata: {}, items: [inner] });
});

test('schemas: the forms that are one thing or another', () => {
  const schema = {
    items: { type: 'string' },
    additionalProperties: false,
    additionalItems: { type: 'integer' },
    default: { a: 1 },
    dependencies: { a: ['b'], c: { type: 'object' } },
    'x-kubernetes-preserve-unknown-fields': true,
    minimum: 1.5,
    definitions: { d: { items: [{ type: 'string' }, { additionalProperties: true }] } },
  };
  const object = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    spec: {
      group: 'g',
      names: { plural: 'as', kind: 'A' },
      scope: 'Cluster',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
  const decoded = through(object) as { spec: { versions: { schema: { openAPIV3Schema: unknown } }[] } };
  assert.deepEqual(decoded.spec.versions[0]?.schema.openAPIV3Schema, schema);
});

test('a negative zero is a zero, as in JSON', () => {
  const crd = (minimum: number): Uint8Array =>
    encodeProtobuf({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      spec: { versions: [{ schema: { openAPIV3Schema: { minimum } } }] },
    });
  assert.deepEqual(crd(-0), crd(0));
});

test('a key that would change the prototype is a key', () => {
  const data: object = JSON.parse('{"__proto__":"x","constructor":"y"}');
  const decoded = decodeProtobuf(encodeProtobuf({ apiVersion: 'v1', kind: 'ConfigMap', data }));
  assert.deepEqual(Object.entries(decoded['data'] as object), [
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
  assert.equal(Object.getPrototypeOf(decoded['data']), Object.prototype);
});

test('keys are sorted as Go sorts them', () => {
  const keys = ['b', 'a', '\u{1f600}', '\uffee', 'é', 'aa'];
  const data = Object.fromEntries(keys.map((key) => [key, '']));
  const decoded = decodeProtobuf(encodeProtobuf({ apiVersion: 'v1', kind: 'ConfigMap', data }));
  const bytewise = keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  assert.deepEqual(Object.keys(decoded['data'] as object), bytewise);
});

test('the type may be implied', () => {
  const wire = bytes('k8s\0', field(0x12, field(0x2a, 'All')));
  const implied = { apiVersion: 'v1', kind: 'DeleteOptions' };
  assert.deepEqual(decodeProtobuf(wire, { implied }), {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    dryRun: ['All'],
  });
  assert.throws(() => decodeProtobuf(wire), ProtobufKindError);
  assert.throws(() => decodeProtobuf(envelope('example.com/v1', 'Foo')), {
    name: 'ProtobufKindError',
    message: 'example.com/v1 Foo has no protobuf form; use JSON',
  });
});

test('whole numbers are exact up to 2^53', () => {
  for (const generation of [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 2 ** 31, -(2 ** 32), 128]) {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { generation }, spec: {}, status: {} };
    assert.deepEqual(through(object), { metadata: { generation }, spec: {}, status: {} });
  }
});

test('what does not fit is refused, by its path', () => {
  const pod = (spec: unknown): object => ({ apiVersion: 'v1', kind: 'Pod', spec });
  const rows: [object, string][] = [
    [pod('x'), 'spec must be an object, but it is "x" (string)'],
    [pod({ containers: {} }), 'spec.containers must be a list, but it is an object'],
    [
      pod({ containers: [{}, { name: 1 }] }),
      'spec.containers[1].name must be a string, but it is 1 (number)',
    ],
    [
      pod({ priority: 2 ** 31 }),
      'spec.priority must be a whole number of 32 bits, but it is 2147483648 (number)',
    ],
    [pod({ priority: 1.5 }), 'spec.priority must be a whole number of 32 bits, but it is 1.5 (number)'],
    [pod({ hostNetwork: 'yes' }), 'spec.hostNetwork must be true or false, but it is "yes" (string)'],
    [pod({ nodeSelector: { a: true } }), 'spec.nodeSelector["a"] must be a string, but it is true (boolean)'],
    [pod({ contaners: [] }), 'spec.contaners is no field of io.k8s.api.core.v1.PodSpec'],
    [
      pod({ volumes: [{ emptydir: {} }] }),
      'spec.volumes[0].emptydir is no field of io.k8s.api.core.v1.Volume',
    ],
    [
      { apiVersion: 'v1', kind: 'Pod', metadata: { creationTimestamp: 'today' } },
      'metadata.creationTimestamp must be a time such as 2024-02-29T12:00:00Z, but it is "today" (string)',
    ],
    [
      { apiVersion: 'v1', kind: 'Secret', data: { a: '%%' } },
      'data["a"] must be text in base64, but it is "%%" (string)',
    ],
  ];
  for (const [object, message] of rows)
    assert.throws(() => encodeProtobuf(object), { message, name: 'ProtobufEncodeError' });
  assert.throws(() => encodeProtobuf({ apiVersion: 'v1' }), ProtobufKindError);
});

test('unknown properties may be dropped, and undefined ones are not there', () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: undefined, extra: 1 };
  const encoded = encodeProtobuf(object, { unknownFields: 'drop' });
  assert.deepEqual(decodeProtobuf(encoded), { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' } });
  const { extra: _, ...known } = object;
  assert.deepEqual(encodeProtobuf(known), encoded);
});

test('an object that contains itself is refused', () => {
  const schema: Record<string, unknown> = {};
  schema['not'] = schema;
  const versions = [{ schema: { openAPIV3Schema: schema } }];
  const crd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', spec: { versions } };
  assert.throws(
    () => encodeProtobuf(crd),
    (error) => error instanceof ProtobufEncodeError && /nested/.test(error.problem),
  );
});

test('without the magic bytes there is nothing to read', () => {
  for (const wire of [bytes(), bytes('k8s'), bytes('{"kind":"Pod"}')])
    assert.throws(
      () => decodeProtobuf(wire),
      (error) => error instanceof ProtobufDecodeError && error.offset === 0,
    );
});
