import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResourceType } from '@windlass/apimachinery';
import { definitionsYaml, parseDefinitions } from '../manifests.ts';
import { customResourceDefinition } from './custom-resource-definition.ts';
import { defineResource, type ObjectOfKind } from './define-resource.ts';
import { fields } from './fields.ts';

const Backup = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Backup',
  shortNames: ['bk'],
  description: 'Takes snapshots.',
  spec: fields.object({
    schedule: fields.string({ pattern: '^\\S+$', description: 'When.' }),
    keep: fields.integer({ minimum: 1, maximum: 100, default: 3 }),
    mode: fields.enum(['full', 'delta']),
    targets: fields.array(
      fields.object({ name: fields.string(), size: fields.optional(fields.quantity()) }),
      {
        mapKeys: ['name'],
        minItems: 1,
      },
    ),
    labels: fields.optional(fields.map(fields.string())),
    port: fields.optional(fields.intOrString()),
    extra: fields.optional(fields.any()),
    until: fields.optional(fields.nullable(fields.time())),
  }),
  status: fields.object({
    taken: fields.optional(fields.integer()),
    conditions: fields.conditions(),
  }),
  columns: [{ name: 'Schedule', type: 'string', jsonPath: '.spec.schedule' }],
  scale: { specReplicasPath: '.spec.keep', statusReplicasPath: '.status.taken' },
  selectableFields: ['.spec.mode'],
});
type Backup = ObjectOfKind<typeof Backup>;

