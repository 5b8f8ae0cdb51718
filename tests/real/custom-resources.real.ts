// Custom resources in our API server against those in a real one: the same definitions and objects go to both.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiResponse, Schema, Transport } from '@windlass/apimachinery';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import * as fc from 'fast-check';
import { type Answer, JsonApi } from './support/json-api.ts';

const RUNS = 150;
const group = 'custom.windlass.test';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = `/apis/${group}/v1/namespaces/default/things`;

const schema: Schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      'x-kubernetes-validations': [
        { rule: '!has(self.color) || self.size < 8', message: 'large things have no color' },
        {
          rule: '!has(self.list) || self.list.sum() < 100',
          fieldPath: '.list',
          reason: 'FieldValueForbidden',
        },
      ],
      properties: {
        size: { type: 'integer', format: 'int32', minimum: 0, maximum: 10, multipleOf: 2 },
        color: { type: 'string', enum: ['red', 'green'] },
        name: { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
        when: { type: 'string', format: 'date-time' },
        address: { type: 'string', format: 'ipv4' },
        either: { 'x-kubernetes-int-or-string': true },
        maybe: { type: 'string', nullable: true },
        given: { type: 'string', default: 'x' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        list: { type: 'array', items: { type: 'integer' }, maxItems: 3, minItems: 1 },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        map: {
          type: 'object',
          additionalProperties: { type: 'number', exclusiveMaximum: true, maximum: 5 },
          minProperties: 1,
          maxProperties: 2,
        },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, port: { type: 'integer', default: 80 } },
          },
        },
        one: {
          type: 'object',
          properties: { a: { type: 'string' }, b: { type: 'string' } },
          oneOf: [{ required: ['a'] }, { required: ['b'] }],
        },
        any: { type: 'integer', anyOf: [{ minimum: 5 }, { maximum: 1 }], not: { enum: [7] } },
      },
    },
  },
};

let real: JsonApi;
let ours: RunningCluster;
let transport: Transport;

const crd = (plural: string, spec: object = {}, version: object = {}): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind: 'Thing', plural },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
    ...spec,
  },
});

before(async () => {
  real = await JsonApi.open();
  ours = await startCluster({});
  transport = ours.transport();
  const body = crd('things');
  const theirs = await real.post(definitions, body);
  assert.ok(theirs.status === 201 || theirs.status === 409, JSON.stringify(theirs.body));
  assert.equal((await post(definitions, body)).status, 201);
  for (const get of [() => real.get(things), () => transport.request({ method: 'GET', path: things })]) {
    let answer: { readonly status: number };
    do answer = await get();
    while (answer.status === 404);
    assert.equal(answer.status, 200);
  }
});

after(async () => {
  real?.[Symbol.dispose]();
  await ours?.stop();
});

function post(path: string, body: unknown): Promise<ApiResponse> {
  return transport
    .request({ method: 'POST', path, body, query: { dryRun: 'All' } })
    .then((answer) =>
      path === definitions && answer.status === 201
        ? transport.request({ method: 'POST', path, body })
        : answer,
    );
}

/** Texts of the rules' compiler are each engine's own, and Go prints its structs as they are in memory. */
const OWN_TEXT = /compilation failed|^Invalid value: [[{]+"Name"|^Invalid value: \[\{"name"/;

/** What both must agree on. */
function outcome({ status, body }: Answer | ApiResponse): unknown {
  const { reason, details, spec } = body as {
    reason?: string;
    spec?: unknown;
    details?: { causes?: { reason?: string; field?: string; message?: string }[] };
  };
  if (status < 300) return { status, spec };
  const causes = (details?.causes ?? []).map(({ reason: why = '', field = '', message = '' }) =>
    OWN_TEXT.test(message) ? `${why} ${field}` : `${why} ${field}: ${message}`,
  );
  return { status, reason, causes: causes.toSorted() };
}

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 6, arbitrary: value },
    { weight: 1, arbitrary: fc.constantFrom(null, 'text', 3, 1.5, true, [], {}) },
  );

const full = fc.record(
  {
    size: maybe(fc.integer({ min: -1, max: 12 })),
    color: maybe(fc.constantFrom('red', 'green', 'blue')),
    name: maybe(fc.constantFrom('a', 'ab', 'abc', 'abcde', 'A1', 'é')),
    when: maybe(fc.constantFrom('2020-01-01T00:00:00Z', '2020-13-01T00:00:00Z', 'now')),
    address: maybe(fc.constantFrom('1.2.3.4', '1.2.3', '::1')),
    either: maybe(fc.constantFrom(1, 'x')),
    maybe: maybe(fc.constantFrom(null, 'x')),
    given: maybe(fc.constantFrom('y', null)),
    free: maybe(fc.constant({ any: [{ thing: null }] })),
    list: maybe(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 4 })),
    set: maybe(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 })),
    map: maybe(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(1, 2.5, 5, 6))),
    ports: maybe(
      fc.array(
        fc.record({ name: fc.constantFrom('a', 'b'), port: fc.constantFrom(1, 2) }, { requiredKeys: [] }),
        {
          maxLength: 3,
        },
      ),
    ),
    one: maybe(fc.record({ a: fc.constant('1'), b: fc.constant('2') }, { requiredKeys: [] })),
    any: maybe(fc.integer({ min: 0, max: 8 })),
    unknown: fc.constant({ a: 1 }),
  },
  { requiredKeys: ['size'] },
);

