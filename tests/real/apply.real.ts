// Server-side apply against that of a real API server.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { builtinSchemas, customResourceSchema, type SchemaSource, schemaFor } from '@windlass/apimachinery';
import * as fc from 'fast-check';
import {
  type Endpoint,
  listTypesDefaults,
  listTypesSchema,
  listTypesSpec,
  listTypesStatus,
  MAIN,
  type Step,
  type StepOptions,
  steps,
} from './support/apply-arbitraries.ts';
import { ApplyModel, type ModelKind, managerFor } from './support/apply-model.ts';
import { createCrd } from './support/crd.ts';
import { JsonApi, type JsonBody } from './support/json-api.ts';
import type { JsonDocument } from './support/patch-arbitraries.ts';
import { configMap, deployments, metadata, pod, service } from './support/workload-arbitraries.ts';

const RUNS = 150;
const group = 'apply.windlass.test';
const source: SchemaSource = builtinSchemas();

let api: JsonApi;

before(async () => {
  api = await JsonApi.open();
  const versions = { v1: listTypesSchema, v2: listTypesSchema };
  await createCrd(api, { group, kind: 'Typed', plural: 'typeds', versions, status: true });
});

after(() => api[Symbol.dispose]());

function builtin(kind: string, plural: string, group = ''): ModelKind {
  const schema = schemaFor({ group, version: 'v1', kind }) ?? {};
  return { group, kind, plural, versions: ['v1'], schema, source, custom: false };
}

const typed: ModelKind = {
  group,
  kind: 'Typed',
  plural: 'typeds',
  versions: ['v1', 'v2'],
  schema: customResourceSchema(listTypesSchema),
  source,
  custom: true,
  applyDefaults: listTypesDefaults,
};

const typedObjects: fc.Arbitrary<JsonDocument> = fc
  .tuple(metadata, listTypesSpec, listTypesStatus)
  .map(([meta, spec, status]) => ({
    apiVersion: `${group}/v1`,
    kind: 'Typed',
    metadata: meta,
    spec,
    status,
  }));

const v2: Endpoint = { version: 'v2', subresource: '' };
const status: Endpoint = { version: 'v1', subresource: 'status' };

const rows: readonly [what: string, kind: ModelKind, options: StepOptions][] = [
  ['a custom resource', typed, { objects: typedObjects }],
  ['a custom resource in two versions', typed, { objects: typedObjects, endpoints: [MAIN, v2] }],
  [
    'a custom resource and its status',
    typed,
    { objects: typedObjects, endpoints: [MAIN, status], created: true },
  ],
  // Parts of a deployment are not valid alone.
  [
    'a Deployment',
    builtin('Deployment', 'deployments', 'apps'),
    { objects: deployments('containerPort', 'protocol'), created: true },
  ],
  ['a ConfigMap', builtin('ConfigMap', 'configmaps'), { objects: configMap }],
  [
    'a Service',
    { ...builtin('Service', 'services'), completed: true },
    { objects: service, created: true, onlyApply: true },
  ],
  ['a Pod', { ...builtin('Pod', 'pods'), completed: true }, { objects: pod, created: true }],
];

describe('server-side apply gives the same objects, owners and conflicts', () => {
  for (const [what, kind, options] of rows)
    it(what, async () => {
      const outcomes = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(steps(options), async (history) => {
          const model = new ApplyModel(api, kind, `apply-${randomUUID()}`);
          for (const step of history) await model.step(step);
          for (const [what, count] of model.outcomes) outcomes.set(what, (outcomes.get(what) ?? 0) + count);
        }),
        { numRuns: RUNS },
      );
      const expected = ['apply 200', 'apply 409'];
      if (options.onlyApply !== true) expected.push('merge 200');
      for (const outcome of expected)
        assert.ok((outcomes.get(outcome) ?? 0) > RUNS / 20, `${outcome}: ${JSON.stringify([...outcomes])}`);
    });
});

/** A deployment on the server, and ours beside it. */
function deploymentModel(): ApplyModel {
  return new ApplyModel(api, builtin('Deployment', 'deployments', 'apps'), `apply-${randomUUID()}`);
}

function deploymentWith(
  spec: object,
  annotations: object = {},
  container: object = { name: 'a', image: 'x' },
): JsonDocument {
  const labels = { app: 'web' };
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { annotations },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
      ...spec,
    },
  };
  return object as JsonDocument;
}

function part(spec: object, metadata: object = {}): JsonDocument {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec } as JsonDocument;
}

const containers = (...list: object[]): object => ({ template: { spec: { containers: list } } });

