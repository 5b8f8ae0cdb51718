import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CustomResourceDefinition, JSONSchemaProps } from '@windlass/apimachinery/api/apiextensions/v1';
import { generateModules } from './resource-module.ts';

const definition = (
  schema: JSONSchemaProps,
  more: Partial<CustomResourceDefinition['spec']> = {},
): CustomResourceDefinition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'foos.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Foo', plural: 'foos' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    ...more,
  },
});

const generate = (schema: JSONSchemaProps): string =>
  generateModules([definition(schema)], { accessors: false })[0]?.text ?? '';

test('a definition becomes types, and a constant for clients', () => {
  const text = generate({
    type: 'object',
    description: 'A foo.\nWith two lines.',
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', description: 'Its name. */ alert()' },
          replicas: { type: 'integer' },
          mode: { type: 'string', enum: ['a', "it's"] },
          rules: {
            type: 'array',
            items: { type: 'object', properties: { port: { 'x-kubernetes-int-or-string': true } } },
          },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          maybe: { type: 'string', nullable: true },
          'odd-name': { type: 'boolean' },
          things: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } },
        },
      },
      status: { type: 'object', properties: { ready: { type: 'boolean' } } },
    },
  });
  assert.equal(
    text,
    `// Generated from the CustomResourceDefinition foos.example.com. Do not edit.
import type { JsonValue, KubeList, ObjectMeta, ResourceType } from '@windlass/apimachinery';

/**
 * A foo.
 * With two lines.
 */
export interface Foo {
  apiVersion?: 'example.com/v1';
  kind?: 'Foo';
  metadata?: ObjectMeta;
  spec: FooSpec;
  status?: FooStatus;
}

/** Where it is served: for clients and informers. */
export const Foo: ResourceType<Foo> = {
  group: 'example.com',
  version: 'v1',
  kind: 'Foo',
  plural: 'foos',
  namespaced: true,
};

export interface FooList extends KubeList<Foo> {
  apiVersion?: 'example.com/v1';
  kind?: 'FooList';
}

export interface FooSpec {
  free?: { [key: string]: JsonValue };
  labels?: { [key: string]: string };
  maybe?: string | null;
  mode?: 'a' | 'it\\'s';
  /** Its name. *\u200b/ alert() */
  name: string;
  'odd-name'?: boolean;
  replicas?: number;
  rules?: FooSpecRule[];
  things?: ('x' | 'y')[];
}

export interface FooSpecRule {
  port?: number | string;
}

export interface FooStatus {
  ready?: boolean;
}
`,
  );
});

test('each served version has a module, with clients, informers and listers', () => {
  const modules = generateModules([
    definition(
      {},
      {
        scope: 'Cluster',
        versions: [
          { name: 'v2', served: true, storage: true },
          { name: 'v1', served: true, storage: false },
          { name: 'v1beta1', served: false, storage: false },
        ],
      },
    ),
  ]);
  assert.deepEqual(
    modules.map(({ path }) => path),
    ['example.com/v1/foo.ts', 'example.com/v2/foo.ts'],
  );
  const [{ text } = { text: '' }] = modules;
  assert.match(text, /namespaced: false/);
  assert.match(text, /export function fooClient\(client: Client\): ResourceClient<Foo>/);
  assert.match(text, /export function fooInformer\(/);
  assert.match(text, /export function fooLister\(/);
});

test('what is no definition is refused, with what it is', () => {
  const bad = [
    [{ kind: 'Pod', metadata: { name: 'p' } }, /^Pod p is no CustomResourceDefinition/],
    [
      { kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.k8s.io/v1beta1' },
      /only apiextensions.k8s.io\/v1/,
    ],
    [
      { kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.k8s.io/v1', spec: {} },
      /has no versions/,
    ],
    [null, /^object without a name is no/],
  ] as const;
  for (const [value, message] of bad)
    assert.throws(() => generateModules([value as never]), { code: 'INVALID_DEFINITION', message });
});
