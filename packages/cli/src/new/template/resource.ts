import { type AnyDeclaredResource, defineResource, fields } from '@windlass/codegen';
import type { ProjectNames } from '../project-names.ts';

/** The kind that the text below declares. The project's own test holds both together. */
export function declaredKind({ group, kind }: ProjectNames): AnyDeclaredResource {
  return defineResource({
    group,
    version: 'v1',
    kind,
    spec: fields.object({
      image: fields.string({ minLength: 1, description: 'The image to run.' }),
      replicas: fields.integer({ minimum: 0, maximum: 100, default: 1, description: 'How many of it.' }),
    }),
    status: fields.object({
      readyReplicas: fields.optional(fields.integer({ description: 'How many of them are ready.' })),
      conditions: fields.conditions(),
    }),
    columns: [
      { name: 'Image', type: 'string', jsonPath: '.spec.image' },
      { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.readyReplicas' },
  });
}

export function resourceModule({ group, kind }: ProjectNames): string {
  return `// The resource: its type for the compiler and its schema for the API server, declared once.
// After a change, \`npm run manifests\` writes manifests/crds anew.
import { defineResource, fields, type ObjectOfKind } from 'windlass/codegen';

export const ${kind} = defineResource({
  group: '${group}',
  version: 'v1',
  kind: '${kind}',
  spec: fields.object({
    image: fields.string({ minLength: 1, description: 'The image to run.' }),
    replicas: fields.integer({ minimum: 0, maximum: 100, default: 1, description: 'How many of it.' }),
  }),
  status: fields.object({
    readyReplicas: fields.optional(fields.integer({ description: 'How many of them are ready.' })),
    conditions: fields.conditions(),
  }),
  columns: [
    { name: 'Image', type: 'string', jsonPath: '.spec.image' },
    { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.readyReplicas' },
});

export type ${kind} = ObjectOfKind<typeof ${kind}>;
`;
}
