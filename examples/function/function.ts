import { customResourceDefinition, defineResource, fields, type ObjectOfKind } from '@windlass/codegen';

/** A program behind an address: an image, and how many of it. */
export const Function = defineResource({
  group: 'functions.example.com',
  version: 'v1',
  kind: 'Function',
  shortNames: ['fn'],
  spec: fields.object({
    image: fields.string({ minLength: 1 }),
    replicas: fields.integer({ minimum: 0, maximum: 100, default: 1 }),
    port: fields.integer({ minimum: 1, maximum: 65_535, default: 8080 }),
    environment: fields.optional(fields.map(fields.string())),
  }),
  status: fields.object({
    availableReplicas: fields.optional(fields.integer()),
    url: fields.optional(fields.string()),
    conditions: fields.conditions(),
  }),
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.availableReplicas' },
  columns: [
    { name: 'Image', type: 'string', jsonPath: '.spec.image' },
    { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
    { name: 'URL', type: 'string', jsonPath: '.status.url' },
  ],
});
export type Function = ObjectOfKind<typeof Function>;

/** What makes an API server serve it. */
export const functionDefinition = customResourceDefinition(Function);
