import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customResourceDefinition } from './custom-resource-definition.ts';
import { defineResource } from './define-resource.ts';
import { definitionsIn } from './definitions-in.ts';
import { fields } from './fields.ts';

const declare = (kind: string, version = 'v1') =>
  defineResource({ group: 'example.com', version, kind, spec: fields.object({}) });
const Foo = declare('Foo');
const Bar = declare('Bar');
const names = (exports: Readonly<Record<string, unknown>>): string[] =>
  definitionsIn(exports, 'kinds.ts').map(
    ({ metadata, spec }) => `${metadata?.name} ${spec.versions.map(({ name }) => name).join(' ')}`,
  );

test('each declared kind has its definition, in a stable order; other exports are left alone', () => {
  assert.deepEqual(names({ Foo, default: Foo, Bar, helper: () => 1, nothing: null, text: 'x' }), [
    'bars.example.com v1',
    'foos.example.com v1',
  ]);
  assert.deepEqual(names({ kinds: [Foo, Bar] }).length, 2);
  assert.deepEqual(names({}), []);
});

test('versions of a kind need a definition that says which one is stored', () => {
  const older = declare('Foo', 'v1beta1');
  assert.throws(() => names({ Foo, older }), {
    code: 'INVALID_DECLARATION',
    message:
      'kinds.ts exports example.com/v1 Foo, example.com/v1beta1 Foo; export customResourceDefinition(stored, …) of them too, the stored version first',
  });
  const definition = customResourceDefinition(Foo, older);
  assert.deepEqual(names({ Foo, older, definition }), ['foos.example.com v1 v1beta1']);
});
