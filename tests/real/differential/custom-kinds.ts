// Two custom resources, between them with most of what a structural schema can say.
import type { Schema } from '@windlass/apimachinery';
import type { FuzzKind, Json } from './kinds.ts';

export const CUSTOM_GROUP = 'differential.windlass.test';

const widget: Schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      'x-kubernetes-validations': [
        { rule: 'self.size < 8 || self.color == "red"', message: 'large ones are red' },
        {
          rule: 'self.size >= oldSelf.size',
          message: 'they do not shrink',
          reason: 'FieldValueForbidden',
          fieldPath: '.size',
        },
      ],
      properties: {
        size: { type: 'integer', format: 'int32', minimum: 0, maximum: 10 },
        replicas: { type: 'integer', minimum: 0, default: 1 },
        color: { type: 'string', enum: ['red', 'green'], default: 'green' },
        name: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
        port: { 'x-kubernetes-int-or-string': true },
        maybe: { type: 'string', nullable: true },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        nested: {
          type: 'object',
          default: {},
          properties: { depth: { type: 'integer', default: 3 }, on: { type: 'boolean' } },
        },
        ports: {
          type: 'array',
          maxItems: 3,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'protocol'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              protocol: { type: 'string', default: 'TCP' },
              port: { type: 'integer', default: 80 },
            },
          },
        },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        limits: { type: 'object', additionalProperties: { type: 'integer', minimum: 1 }, maxProperties: 2 },
        address: {
          type: 'object',
          'x-kubernetes-map-type': 'atomic',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
        },
      },
    },
    status: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        selector: { type: 'string' },
        phase: { type: 'string', enum: ['On', 'Off'] },
      },
    },
  },
};

const gadget: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        quantity: {
          type: 'string',
          'x-kubernetes-validations': [{ rule: 'isQuantity(self)', message: 'no quantity' }],
        },
        items: { type: 'array', items: { type: 'string', maxLength: 3 } },
        when: { type: 'string', format: 'date-time' },
        ratio: { type: 'number', minimum: 0, exclusiveMaximum: true, maximum: 1 },
      },
    },
  },
};

const source = { definition: () => undefined };
const apiVersion = `${CUSTOM_GROUP}/v1`;

/** The definitions, to be sent to both servers before any history. */
export function customDefinitions(): Json[] {
  const status = {};
  const scale = {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  };
  return [
    definition('Widget', 'widgets', 'Namespaced', {
      schema: { openAPIV3Schema: widget },
      subresources: { status, scale },
    }),
    definition('Gadget', 'gadgets', 'Cluster', { schema: { openAPIV3Schema: gadget } }),
  ];
}

function definition(kind: string, plural: string, scope: string, version: object): Json {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${CUSTOM_GROUP}` },
    spec: {
      group: CUSTOM_GROUP,
      scope,
      names: { kind, plural },
      versions: [{ name: 'v1', served: true, storage: true, ...version }],
    },
  };
}

export function customKinds(): FuzzKind[] {
  const own = { apiVersion, isCustom: true, schemas: source };
  return [
    {
      ...own,
      kind: 'Widget',
      plural: 'widgets',
      namespaced: true,
      subresources: ['status', 'scale'],
      schema: widget,
      samples: [
        {
          spec: {
            size: 2,
            ports: [{ name: 'a' }, { name: 'b', protocol: 'UDP' }],
            tags: ['x'],
            limits: { a: 1 },
          },
        },
        { spec: { size: 1, free: { any: [{ thing: null }] }, port: 'http', address: { a: '1', b: '2' } } },
      ],
    },
    {
      ...own,
      kind: 'Gadget',
      plural: 'gadgets',
      namespaced: false,
      subresources: [],
      schema: gadget,
      samples: [{ spec: { quantity: '1Gi', items: ['a'], extra: { a: 1 } } }],
    },
  ];
}
