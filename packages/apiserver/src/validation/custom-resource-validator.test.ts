// What the validator says, beside what a server answers: for many objects, right and wrong.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type KubeObject, StatusError } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { SeededRandom } from '@windlass/base';
import { runAlone, testSeed } from '@windlass/base/testing';
import { type Client, createClient } from '@windlass/client';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { CustomResourceValidator } from './index.ts';

const DEFINITION: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.tests.example.com' },
  spec: {
    group: 'tests.example.com',
    scope: 'Namespaced',
    names: { kind: 'Gadget', listKind: 'GadgetList', plural: 'gadgets', singular: 'gadget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                'x-kubernetes-validations': [
                  { rule: 'self.size <= self.limit', message: 'size must not exceed limit' },
                  { rule: 'self.size >= oldSelf.size', message: 'size may only grow' },
                ],
                properties: {
                  size: { type: 'integer', minimum: 0, maximum: 100 },
                  limit: { type: 'integer', default: 50 },
                  ratio: { type: 'number', multipleOf: 0.5 },
                  color: { type: 'string', enum: ['red', 'green'], default: 'red' },
                  name: { type: 'string', pattern: '^[a-z]+$', minLength: 2, maxLength: 5 },
                  since: { type: 'string', format: 'date-time' },
                  port: { 'x-kubernetes-int-or-string': true },
                  tags: {
                    type: 'array',
                    items: { type: 'string' },
                    'x-kubernetes-list-type': 'set',
                    maxItems: 3,
                  },
                  parts: {
                    type: 'array',
                    maxItems: 10,
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['id'],
                    items: {
                      type: 'object',
                      required: ['id'],
                      properties: {
                        id: { type: 'string', maxLength: 10 },
                        weight: {
                          type: 'integer',
                          default: 1,
                          'x-kubernetes-validations': [
                            { rule: 'self > 0', message: 'weight must be positive' },
                          ],
                        },
                      },
                    },
                  },
                  labels: {
                    type: 'object',
                    maxProperties: 2,
                    additionalProperties: { type: 'string', nullable: true },
                  },
                  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
              status: {
                type: 'object',
                properties: { size: { type: 'integer' }, phase: { type: 'string' } },
              },
            },
          },
        },
      },
    ],
  },
};

interface Gadget extends KubeObject {
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}

/** Values that are right or wrong somewhere. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  size: [0, 3, 60, 100, 101, -1, 1.5, '3', null, undefined],
  limit: [undefined, 10, 100, null, 'x'],
  ratio: [undefined, 0.5, 1, 0.3, 'half'],
  color: [undefined, 'green', 'blue', 7],
  name: [undefined, 'abc', 'a', 'toolong', 'A1', ''],
  since: [undefined, '2026-01-31T12:00:00Z', 'yesterday', ''],
  port: [undefined, 80, 'http', true, [80]],
  tags: [undefined, [], ['a', 'b'], ['a', 'a'], ['a', 'b', 'c', 'd'], ['a', 1], 'a'],
  parts: [
    undefined,
    [{ id: 'a' }, { id: 'b', weight: 2 }],
    [{ id: 'a' }, { id: 'a' }],
    [{ id: 'a', weight: 0 }, { weight: 1 }],
    [{ id: 'a', weight: -3, extra: 1 }],
  ],
  labels: [undefined, {}, { a: 'b' }, { a: null }, { a: 'b', c: 'd', e: 'f' }, { a: 1 }],
  free: [undefined, { any: { thing: [1] } }, 'text'],
  typo: [undefined, undefined, undefined, true],
};
const METADATA: readonly unknown[] = [
  { name: 'good' },
  { name: 'good', labels: { a: 'b' } },
  { name: 'Bad_Name' },
  { name: 'good', labels: { 'bad key!': 'x' } },
  { name: 'good', finalizers: ['plain', 'example.com/ok'] },
  { name: 'good', annotations: { a: 'x' }, extra: 1 },
  { name: 'good', labels: { a: 1 } },
];

let cluster: TestCluster;
let client: Client;
let warnings: string[] = [];

before(async () => {
  cluster = await startTestCluster({ definitions: [DEFINITION] });
  client = createClient({
    transport: cluster.transport(),
    onWarning: ({ text }) => void warnings.push(text),
  });
});
after(() => cluster?.[Symbol.asyncDispose]());

function randomGadget(random: SeededRandom): Gadget {
  const pick = <T>(values: readonly T[]): T | undefined => values[random.int(values.length)];
  const spec: Record<string, unknown> = { size: 3 };
  const fields = Object.keys(VALUES);
  for (let count = random.int(5); count > 0; count--) {
    const field = pick(fields) ?? '';
    const value = pick(VALUES[field] ?? []);
    if (value === undefined) delete spec[field];
    else spec[field] = value;
  }
  const metadata = random.int(10) > 1 ? { name: 'good' } : pick(METADATA);
  // It may be wrong on purpose.
  const gadget = { apiVersion: 'tests.example.com/v1', kind: 'Gadget', metadata, spec } as Gadget;
  if (random.int(10) === 0) delete gadget.spec;
  if (random.int(10) === 0) gadget.status = { size: 'x' };
  return gadget;
}

/** What is said, in a form in which both can be compared. */
async function outcome(work: () => Promise<KubeObject> | KubeObject): Promise<unknown> {
  try {
    const { metadata, ...rest } = await work();
    const { labels, annotations, finalizers, name } = metadata ?? {};
    return { ...rest, metadata: { name, labels, annotations, finalizers } };
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return error.status;
  }
}

