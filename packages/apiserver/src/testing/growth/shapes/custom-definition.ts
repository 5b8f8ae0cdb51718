import type { Json } from './shape.ts';

export const GROUP = 'growth.windlass.dev';

/** The definition of the custom shapes. */
export const GROWTH_DEFINITION: Json = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `growths.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'growths', kind: 'Growth' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        additionalPrinterColumns: [{ name: 'First', type: 'string', jsonPath: '.spec.map[0].name' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  replicas: { type: 'integer' },
                  map: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, value: { type: 'string' } },
                    },
                  },
                  pairs: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['port', 'protocol'],
                    items: {
                      type: 'object',
                      required: ['port'],
                      properties: {
                        port: { type: 'integer' },
                        protocol: { type: 'string', default: 'TCP' },
                        value: { type: 'string' },
                      },
                    },
                  },
                  ruled: {
                    type: 'array',
                    maxItems: 100_000,
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: {
                        name: { type: 'string', maxLength: 20 },
                        value: {
                          type: 'string',
                          maxLength: 20,
                          'x-kubernetes-validations': [{ rule: "self == oldSelf || self != ''" }],
                        },
                      },
                      'x-kubernetes-validations': [{ rule: "self.name != 'x'" }],
                    },
                  },
                  set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
                  objects: {
                    type: 'array',
                    'x-kubernetes-list-type': 'set',
                    items: {
                      type: 'object',
                      'x-kubernetes-map-type': 'atomic',
                      properties: { a: { type: 'string' }, b: { type: 'integer' } },
                    },
                  },
                  atomic: { type: 'array', items: { type: 'string' } },
                  atomicObjects: {
                    type: 'array',
                    items: { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
                  },
                  fields: { type: 'object', additionalProperties: { type: 'string' } },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  nested: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: {
                        name: { type: 'string' },
                        inner: {
                          type: 'array',
                          'x-kubernetes-list-type': 'map',
                          'x-kubernetes-list-map-keys': ['name'],
                          items: {
                            type: 'object',
                            required: ['name'],
                            properties: { name: { type: 'string' }, value: { type: 'string' } },
                          },
                        },
                      },
                    },
                  },
                  patterned: { type: 'array', items: { type: 'string', pattern: '^[a-z]+(-[a-z0-9]+)*$' } },
                  pattern: { type: 'string', pattern: '^(a+)+$' },
                  either: {
                    type: 'array',
                    items: {
                      'x-kubernetes-int-or-string': true,
                      anyOf: [{ type: 'integer' }, { type: 'string' }],
                    },
                  },
                  embedded: {
                    type: 'array',
                    items: {
                      type: 'object',
                      'x-kubernetes-embedded-resource': true,
                      'x-kubernetes-preserve-unknown-fields': true,
                    },
                  },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};
