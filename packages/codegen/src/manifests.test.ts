import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateModules } from './generate/resource-module.ts';
import { definitionFileName, definitionsYaml, parseDefinitions } from './manifests.ts';

const good = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: foos.example.com
spec:
  group: example.com
  names:
    kind: Foo
    plural: foos
  scope: Namespaced
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        properties:
          spec:
            type: object
        type: object
    served: true
    storage: true
`;

test('definitions are found among other manifests, and written as they were', () => {
  const found = parseDefinitions(`kind: ConfigMap\n---\n${good}---\n${good}`);
  assert.equal(found.length, 2);
  assert.equal(definitionsYaml(found.slice(1)), good);
  assert.deepEqual(found.map(definitionFileName), Array(2).fill('example.com_foos.yaml'));
});

test('what a cluster lists is read', () => {
  const list = JSON.stringify({ kind: 'List', items: [{ kind: 'Pod' }, ...parseDefinitions(good)] });
  assert.deepEqual(parseDefinitions(list), parseDefinitions(good));
});

const bad: readonly [string, string, RegExp][] = [
  ['no YAML', 'a: b: c', /^x\.yaml: yaml: line 1, column \d+: .*; it must be YAML or JSON$/],
  [
    'an old version',
    good.replace('/v1', '/v1beta1'),
    /^x\.yaml, apiVersion: it is "apiextensions\.k8s\.io\/v1beta1", but only/,
  ],
  ['no group', good.replace('  group: example.com\n', ''), /^x\.yaml, spec\.group: it is missing$/],
  [
    'a group that is no text',
    good.replace('group: example.com', 'group: 3'),
    /^x\.yaml, spec\.group: it must be a text, but it is 3$/,
  ],
  ['no names', good.replace('names:', 'nomes:'), /^x\.yaml, spec\.names: it is missing$/],
  [
    'a scope of its own',
    good.replace('Namespaced', 'Galaxy'),
    /^x\.yaml, spec\.scope: it is "Galaxy"; write Namespaced or Cluster$/,
  ],
  [
    'no versions',
    good.replace(/versions:[\s\S]*/, 'versions: []\n'),
    /^x\.yaml, spec\.versions: it has no versions/,
  ],
  [
    'the second document',
    `kind: Pod\n---\n${good.replace('spec:\n            type: object', 'spec:\n            type: map')}`,
    /^x\.yaml, document 2, spec\.versions\[0\]\.schema\.openAPIV3Schema\.properties\[spec\]\.type: it is "map"; write one of object, array/,
  ],
  [
    'a reference',
    good.replace('spec:\n            type: object', "spec:\n            $ref: '#/a'"),
    /properties\[spec\]\.\$ref: API servers take no references in a definition; write the schema itself here$/,
  ],
  [
    'a property that is no schema',
    good.replace('spec:\n            type: object', 'spec: yes'),
    /properties\[spec\]: it must be a schema, but it is true$/,
  ],
  [
    'an item of a list',
    JSON.stringify({
      items: [{}, { kind: 'CustomResourceDefinition', apiVersion: 'apiextensions.k8s.io/v1' }],
    }),
    /^x\.yaml, items\[1\], spec: it is missing$/,
  ],
];
for (const [what, text, message] of bad) {
  test(`${what} is refused: where, and what to do`, () =>
    assert.throws(() => parseDefinitions(text, 'x.yaml'), { code: 'INVALID_DEFINITION', message }));
}

test('what is given to the generator must be definitions', () => {
  for (const [value, message] of [
    [{ kind: 'Pod' }, /^the definition: it is of kind Pod, and no CustomResourceDefinition$/],
    [null, /^the definition: it is null, and no/],
    [[], /^the definition: it is a list, and no/],
  ] as const)
    assert.throws(() => generateModules([value as never]), { code: 'INVALID_DEFINITION', message });
});