/** A few fields at a time, or hardly anything would be accepted. */
const specs = fc
  .tuple(full, fc.integer({ min: 0, max: 15 }), fc.integer({ min: 0, max: 3 }))
  .map(([spec, from, count]) => {
    const names = Object.keys(spec).filter((name) => name !== 'size');
    const kept = new Set([...names, ...names].slice(from % Math.max(1, names.length)).slice(0, count));
    return Object.fromEntries(Object.entries(spec).filter(([name]) => name === 'size' || kept.has(name)));
  });

describe('objects of a custom resource', () => {
  it('are accepted, completed and refused as by a real server', async () => {
    const seen = { accepted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(specs, async (spec) => {
        const body = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'a' }, spec };
        const theirs = await real.post(things, body, { query: { dryRun: 'All' } });
        assert.deepEqual(outcome(await post(things, body)), outcome(theirs));
        seen[theirs.status < 300 ? 'accepted' : 'refused']++;
      }),
      { numRuns: RUNS },
    );
    assert.ok(seen.accepted > 0 && seen.refused > 0, JSON.stringify(seen));
  });
});

describe('definitions', () => {
  const withSchema = (openAPIV3Schema: object): object => crd('others', {}, { schema: { openAPIV3Schema } });
  const cases: [name: string, body: object][] = [
    ['another name', { ...crd('others'), metadata: { name: 'x.y' } }],
    ['an unknown scope', crd('others', { scope: 'World' })],
    ['a group without a dot', { ...crd('others', { group: 'x' }), metadata: { name: 'others.x' } }],
    ['no storage version', crd('others', {}, { storage: false })],
    ['no schema', crd('others', {}, { schema: undefined })],
    ['a name in capitals', crd('others', { names: { kind: 'Thing', plural: 'others', shortNames: ['OT'] } })],
    ['a field without type', withSchema({ type: 'object', properties: { a: {} } })],
    ['a root that is no object', withSchema({ type: 'string' })],
    [
      'unique items',
      withSchema({
        type: 'object',
        properties: { a: { type: 'array', uniqueItems: true, items: { type: 'string' } } },
      }),
    ],
    [
      'a type within anyOf',
      withSchema({ type: 'object', properties: { a: { type: 'string', anyOf: [{ type: 'string' }] } } }),
    ],
    [
      'a field only in anyOf',
      withSchema({ type: 'object', anyOf: [{ properties: { a: { minLength: 1 } } }] }),
    ],
    [
      'a map with properties',
      withSchema({
        type: 'object',
        properties: {
          a: {
            type: 'object',
            properties: { b: { type: 'string' } },
            additionalProperties: { type: 'string' },
          },
        },
      }),
    ],
    ['a wrong default', withSchema({ type: 'object', properties: { a: { type: 'integer', default: 'x' } } })],
    [
      'a default with unknown fields',
      withSchema({
        type: 'object',
        properties: { a: { type: 'object', properties: { b: { type: 'string' } }, default: { c: 1 } } },
      }),
    ],
    [
      'keys that are no fields',
      withSchema({
        type: 'object',
        properties: {
          a: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['x'],
            items: { type: 'object', properties: {} },
          },
        },
      }),
    ],
    [
      'keys that may be missing',
      withSchema({
        type: 'object',
        properties: {
          a: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['x'],
            items: { type: 'object', properties: { x: { type: 'string' } } },
          },
        },
      }),
    ],
    [
      'a set of granular maps',
      withSchema({
        type: 'object',
        properties: { a: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } } },
      }),
    ],
    [
      'metadata that is described',
      withSchema({
        type: 'object',
        properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } },
      }),
    ],
    [
      'a rule about nothing',
      withSchema({ type: 'object', 'x-kubernetes-validations': [{ rule: 'self.nope == 1' }] }),
    ],
    ['a rule without text', withSchema({ type: 'object', 'x-kubernetes-validations': [{ rule: ' ' }] })],
    [
      'a column without a path',
      crd('others', {}, { additionalPrinterColumns: [{ name: 'A', type: 'text', jsonPath: '' }] }),
    ],
    [
      'a scale elsewhere',
      crd(
        'others',
        {},
        { subresources: { scale: { specReplicasPath: '.status.a', statusReplicasPath: 'x' } } },
      ),
    ],
    [
      'a selectable list',
      crd('others', {}, { selectableFields: [{ jsonPath: '.spec.list' }, { jsonPath: '.nope' }] }),
    ],
    ['a conversion without a webhook', crd('others', { conversion: { strategy: 'Webhook' } })],
    ['a deprecation of what is not deprecated', crd('others', {}, { deprecationWarning: 'old' })],
  ];
  for (const [name, body] of cases) {
    it(`are refused as by a real server with ${name}`, async () => {
      const theirs = await real.post(definitions, body, { query: { dryRun: 'All' } });
      assert.ok(theirs.status >= 400, JSON.stringify(theirs.body));
      assert.deepEqual(outcome(await post(definitions, body)), outcome(theirs));
    });
  }
});
