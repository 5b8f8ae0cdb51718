interface Names {
  /** Of the operator. */
  readonly name: string;
  readonly kind: string;
  /** Where the kind is imported from. */
  readonly module: string;
  readonly isBuiltin: boolean;
  /** What a new one has at least: as `windlass new` and `windlass add kind` declare it. */
  readonly spec: string | undefined;
}

/** `WebSite` becomes `webSite`. */
const variableOf = (kind: string): string => kind.charAt(0).toLowerCase() + kind.slice(1);

export const webhooksName = (kind: string): string => `${variableOf(kind)}Webhooks`;

export function webhookModule({ name, kind, module, isBuiltin }: Names): string {
  // While a webhook cannot be asked, what it is asked about is refused: also the pods that would answer.
  const options = isBuiltin
    ? `,
    {
      namespaceSelector: {
        matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: EXEMPT }],
      },
    },
  `
    : '';
  const check = isBuiltin
    ? `
    ({ object }) => [
      object.metadata.name.length > 40 && refuse('metadata.name', 'must have at most 40 characters'),
    ]`
    : `({ object }) => [
    object.metadata.name.length > 40 && refuse('metadata.name', 'must have at most 40 characters'),
  ]`;
  const exempt = isBuiltin
    ? `
/** Namespaces where nothing is asked. In that of the operator, nothing could start it again while it does not run. */
const EXEMPT = ['kube-system', '${name}'];
`
    : '';
  const mutator = isBuiltin
    ? ''
    : `  // Change the object, or return another: what differs is stored. It may run twice for one request.
  mutate(${kind}, (object) => {
    object.metadata.labels = { 'app.kubernetes.io/managed-by': '${name}', ...object.metadata.labels };
  }),
`;
  return `// What is checked${isBuiltin ? '' : ' and completed'} before an API server stores a ${kind}.
import { ${isBuiltin ? '' : 'mutate, '}refuse, validate, type Webhook } from 'windlass/runtime';
import { ${kind} } from '${module}';
${exempt}
export const ${webhooksName(kind)}: readonly Webhook[] = [
${mutator}  // refuse names a field, deny the whole request, and warn lets it pass with a warning.
  validate(${isBuiltin ? `\n    ${kind},` : `${kind}, `}${check}${options}),
];
`;
}

export function webhookTest({ name, kind, module, isBuiltin, spec: example }: Names): string {
  const spec = example === undefined ? '' : `, spec: ${example}`;
  const completed = isBuiltin
    ? ''
    : `
  assert.equal(verdict.object.metadata?.labels?.['app.kubernetes.io/managed-by'], '${name}');`;
  return `// Webhooks asked as an API server asks them, without one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testWebhooks } from 'windlass/testing';
import { ${webhooksName(kind)} } from './webhooks.ts';
import { ${kind} } from '${module}';

const webhooks = testWebhooks(${webhooksName(kind)});
const named = (name: string): ${kind} => ({ metadata: { name }${spec} });

test('a ${kind} is ${isBuiltin ? 'allowed' : 'completed'}', async () => {
  const verdict = await webhooks.create(${kind}, named('first'));
  assert.equal(verdict.message, '');${completed}
});

test('a name that is too long is refused', async () => {
  const verdict = await webhooks.create(${kind}, named('x'.repeat(41)));
  assert.deepEqual(
    verdict.causes.map(({ field }) => field),
    ['metadata.name'],
  );
});
`;
}