describe('server-side apply does as the server does', () => {
  const put = (manager: string, object: JsonDocument): Step => ({ op: 'put', at: MAIN, manager, object });
  const apply = (manager: string, config: JsonDocument, force = false): Step => ({
    op: 'apply',
    at: MAIN,
    manager,
    config,
    force,
  });

  it('with what kubectl wrote by client-side apply', async () => {
    const last = 'kubectl.kubernetes.io/last-applied-configuration';
    for (const replicas of [1, 2]) {
      const model = deploymentModel();
      const config = { ...part({ replicas: 1 }), metadata: { name: 'any', annotations: {} } };
      const annotations = { [last]: JSON.stringify(config) };
      await model.step(put('kubectl-client-side-apply', deploymentWith({ replicas }, annotations)));
      // Its own while it is as it was applied.
      const status = await model.step(apply('kubectl', part({ replicas: 3 })));
      assert.equal(status, replicas === 1 ? 200 : 409);
      assert.equal(
        await model.step(apply('kubectl', part({ replicas: 3, paused: true, minReadySeconds: 5 }))),
        replicas === 1 ? 200 : 409,
      );
      assert.equal(await model.step(apply('other', part({ replicas: 4 }))), 409);
    }
  });

  it('with more writers than it keeps apart', async () => {
    const model = deploymentModel();
    await model.step(put('writer-0', deploymentWith({}, { key: '0' })));
    for (let i = 1; i < 15; i++) {
      const patch = part({ minReadySeconds: i }, { annotations: { [`key-${i}`]: 'x' } });
      assert.equal(await model.step({ op: 'merge', at: MAIN, manager: `writer-${i}`, patch }), 200);
    }
  });

  it('with empty lists, which nobody owns', async () => {
    const listed = (spec: object): JsonDocument =>
      ({ apiVersion: `${group}/v1`, kind: 'Typed', spec }) as JsonDocument;
    const model = new ApplyModel(api, typed, `apply-${randomUUID()}`);
    const statuses: number[] = [];
    for (const step of [
      apply('you', listed({ set: [] })),
      apply('you', listed({ set: [] })),
      apply('me', listed({ set: ['x'] }), true),
      apply('me', listed({})),
      apply('you', listed({ set: [] })),
      apply('you', listed({ set: [] }), true),
    ])
      statuses.push(await model.step(step));
    // Without its last element a list is null, which this kind does not allow: that apply changes nothing.
    const expected = [201, 200, 200, 422, 200, 200];
    assert.deepEqual(statuses, expected);
  });

  it('with elements that are there twice', async () => {
    const model = deploymentModel();
    const env = [
      { name: 'A', value: '1' },
      { name: 'B', value: '1' },
      { name: 'A', value: '2' },
    ];
    await model.step(put('writer', deploymentWith({}, {}, { name: 'a', image: 'x', env })));
    const refused = await model.step(
      apply('me', part(containers({ name: 'a', env: [{ name: 'A', value: '3' }] }))),
    );
    assert.equal(refused, 409);
    const taken = await model.step(
      apply('me', part(containers({ name: 'a', env: [{ name: 'A', value: '3' }] })), true),
    );
    assert.equal(taken, 200);
    assert.equal(await model.step(apply('me', part({}))), 200);
  });

  it('with configurations that are not of the type', async () => {
    const model = deploymentModel();
    await model.step(put('writer', deploymentWith({})));
    const wrong: JsonDocument[] = [
      part(containers({ name: 'a', env: [{ name: 'A' }, { name: 'A' }] })),
      part({ template: { spec: { containers: ['a'] } } }),
      part({ template: { spec: { containers: [null] } } }),
      part({ template: { spec: { containers: { a: 1 } } } }),
      part({ template: { spec: 'x' } }),
      part({ replicas: 'x' }),
      part({ replicas: true }),
      part({ replicas: {} }),
      part({ replicas: [1] }),
      part({ paused: 'x' }),
      part({ nope: 1 }),
      part({}, { labels: { a: 1 } }),
      part({}, { labels: ['a'] }),
      part({}, { labels: { a: { b: [1.5, null, 'x', true] } } }),
      part({}, { finalizers: [{ a: 1 }] }),
      part({}, { finalizers: ['a', 'a'] }),
      part({}, { finalizers: [null] }),
      part({}, { finalizers: [['a']] }),
      part({}, { finalizers: [1.5] }),
      part({}, { creationTimestamp: {} }),
      part({}, { managedFields: [] }),
      { ...part({}), kind: 'DaemonSet' },
    ];
    for (const config of wrong)
      assert.notEqual(await model.step(apply('me', config)), 200, JSON.stringify(config));
  });

  it('with managedFields that a writer sends', async () => {
    const kind = builtin('ConfigMap', 'configmaps');
    const ours = managerFor(kind, MAIN);
    const path = '/api/v1/namespaces/default/configmaps';
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName: 'apply-' },
      data: { a: '1' },
    };
    const live = await api.must(api.post(path, body, { query: { fieldManager: 'creator' } }));
    const { name, managedFields } = live['metadata'] as { name: string; managedFields: object[] };
    const sent: unknown[] = [
      undefined,
      null,
      [],
      [{}],
      managedFields,
      managedFields.map((entry) => ({ ...entry, manager: 'renamed' })),
      managedFields.map((entry) => ({ ...entry, time: '2001-02-03T04:05:06Z' })),
      managedFields.map((entry) => ({ ...entry, time: undefined })),
      [{ ...managedFields[0], fieldsType: 'FieldsV2' }],
      [{ ...managedFields[0], operation: 'Nope' }],
    ];
    for (const entries of sent) {
      const updated = {
        ...live,
        metadata: { ...(live['metadata'] as object), managedFields: entries },
        data: { a: '2' },
      };
      const answer = await api.put(`${path}/${name}`, updated, {
        query: { fieldManager: 'writer', dryRun: 'All' },
      });
      const theirs = (answer.body['metadata'] as { managedFields?: object[] }).managedFields;
      const { object } = ours.update<JsonBody>({ live, updated, manager: 'writer' });
      const mine = (object['metadata'] as { managedFields?: object[] }).managedFields;
      // The clocks of both may differ by a second.
      const timed = (list: { time?: string }[] | undefined): unknown =>
        list?.map((entry) => ({ ...entry, time: entry.time?.replace(/^20[2-9].*/, 'now') }));
      assert.deepEqual(timed(mine), timed(theirs), JSON.stringify(entries));
    }
  });
});
