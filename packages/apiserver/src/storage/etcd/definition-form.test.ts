import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@windlass/apimachinery';
import { fromStoredDefinition, toStoredDefinition } from './definition-form.ts';

const names = { plural: 'foos', kind: 'Foo' };
const schema = { openAPIV3Schema: { type: 'object' } };
const other = { openAPIV3Schema: { type: 'object', description: 'another' } };
const column = { name: 'Size', type: 'integer', jsonPath: '.spec.size' };
const old = { name: 'Size', type: 'integer', JSONPath: '.spec.size' };
const version = (name: string, more: object = {}): object => ({
  name,
  served: true,
  storage: name === 'v1',
  ...more,
});

for (const [name, v1, v1beta1] of [
  [
    'what all versions have in common stands there once',
    {
      versions: [
        version('v1', { schema, additionalPrinterColumns: [column] }),
        version('v2', { schema, additionalPrinterColumns: [column] }),
      ],
    },
    {
      version: 'v1',
      validation: schema,
      versions: [version('v1'), version('v2')],
      additionalPrinterColumns: [old],
    },
  ],
  [
    'what differs stands in each version',
    { versions: [version('v1', { schema }), version('v2', { schema: other, subresources: { status: {} } })] },
    {
      version: 'v1',
      versions: [version('v1', { schema }), version('v2', { schema: other, subresources: { status: {} } })],
    },
  ],
  [
    'a webhook converts',
    {
      versions: [version('v1', { schema })],
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://a' }, conversionReviewVersions: ['v1'] },
      },
    },
    {
      version: 'v1',
      validation: schema,
      versions: [version('v1')],
      conversion: {
        strategy: 'Webhook',
        webhookClientConfig: { url: 'https://a' },
        conversionReviewVersions: ['v1'],
      },
    },
  ],
] as const)
  test(name, () => {
    const common = { group: 'example.com', names, scope: 'Namespaced' };
    const definition = { kind: 'CustomResourceDefinition', metadata: { name: 'foos.example.com' } };
    const ours = { apiVersion: 'apiextensions.k8s.io/v1', ...definition, spec: { ...common, ...v1 } };
    const stored = {
      apiVersion: 'apiextensions.k8s.io/v1beta1',
      ...definition,
      spec: { ...common, ...v1beta1, preserveUnknownFields: false },
    };
    assert.deepEqual(toStoredDefinition(ours as KubeObject), stored);
    assert.deepEqual(fromStoredDefinition(stored as KubeObject), ours);
    assert.equal(toStoredDefinition(stored as KubeObject), stored);
    assert.equal(fromStoredDefinition(ours as KubeObject), ours);
  });

test('a definition of long ago names one version, and keeps what it does not know', () => {
  const spec = { group: 'example.com', version: 'v1', names, scope: 'Cluster' };
  const read = fromStoredDefinition({
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    kind: 'CustomResourceDefinition',
    spec,
  } as KubeObject);
  assert.deepEqual((read as KubeObject & { spec: object }).spec, {
    group: 'example.com',
    names,
    scope: 'Cluster',
    versions: [version('v1')],
    preserveUnknownFields: true,
  });
});