/** Each is a part of the other, and neither is `any`. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? (0 extends 1 & A ? false : true) : false) : false;

test('one declaration gives the type', () => {
  const types: readonly [
    Same<Backup['spec']['keep'], number | undefined>,
    Same<Backup['spec']['mode'], 'full' | 'delta'>,
    Same<Backup['spec']['schedule'], string>,
    Same<NonNullable<Backup['spec']['labels']>, Record<string, string>>,
    Same<Backup['spec']['until'], string | null | undefined>,
    Same<Backup['spec']['port'], string | number | undefined>,
    Same<NonNullable<Backup['status']>['taken'], number | undefined>,
  ] = [true, true, true, true, true, true, true];
  const good: Backup = { spec: { schedule: '@daily', mode: 'full', targets: [{ name: 'a', size: '1Gi' }] } };
  // @ts-expect-error the mode is none of those
  const bad: Backup = { spec: { schedule: '@daily', mode: 'half', targets: [] } };
  // @ts-expect-error a schedule is needed
  const less: Backup = { spec: { mode: 'full', targets: [] } };
  const type: ResourceType<Backup> = Backup;
  assert.equal(type.plural, 'backups');
  assert.ok(good !== bad && bad !== less && types.length > 0);
});

test('and the definition, with validation, columns and subresources', () => {
  const { metadata, spec } = customResourceDefinition(Backup);
  assert.equal(metadata?.name, 'backups.example.com');
  assert.deepEqual(spec.names, {
    kind: 'Backup',
    listKind: 'BackupList',
    plural: 'backups',
    singular: 'backup',
    shortNames: ['bk'],
  });
  const [version] = spec.versions;
  assert.deepEqual(version?.subresources, {
    status: {},
    scale: { specReplicasPath: '.spec.keep', statusReplicasPath: '.status.taken' },
  });
  assert.deepEqual(version?.selectableFields, [{ jsonPath: '.spec.mode' }]);
  const schema = version?.schema?.openAPIV3Schema?.properties?.['spec'];
  assert.deepEqual(schema?.required, ['schedule', 'mode', 'targets']);
  assert.deepEqual(schema?.properties?.['keep'], {
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: 100,
    default: 3,
  });
  assert.deepEqual(schema?.properties?.['mode'], { type: 'string', enum: ['full', 'delta'] });
  assert.equal(schema?.properties?.['targets']?.['x-kubernetes-list-type'], 'map');
  assert.equal(schema?.properties?.['until']?.nullable, true);
});

test('what is written as YAML is read again', () => {
  const definition = customResourceDefinition(Backup);
  assert.deepEqual(parseDefinitions(definitionsYaml([definition, definition])), [definition, definition]);
  assert.deepEqual(parseDefinitions('kind: ConfigMap\n---\n'), []);
  const list = JSON.stringify({ kind: 'List', items: [definition, { kind: 'Pod' }] });
  assert.equal(parseDefinitions(list).length, 1);
});

test('several versions: the first is stored', () => {
  const old = defineResource({
    group: 'example.com',
    version: 'v1beta1',
    kind: 'Backup',
    spec: fields.object({}),
  });
  const { spec } = customResourceDefinition(Backup, old);
  assert.deepEqual(
    spec.versions.map(({ name, storage }) => [name, storage]),
    [
      ['v1', true],
      ['v1beta1', false],
    ],
  );
  const other = defineResource({
    group: 'example.org',
    version: 'v1',
    kind: 'Backup',
    spec: fields.object({}),
  });
  assert.throws(
    () => customResourceDefinition(Backup, other),
    /example.org\/v1 Backup is no version of example.com/,
  );
});

const base = { group: 'example.com', version: 'v1', kind: 'Foo', spec: fields.object({}) };
const bad: readonly [string, () => unknown, RegExp][] = [
  ['an enum that may be null', () => fields.nullable(fields.enum(['a'])), /^an enum cannot be nullable: /],
  ['a group without a dot', () => defineResource({ ...base, group: 'example' }), /^group must be a domain/],
  [
    'a bad version',
    () => defineResource({ ...base, version: '1' }),
    /^version must be a version, such as v1/,
  ],
  ['a bad kind', () => defineResource({ ...base, kind: 'foo' }), /^kind must be a name in CamelCase/],
  ['a bad plural', () => defineResource({ ...base, plural: 'Foos' }), /^plural must be lower-case/],
  [
    'a default of what is required',
    () =>
      defineResource({
        ...base,
        spec: fields.raw({
          type: 'object',
          required: ['a'],
          properties: { a: { type: 'string', default: 'x' } },
        }),
      }),
    /^Foo\.spec\.a has a default, so it must be optional/,
  ],
  [
    'bounds that nothing fits',
    () =>
      defineResource({ ...base, spec: fields.object({ a: fields.string({ minLength: 3, maxLength: 2 }) }) }),
    /^Foo\.spec\.a has minLength 3 above maxLength 2: nothing fits/,
  ],
  [
    'a column of a field that is not there',
    () => defineResource({ ...base, columns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }] }),
    /^Foo: column "Size" has the path \.spec\.size, but \.spec has no field size; it has no fields/,
  ],
  [
    'a path without its dot',
    () => defineResource({ ...base, selectableFields: ['spec.size'] }),
    /^Foo: a selectable field has the path "spec\.size"; it must begin with a dot/,
  ],
  [
    'a scale of nothing',
    () =>
      defineResource({
        ...base,
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      }),
    /^Foo: scale has the path \.spec\.replicas, but \.spec has no field replicas/,
  ],
  [
    'a bad short name',
    () => defineResource({ ...base, shortNames: ['F'] }),
    /^a short name must be lower-case/,
  ],
  [
    'a default out of range',
    () =>
      defineResource({
        ...base,
        spec: fields.object({ a: fields.optional(fields.integer({ maximum: 1, default: 2 })) }),
      }),
    /^Foo\.spec\.a has the default 2, which its own rules refuse/,
  ],
  [
    'a list told apart by what may be missing',
    () =>
      defineResource({
        ...base,
        spec: fields.object({
          list: fields.array(fields.object({ name: fields.optional(fields.string()) }), {
            mapKeys: ['name'],
          }),
        }),
      }),
    /^Foo\.spec\.list is told apart by name, which its items must always have/,
  ],
];
for (const [what, declare, message] of bad) {
  test(`${what} is refused, and named`, () =>
    assert.throws(declare, { code: 'INVALID_DECLARATION', message }));
}
