// What the types of declared kinds promise to readers and ask of writers, checked by the compiler: a line marked
// `@ts-expect-error` that compiles is a failure of the type check.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cached, deepCopy, type Served } from '@windlass/apimachinery';
import { served } from '@windlass/apimachinery/testing';
import { defineResource, type ObjectOfKind } from './define-resource.ts';
import { fields } from './fields.ts';

const Site = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Site',
  spec: fields.object({
    host: fields.string(),
    replicas: fields.integer({ default: 1 }),
    title: fields.optional(fields.string()),
    ports: fields.array(
      fields.object({ port: fields.integer(), protocol: fields.string({ default: 'TCP' }) }),
    ),
    limits: fields.object({ cpu: fields.integer({ default: 2 }) }, { default: {} }),
    byZone: fields.optional(fields.map(fields.object({ weight: fields.number({ default: 1 }) }))),
    note: fields.optional(fields.nullable(fields.string({ default: '' }))),
  }),
  status: fields.object({ ready: fields.boolean({ default: false }) }),
});
type Site = ObjectOfKind<typeof Site>;

const Plain = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Plain',
  namespaced: false,
  spec: fields.object({ host: fields.string() }),
});
type Plain = ObjectOfKind<typeof Plain>;

const FILLED = {
  host: 'a',
  replicas: 1,
  ports: [{ port: 80, protocol: 'TCP' }],
  limits: { cpu: 2 },
  byZone: { x: { weight: 1 } },
  note: null,
};

/** Each is a part of the other, and neither is `any`. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? (0 extends 1 & A ? false : true) : false) : false;

test('a writer may leave out what has a default', () => {
  const site: Site = { spec: { host: 'a', ports: [{ port: 80 }] } };
  // @ts-expect-error: the host has no default
  const without: Site = { spec: { ports: [] } };
  assert.deepEqual([site.spec.replicas, without.spec.limits], [undefined, undefined]);
});

test('a reader finds what has a default', () => {
  const read = (site: Served<Site>): (number | string)[] => [
    site.spec.replicas,
    site.spec.limits.cpu,
    ...site.spec.ports.map(({ protocol }) => protocol),
    // @ts-expect-error: a title has no default
    site.spec.title.length,
  ];
  const readCached = (site: Cached<Site>): (number | string)[] => {
    const found: (number | string)[] = [site.spec.replicas, site.spec.limits.cpu];
    for (const { protocol } of site.spec.ports) found.push(protocol);
    found.push(site.spec.ports[0]?.protocol ?? '', site.spec.byZone?.['x']?.weight ?? 0);
    return found;
  };
  const types: readonly [
    Same<Served<Site>['spec']['replicas'], number>,
    Same<Served<Site>['spec']['note'], string | null>,
    Same<Cached<Site>['spec']['title'], string | undefined>,
    Same<NonNullable<Cached<Site>['status']>['ready'], boolean>,
    Same<Served<Plain>['spec'], { host: string }>,
  ] = [true, true, true, true, true];
  const site: Served<Site> = {
    metadata: served(Site, { spec: { host: '', ports: [] } }).metadata,
    spec: FILLED,
  };
  assert.deepEqual(readCached(site), [1, 2, 'TCP', 'TCP', 1]);
  assert.throws(() => read(site), TypeError);
  assert.equal(types.length, 5);
  // @ts-expect-error: what a server gives has its defaults
  const lacking: Served<Site> = { metadata: site.metadata, spec: { host: 'a', ports: [] } };
  assert.equal(lacking.spec.replicas, undefined);
});

test('what was read can be written, and a copy of it keeps what it has', () => {
  const cached: Cached<Site> = served(Site, { spec: FILLED });
  const copy = deepCopy(cached);
  const written: Site = copy;
  const again: Served<Site> = copy;
  const cpus: number = copy.spec.limits.cpu;
  const names: string[] = copy.spec.ports.map(({ protocol }) => protocol);
  copy.spec.replicas = 3;
  assert.deepEqual([written.spec.replicas, again.spec.replicas, cpus, names], [3, 3, 2, ['TCP']]);
  assert.equal(cached.spec.replicas, 1);
});

test('a declared kind says where it lives', () => {
  const site: Served<Site> = served(Site, { metadata: { name: 's' }, spec: FILLED });
  const namespace: string = site.metadata.namespace;
  const plain: Served<Plain> = served(Plain, { metadata: { name: 'p' }, spec: { host: 'a' } });
  // @ts-expect-error: it lives in no namespace
  const none: string = plain.metadata.namespace;
  // @ts-expect-error: it lives in no namespace
  const misplaced: Plain = { metadata: { namespace: 'a' }, spec: { host: 'a' } };
  assert.deepEqual([namespace, none, misplaced.metadata?.namespace], ['default', undefined, 'a']);
});