async function asked(
  method: 'POST' | 'PUT',
  path: string,
  body: Gadget,
): Promise<[unknown, readonly string[]]> {
  warnings = [];
  const collection = '/apis/tests.example.com/v1/namespaces/default/gadgets';
  const query = { dryRun: 'All', fieldManager: 'test' };
  const said = await outcome(async () => {
    const answer = await client.request({ method, path: `${collection}${path}`, query, body });
    // The server answers with the object.
    return answer.body as KubeObject;
  });
  return [said, warnings];
}

async function told(
  judge: () => { readonly object: Gadget; readonly warnings: readonly string[] },
): Promise<[unknown, readonly string[]]> {
  let heard: readonly string[] = [];
  const said = await outcome(() => {
    const judged = judge();
    heard = judged.warnings;
    return judged.object;
  });
  return [said, heard];
}

const validator = new CustomResourceValidator<Gadget>(DEFINITION);
const SEED = testSeed();

describe('a validator of a custom resource', () => {
  it('says of new objects what the server says', async () => {
    const random = new SeededRandom(SEED);
    let refused = 0;
    for (let count = 0; count < 600; count++) {
      const gadget = randomGadget(random);
      const [theirs, theirWarnings] = await asked('POST', '', structuredClone(gadget));
      const [ours, ourWarnings] = await told(() => validator.create(gadget));
      const where = `${JSON.stringify(gadget)}; ${runAlone(SEED)}`;
      assert.deepEqual(ours, theirs, where);
      if (ours instanceof Object && 'code' in ours) refused++;
      else assert.deepEqual(ourWarnings, theirWarnings, where);
    }
    assert.ok(refused > 100 && refused < 500, `${refused} of 600 were refused`);
  });

  for (const subresource of ['', '/status'])
    it(`says of changed objects what the server says${subresource === '' ? '' : ' of their status'}`, async () => {
      const random = new SeededRandom(SEED);
      const gadgets = client
        .resource<Gadget>({ group: 'tests.example.com', kind: 'Gadget' })
        .namespace('default');
      const name = `old${subresource.replace('/', '-')}`;
      await gadgets.create({ metadata: { name }, spec: { size: 5, parts: [{ id: 'a', weight: 3 }] } });
      const old: Gadget = structuredClone(await gadgets.get(name));
      for (let count = 0; count < 300; count++) {
        const gadget = randomGadget(random);
        gadget.metadata = { ...old.metadata, ...gadget.metadata, name };
        if (random.int(2) === 0) gadget.status = { size: random.int(2) === 0 ? 3 : 'x' };
        const [theirs, theirWarnings] = await asked('PUT', `/${name}${subresource}`, structuredClone(gadget));
        const [ours, ourWarnings] = await told(() =>
          subresource === '' ? validator.update(gadget, old) : validator.updateStatus(gadget, old),
        );
        const where = `${JSON.stringify(gadget)}; ${runAlone(SEED)}`;
        assert.deepEqual(ours, theirs, where);
        if (!(ours instanceof Object && 'code' in ours)) assert.deepEqual(ourWarnings, theirWarnings, where);
      }
    });

  it('gives back the object with its defaults', () => {
    const { object, warnings: noted } = validator.create({
      metadata: { name: 'a' },
      spec: { size: 3, typo: true },
    });
    assert.deepEqual(object.spec, { size: 3, limit: 50, color: 'red' });
    assert.deepEqual(noted, ['unknown field "spec.typo"']);
  });

  it('refuses fields that nobody knows, when it is strict', () => {
    const strict = new CustomResourceValidator<Gadget>(DEFINITION, { fieldValidation: 'Strict' });
    assert.throws(() => strict.create({ metadata: { name: 'a' }, spec: { size: 3, typo: true } }), {
      message: /strict decoding error: unknown field "spec.typo"/,
    });
  });

  it('says which versions there are', () => {
    assert.throws(
      () => new CustomResourceValidator(DEFINITION, { version: 'v2' }),
      /version must be one that gadgets.tests.example.com serves: v1, but it is "v2"/,
    );
  });
});
