import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtin } from './builtin.ts';

test('references are written out, and what only the built-in kind knows is left to it', () => {
  const { schema } = builtin('io.k8s.api.core.v1.PodTemplateSpec');
  const text = JSON.stringify(schema);
  assert.doesNotMatch(text, /\$ref|"enum"|x-kubernetes-patch|"default":\{\}/);
  const spec = schema.properties?.['spec'];
  assert.deepEqual(spec?.required, ['containers']);
  const containers = spec?.properties?.['containers'];
  assert.deepEqual(containers?.['x-kubernetes-list-map-keys'], ['name']);
});

test('a key of a list that may be left out keeps its default', () => {
  const { schema } = builtin('io.k8s.api.core.v1.Container');
  const { items } = schema.properties?.['ports'] ?? {};
  assert.ok(items !== undefined && !Array.isArray(items));
  assert.deepEqual(items.properties?.['protocol'], { type: 'string', default: 'TCP' });
  assert.deepEqual(items.properties?.['containerPort'], { type: 'integer', format: 'int32' });
});

for (const [name, message] of [
  [
    'v1.PodTemplateSpec',
    /^there is no built-in "v1\.PodTemplateSpec"; there is io\.k8s\.api\.core\.v1\.PodTemplateSpec$/,
  ],
  ['Gadget', /^there is no built-in "Gadget"; names are such as/],
  [
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
    /holds itself, which no API server takes/,
  ],
] as const)
  test(`${name} is refused`, () =>
    assert.throws(() => builtin(name), { code: 'INVALID_DECLARATION', message }));
