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

/** The first version, which some still use: the same with other names. */
export const WebsiteV1Alpha1 = defineResource({
  group: 'websites.example.com',
  version: 'v1alpha1',
  kind: 'Website',
  deprecated: 'websites.example.com/v1alpha1 Website is deprecated; use v1',
  spec: fields.object({
    html: fields.string({ minLength: 1 }),
    servers: fields.integer({ minimum: 0, maximum: 100, default: 1 }),
    visibility: fields.enum(['public', 'private'], { default: 'private' }),
  }),
  status: fields.object({
    observedGeneration: fields.optional(fields.integer()),
    availableReplicas: fields.optional(fields.integer()),
    conditions: fields.conditions(),
  }),
});

/** What makes an API server serve both. The first is stored. */
export const websiteDefinition = customResourceDefinition(Website, WebsiteV1Alpha1);
