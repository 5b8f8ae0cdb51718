import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinSchemas, schemaFor } from './builtin-schemas.ts';
import { builtinResources } from './registry-builtin.ts';
import type { Schema } from './schema.ts';

const schemas = builtinSchemas();

/** Every schema in a schema, with the path to it. */
function* within(schema: Schema, path: string): Generator<[string, Schema]> {
  yield [path, schema];
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* within(property, `${path}.${name}`);
  if (schema.items !== undefined) yield* within(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === 'object')
    yield* within(schema.additionalProperties, `${path}{}`);
  for (const one of schema.oneOf ?? []) yield* within(one, path);
}

function property(definition: string, name: string): Schema | undefined {
  return schemas.definition(`io.k8s.api.${definition}`)?.properties?.[name];
}

test('every served kind and its list have a schema', () => {
  for (const { group, version, kind, listKind, verbs } of builtinResources().resources) {
    assert.equal(schemaFor({ group, version, kind })?.type, 'object', `${group}/${version} ${kind}`);
    if (verbs.includes('list'))
      assert.ok(schemaFor({ group, version, kind: listKind }), `${group} ${listKind}`);
  }
  assert.equal(schemaFor({ group: 'apps', version: 'v1', kind: 'Pod' }), undefined);
  assert.equal(
    schemas.nameOf({ group: 'apps', version: 'v1', kind: 'Deployment' }),
    'io.k8s.api.apps.v1.Deployment',
  );
});

test('every reference leads somewhere, nothing is wrapped, and there is no prose', () => {
  let references = 0;
  for (const name of schemas.names) {
    for (const [path, schema] of within(schemas.definition(name) ?? {}, name)) {
      assert.equal(schema.allOf, undefined, path);
      assert.equal('description' in schema, false, path);
      if (schema.$ref === undefined) continue;
      references++;
      assert.ok(schemas.definition(schema.$ref), `${path} refers to ${schema.$ref}`);
    }
  }
  assert.ok(references > 1000);
});

test('lists that merge say by which key', () => {
  const rows: [string, string, string, string[]][] = [
    ['core.v1.PodSpec', 'containers', 'name', ['name']],
    ['core.v1.PodSpec', 'initContainers', 'name', ['name']],
    ['core.v1.PodSpec', 'volumes', 'name', ['name']],
    ['core.v1.PodSpec', 'hostAliases', 'ip', ['ip']],
    ['core.v1.PodSpec', 'topologySpreadConstraints', 'topologyKey', ['topologyKey', 'whenUnsatisfiable']],
    ['core.v1.Container', 'env', 'name', ['name']],
    ['core.v1.Container', 'ports', 'containerPort', ['containerPort', 'protocol']],
    ['core.v1.Container', 'volumeMounts', 'mountPath', ['mountPath']],
    ['core.v1.ServiceSpec', 'ports', 'port', ['port', 'protocol']],
    ['core.v1.PodStatus', 'conditions', 'type', ['type']],
    ['apps.v1.DeploymentStatus', 'conditions', 'type', ['type']],
  ];
  for (const [definition, name, mergeKey, mapKeys] of rows) {
    const schema = property(definition, name);
    assert.equal(schema?.['x-kubernetes-patch-merge-key'], mergeKey, name);
    assert.match(schema['x-kubernetes-patch-strategy'] ?? '', /\bmerge\b/, name);
    assert.equal(schema['x-kubernetes-list-type'], 'map', name);
    assert.deepEqual(schema['x-kubernetes-list-map-keys'], mapKeys, name);
  }
  assert.equal(property('core.v1.PodSpec', 'tolerations')?.['x-kubernetes-list-type'], 'atomic');
  assert.equal(property('core.v1.PodSpec', 'volumes')?.['x-kubernetes-patch-strategy'], 'merge,retainKeys');
  assert.equal(property('apps.v1.DeploymentSpec', 'strategy')?.['x-kubernetes-patch-strategy'], 'retainKeys');
  const selector = schemas.definition('io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector');
  assert.equal(selector?.['x-kubernetes-map-type'], 'atomic');
});

test('defaults stand beside references and in keys, and values of strings are there', () => {
  assert.deepEqual(property('core.v1.Pod', 'spec'), { $ref: 'io.k8s.api.core.v1.PodSpec', default: {} });
  assert.equal(property('core.v1.ContainerPort', 'protocol')?.default, 'TCP');
  assert.deepEqual(property('core.v1.PodSpec', 'restartPolicy')?.enum, ['Always', 'Never', 'OnFailure']);
  assert.deepEqual(schemas.definition('io.k8s.api.core.v1.PodSpec')?.required, ['containers']);
});

test('kinds that belong to every group are found in each', () => {
  const name = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';
  for (const [group, version] of [
    ['', 'v1'],
    ['apps', 'v1'],
    ['storage.k8s.io', 'v1'],
  ] as const)
    assert.equal(schemas.nameOf({ group, version, kind: 'DeleteOptions' }), name);
});
