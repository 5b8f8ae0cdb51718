import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schema } from '@windlass/apimachinery';
import { handWrittenDifferences } from './hand-written.ts';
import { staleFiles } from './main.ts';
import { parseDownloads } from './modules.ts';
import { printModules, type TypeFacts } from './typescript.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

function facts(
  definitions: Record<string, Schema>,
  nullable: string[] = [],
  { namespaced = true, verbs = ['get'] } = {},
): TypeFacts {
  const resource = { name: 'jobs', kind: 'Job', singular: 'job', namespaced, verbs };
  return {
    definitions: new Map(Object.entries(definitions)),
    groups: [{ group: 'batch', versions: [{ version: 'v1', resources: [resource] }] }],
    nullable: new Set(nullable),
    descriptions: new Map([
      [
        'io.k8s.api.batch.v1.Job',
        ['Job is work.', { kind: 'A string.', limits: 'How much. Deprecated: no.' }],
      ],
    ]),
  };
}

test('a kind is an interface and, where it is served, a constant', () => {
  const job: Schema = {
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { $ref: `${META}.ObjectMeta` },
      when: { $ref: `${META}.Time` },
      mode: { type: 'string', enum: ['A', "it's"] },
      modes: { type: 'array', items: { type: 'string', enum: ['A'] } },
      limits: { type: 'object', additionalProperties: { type: 'integer' } },
      'x-y': { type: 'boolean' },
      template: { $ref: 'io.k8s.api.core.v1.PodTemplateSpec' },
    },
    required: ['limits', 'when'],
    'x-kubernetes-group-version-kind': [{ group: 'batch', version: 'v1', kind: 'Job' }],
  };
  const printed = printModules(
    facts({ 'io.k8s.api.batch.v1.Job': job }, ['io.k8s.api.batch.v1.Job.template']),
  );
  assert.deepEqual([...printed.keys()], ['batch/v1.ts']);
  assert.equal(
    printed.get('batch/v1.ts'),
    `// Generated from the published Kubernetes API by \`npm run generate\`. Do not edit.
// The descriptions, here shortened, are copyright The Kubernetes Authors, Apache License 2.0.
import type { ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { NamespacedKind } from '../../../served.ts';
import type { PodTemplateSpec } from '../core/v1.ts';
import type { Time } from '../meta/v1.ts';

/** Job is work. */
export interface Job extends NamespacedKind {
  apiVersion?: 'batch/v1';
  kind?: 'Job';
  /**
   * How much.
   *
   * @deprecated no.
   */
  limits: { [key: string]: number };
  metadata?: ObjectMeta;
  mode?: 'A' | 'it\\'s' | (string & {});
  modes?: ('A' | (string & {}))[];
  template?: PodTemplateSpec | null;
  when: Time;
  'x-y'?: boolean;
}
export const Job: ResourceType<Job> = {
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  namespaced: true,
};
`,
  );
});

test('the type of a kind says where its objects live', () => {
  const job: Schema = {
    properties: { metadata: { $ref: `${META}.ObjectMeta` } },
    'x-kubernetes-group-version-kind': [{ group: 'batch', version: 'v1', kind: 'Job' }],
  };
  const rows: [resource: { namespaced: boolean; verbs?: string[] }, scope: string, meta: string][] = [
    [{ namespaced: true }, 'NamespacedKind', 'ObjectMeta'],
    [{ namespaced: false }, 'ClusterKind', 'ClusterObjectMeta'],
    [{ namespaced: false, verbs: ['create'] }, 'UnstoredKind', 'ObjectMeta'],
  ];
  for (const [resource, scope, meta] of rows) {
    const printed = printModules(facts({ 'io.k8s.api.batch.v1.Job': job }, [], resource)).get('batch/v1.ts');
    assert.match(
      printed ?? '',
      new RegExp(`interface Job extends ${scope} {[^}]*\\n  metadata\\?: ${meta};`),
    );
  }
});

test('two types of one name in one module stop the generator', () => {
  const uses = (name: string): Schema => ({ properties: { a: { $ref: name } } });
  const clash = {
    'io.k8s.api.batch.v1.A': uses('io.k8s.api.core.v1.X'),
    'io.k8s.api.batch.v1.B': uses('io.k8s.api.apps.v1.X'),
  };
  assert.throws(() => printModules(facts(clash)), /batch\/v1 would import two types called X/);
});

test('the hand-written types are held to the API', () => {
  const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
    properties,
    required,
  });
  const api = facts({
    [`${META}.ListMeta`]: object({ continue: { type: 'string' } }),
    [`${META}.ManagedFieldsEntry`]: object({
      fieldsV1: { $ref: `${META}.FieldsV1` },
      time: { $ref: `${META}.Time` },
    }),
    [`${META}.ObjectMeta`]: object({ labels: { type: 'object', additionalProperties: { type: 'string' } } }),
    [`${META}.OwnerReference`]: object({ uid: { type: 'string' } }, ['uid']),
  });
  const source = `export interface ListMeta {\n  continue?: string;\n}
export interface ManagedFieldsEntry {\n  fieldsV1?: { [key: string]: JsonValue };\n  time?: string;\n}
export interface ObjectMeta {\n  /** For selectors. */\n  labels?: { [key: string]: string };\n}
export interface OwnerReference {\n  uid: string;\n}\n`;
  assert.deepEqual(handWrittenDifferences(source, api), []);
  assert.deepEqual(
    handWrittenDifferences(source.replace('uid:', 'uid?:').replace('  time?: string;\n', ''), api),
    [
      'ManagedFieldsEntry: "time?: string;" is missing',
      'OwnerReference: "uid: string;" is missing',
      'OwnerReference: "uid?: string;" is not in the API',
    ],
  );
});

test('the check names files that are missing, stale or left over', () => {
  const wanted = new Map([
    ['a', '1'],
    ['b', '2'],
    ['c', '3'],
  ]);
  const present = new Map([
    ['b', 'x'],
    ['c', '3'],
    ['d', '4'],
  ]);
  assert.deepEqual(staleFiles(wanted, present), ['a', 'b', 'd']);
});

test('the module client prints objects one after another', () => {
  const output = '{\n\t"Path": "a",\n\t"Dir": "/a"\n}\n{\n\t"Path": "b",\n\t"Error": "no"\n}\n';
  assert.deepEqual(
    parseDownloads(output).map((module) => module.Path),
    ['a', 'b'],
  );
});
