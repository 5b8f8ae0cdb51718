/** A custom resource with everything that OpenAPI has to say something special about. */
export const formsDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'forms.openapi.windlass.dev' },
  spec: {
    group: 'openapi.windlass.dev',
    scope: 'Namespaced',
    names: { kind: 'Form', plural: 'forms', singular: 'form' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.count', statusReplicasPath: '.status.count' },
        },
        selectableFields: [{ jsonPath: '.spec.color' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'Form is what the test is about',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                description: 'What is wanted',
                required: ['count', 'maybe'],
                properties: {
                  count: { type: 'integer', format: 'int32', minimum: 0, default: 1 },
                  color: { type: 'string', enum: ['red', 'green'], default: 'red' },
                  maybe: { type: 'object', nullable: true, properties: { a: { type: 'string' } } },
                  either: { 'x-kubernetes-int-or-string': true },
                  eitherSaid: {
                    'x-kubernetes-int-or-string': true,
                    anyOf: [{ type: 'integer' }, { type: 'string' }],
                  },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  freeWithFields: {
                    type: 'object',
                    'x-kubernetes-preserve-unknown-fields': true,
                    properties: { a: { type: 'string' } },
                  },
                  embedded: {
                    type: 'object',
                    'x-kubernetes-embedded-resource': true,
                    properties: { spec: { type: 'object' } },
                  },
                  embeddedFree: {
                    type: 'object',
                    'x-kubernetes-embedded-resource': true,
                    'x-kubernetes-preserve-unknown-fields': true,
                  },
                  list: {
                    type: 'array',
                    maxItems: 5,
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string', maxLength: 10, pattern: '^[a-z]+$' } },
                    },
                  },
                  map: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
                  some: {
                    type: 'string',
                    oneOf: [{ pattern: 'a' }, { pattern: 'b' }],
                    not: { pattern: 'c' },
                  },
                },
                'x-kubernetes-validations': [{ rule: 'self.count < 10', message: 'too many' }],
              },
              status: { type: 'object', properties: { count: { type: 'integer' } } },
            },
          },
        },
      },
      {
        name: 'v2',
        served: true,
        storage: false,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
