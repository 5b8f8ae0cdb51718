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
import type { JsonValue, KubeList, NamespacedKind, ObjectMeta, ResourceType } from '@windlass/apimachinery';

/**
 * A foo.
 * With two lines.
 */
export interface Foo extends NamespacedKind {
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
  mode?: 'a' | "it's";
  /** Its name. *\\/ alert() */
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
  assert.match(text, /interface Foo extends ClusterKind \{[^}]*\n {2}metadata\?: ClusterObjectMeta;/);
  assert.match(text, /export function fooClient\(client: Client\): ClientFor<Foo>/);
  assert.match(text, /export function fooInformer\(/);
  assert.match(text, /export function fooLister\(/);
});

test('what a field says is not said again with its type, but what items say is', () => {
  const item: JSONSchemaProps = {
    type: 'object',
    description: 'One.',
    properties: { a: { type: 'string' } },
  };
  const text = generate({
    type: 'object',
    properties: { one: item, all: { type: 'array', description: 'All.', items: item } },
  });
  assert.equal(text.match(/One\./g)?.length, 2);
  assert.match(text, /\/\*\* One\. \*\/\n {2}one\?: FooOne;/);
  assert.match(text, /\/\*\* One\. \*\/\nexport interface FooAllItem \{/);
});

const odd: readonly [string, JSONSchemaProps, RegExp][] = [
  [
    'what has a default may be left out',
    { properties: { a: { type: 'string', default: 'x' } }, required: ['a'] },
    /@default "x" \*\/\n {2}a\?: string;/,
  ],
  [
    'a field of any name',
    { properties: { "it's a; name": { type: 'boolean' } } },
    /\n {2}"it's a; name"\?: boolean;/,
  ],
  [
    'null is said once',
    { properties: { a: { type: 'string', enum: ['x', null], nullable: true } } },
    /a\?: 'x' \| null;/,
  ],
  [
    'an object without fields',
    { properties: { a: { type: 'object' } } },
    /a\?: \{ \[key: string\]: never \};/,
  ],
  [
    'an open object',
    {
      properties: {
        a: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { b: { type: 'string' } },
        },
      },
    },
    /interface FooA \{\n {2}b\?: string;\n {2}\[key: string\]: unknown;\n\}/,
  ],
  [
    'any object of the API',
    {
      properties: {
        a: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
    /interface FooA \{\n {2}apiVersion: string;\n {2}kind: string;\n {2}metadata\?: ObjectMeta;\n {2}\[key/,
  ],
  [
    'names that would meet',
    { properties: { list: { type: 'object', properties: { a: { type: 'string' } } } } },
    /list\?: FooList2;[\s\S]*interface FooList2/,
  ],
  [
    'a long choice has a name',
    { properties: { a: { type: 'string', enum: Array.from({ length: 20 }, (_, at) => `choice${at}`) } } },
    /a\?: FooA;[\s\S]*export type FooA =\n {2}\| 'choice0'\n/,
  ],
  [
    'a description brings no tags of its own',
    { properties: { a: { type: 'integer', minimum: 1, description: 'One.\n @internal two@three' } } },
    /\/\*\*\n {3}\* One\.\n {3}\* {2}\\@internal two@three\n {3}\* @minimum 1\n/,
  ],
  [
    'what the server checks is said',
    { properties: { a: { type: 'integer', minimum: 1, description: 'How many.' } } },
    /\/\*\*\n {3}\* How many\.\n {3}\* @minimum 1\n/,
  ],
];
for (const [what, schema, expected] of odd)
  test(what, () => assert.match(generate({ type: 'object', ...schema }), expected));

test('a kind may have the name of what the module imports, or none that TypeScript takes', () => {
  const named = (kind: string): string =>
    generateModules([definition({ type: 'object' }, { names: { kind, plural: 'foos' } })])[0]?.text ?? '';
  const meta = named('ObjectMeta');
  assert.match(meta, /ObjectMeta as WindlassObjectMeta/);
  assert.match(
    meta,
    /export interface ObjectMeta extends NamespacedKind \{[\s\S]*metadata\?: WindlassObjectMeta;/,
  );
  assert.match(
    named('my-kind'),
    /export interface MyKind extends NamespacedKind \{\n {2}apiVersion\?: 'example.com\/v1';\n {2}kind\?: 'my-kind';/,
  );
});
