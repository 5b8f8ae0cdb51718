import { encodeYamlDocuments } from '@windlass/apimachinery';

interface Names {
  readonly group: string;
  readonly kind: string;
}

export function kindModule({ group, kind }: Names): string {
  return `// The resource: its type for the compiler and its schema for the API server, declared once.
// After a change, \`npm run manifests\` writes manifests/crds anew.
import { defineResource, fields, type ObjectOfKind } from 'windlass/codegen';

export const ${kind} = defineResource({
  group: '${group}',
  version: 'v1',
  kind: '${kind}',
  spec: fields.object({
    text: fields.string({ minLength: 1, maxLength: 1000, description: 'What it says.' }),
  }),
  status: fields.object({ conditions: fields.conditions() }),
  columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
});

export type ${kind} = ObjectOfKind<typeof ${kind}>;
`;
}

export function kindExample({ group, kind }: Names): string {
  return encodeYamlDocuments([
    {
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name: 'example', namespace: 'default' },
      spec: { text: 'hello' },
    },
  ]);
}
