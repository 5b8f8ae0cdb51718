import { customResourceDefinition, defineResource, fields, type ObjectOfKind } from '@windlass/codegen';

/** A page, and how many servers show it. */
export const Website = defineResource({
  group: 'websites.example.com',
  version: 'v1',
  kind: 'Website',
  spec: fields.object({
    text: fields.string({ minLength: 1 }),
    replicas: fields.integer({ minimum: 0, maximum: 100, default: 1 }),
    isPublic: fields.boolean({ default: false }),
  }),
  status: fields.object({
    observedGeneration: fields.optional(fields.integer()),
    availableReplicas: fields.optional(fields.integer()),
    conditions: fields.conditions(),
  }),
  columns: [
    { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
    { name: 'Why', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].message" },
  ],
});
export type Website = ObjectOfKind<typeof Website>;

/** What makes an API server serve it. */
export const websiteDefinition = customResourceDefinition(Website);
