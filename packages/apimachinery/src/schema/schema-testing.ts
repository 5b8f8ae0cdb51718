// A small kind with every way of merging in it, for the tests of strategic merge and server-side apply.

import * as fc from 'fast-check';
import type { JsonObject } from '../json/json-object.ts';
import type { JsonValue } from '../object.ts';
import type { Schema, SchemaSource } from './schema.ts';

const string: Schema = { type: 'string' };
const integer: Schema = { type: 'integer' };

const definitions: Readonly<Record<string, Schema>> = {
  'test.Meta': {
    type: 'object',
    properties: {
      name: string,
      namespace: string,
      uid: string,
      resourceVersion: string,
      generation: integer,
      creationTimestamp: { type: 'string', format: 'date-time' },
      labels: { type: 'object', additionalProperties: string },
      annotations: { type: 'object', additionalProperties: string },
      finalizers: {
        type: 'array',
        items: string,
        'x-kubernetes-list-type': 'set',
        'x-kubernetes-patch-strategy': 'merge',
      },
      managedFields: { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'atomic' },
    },
  },
  'test.Port': {
    type: 'object',
    required: ['containerPort'],
    properties: {
      containerPort: { ...integer, default: 0 },
      protocol: { ...string, default: 'TCP' },
      name: string,
    },
  },
  'test.Env': { type: 'object', required: ['name'], properties: { name: string, value: string } },
  'test.Container': {
    type: 'object',
    required: ['name'],
    properties: {
      name: string,
      image: string,
      args: { type: 'array', items: string, 'x-kubernetes-list-type': 'atomic' },
      resources: {
        type: 'object',
        default: {},
        properties: { limits: { type: 'object', additionalProperties: string } },
      },
      ports: {
        type: 'array',
        items: { $ref: 'test.Port' },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': 'containerPort',
      },
      env: {
        type: 'array',
        items: { $ref: 'test.Env' },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': 'name',
      },
    },
  },
  'test.Volume': {
    type: 'object',
    required: ['name'],
    properties: {
      name: string,
      emptyDir: { type: 'object', properties: { medium: string } },
      secret: { type: 'object', properties: { secretName: string } },
    },
  },
  'test.Strategy': {
    type: 'object',
    properties: { type: string, rollingUpdate: { type: 'object', properties: { maxSurge: integer } } },
  },
  'test.Spec': {
    type: 'object',
    properties: {
      replicas: integer,
      paused: { type: 'boolean' },
      containers: {
        type: 'array',
        items: { $ref: 'test.Container' },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': 'name',
      },
      volumes: {
        type: 'array',
        items: { $ref: 'test.Volume' },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        'x-kubernetes-patch-strategy': 'merge,retainKeys',
        'x-kubernetes-patch-merge-key': 'name',
      },
      strategy: { $ref: 'test.Strategy', 'x-kubernetes-patch-strategy': 'retainKeys' },
      whole: {
        type: 'object',
        properties: { a: string, b: string },
        'x-kubernetes-patch-strategy': 'replace',
        'x-kubernetes-map-type': 'atomic',
      },
      tolerations: {
        type: 'array',
        items: { type: 'object', properties: { key: string, effect: string } },
        'x-kubernetes-list-type': 'atomic',
      },
      nodeSelector: { type: 'object', additionalProperties: string, 'x-kubernetes-map-type': 'atomic' },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      port: { 'x-kubernetes-int-or-string': true },
    },
  },
  'test.Status': {
    type: 'object',
    properties: { ready: integer, observedGeneration: integer },
  },
};

export const testSource: SchemaSource = { definition: (name) => definitions[name] };

export const testSchema: Schema = {
  type: 'object',
  properties: {
    apiVersion: string,
    kind: string,
    metadata: { $ref: 'test.Meta', default: {} },
    spec: { $ref: 'test.Spec', default: {} },
    status: { $ref: 'test.Status', default: {} },
  },
};

const name = fc.constantFrom('a', 'b', 'c', 'd');
const text = fc.constantFrom('x', 'y', 'z');
const stringMap = fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true });

/** Every property may be absent; nothing is undefined. */
function record(
  properties: { [key: string]: fc.Arbitrary<JsonValue> },
  required: string[] = [],
): fc.Arbitrary<JsonObject> {
  return fc.record(properties, { requiredKeys: required, noNullPrototype: true });
}

function keyed(item: fc.Arbitrary<JsonObject>, key: (item: JsonObject) => string): fc.Arbitrary<JsonValue[]> {
  return fc.uniqueArray(item, { maxLength: 4, selector: key });
}

const byName = (item: JsonObject): string => JSON.stringify(item['name']);

const container = record(
  {
    name,
    image: text,
    args: fc.array(text, { maxLength: 2 }),
    resources: record({ limits: stringMap }),
    ports: keyed(
      record({ containerPort: fc.constantFrom(80, 81, 82), name: text }, ['containerPort']),
      (item) => JSON.stringify(item['containerPort']),
    ),
    env: keyed(record({ name, value: text }, ['name']), byName),
  },
  ['name'],
);

const volume = fc.oneof(
  record({ name, emptyDir: record({ medium: text }) }, ['name', 'emptyDir']),
  record({ name, secret: record({ secretName: text }) }, ['name', 'secret']),
);

const free = fc.dictionary(name, fc.oneof(text, fc.array(text, { maxLength: 2 }), stringMap), {
  maxKeys: 3,
  noNullPrototype: true,
});

const specProperties = {
  replicas: fc.constantFrom(0, 1, 2),
  paused: fc.boolean(),
  containers: keyed(container, byName),
  volumes: keyed(volume, byName),
  strategy: record({ type: text, rollingUpdate: record({ maxSurge: fc.constantFrom(1, 2) }) }),
  whole: record({ a: text, b: text }),
  tolerations: fc.array(record({ key: text, effect: text }), { maxLength: 2 }),
  nodeSelector: stringMap,
  port: fc.constantFrom<JsonValue>(80, 'http'),
};

const metadata = record({
  labels: stringMap,
  annotations: stringMap,
  finalizers: fc.uniqueArray(text, { maxLength: 3 }),
});

/** Objects that often have the same elements, in another order or with other content. */
export const typedObject: fc.Arbitrary<JsonObject> = record({ metadata, spec: record(specProperties) });

/** The same, with a field whose content the schema does not describe. */
export const anyObject: fc.Arbitrary<JsonObject> = record({
  metadata,
  spec: record({ ...specProperties, free }),
});
