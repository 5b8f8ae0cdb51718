// Our patches against those of a real API server: the same object and the same patch go to both.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  builtinSchemas,
  createJsonPatch,
  createMergePatch,
  createStrategicMergePatch,
  patchStatusError,
  StrategicMergeError,
  schemaFor,
} from '@windlass/apimachinery';
import * as fc from 'fast-check';
import { createCrd } from './support/crd.ts';
import { type Answer, JsonApi, type JsonBody } from './support/json-api.ts';
import { type JsonDocument, jsonDocument, jsonPatchFor } from './support/patch-arbitraries.ts';
import { strategicPatch } from './support/strategic-arbitraries.ts';
import { configMap, deployments, service } from './support/workload-arbitraries.ts';

const RUNS = 200;
const group = 'patch.windlass.test';
const free = `/apis/${group}/v1/namespaces/default/frees`;

let api: JsonApi;

before(async () => {
  api = await JsonApi.open();
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
  await createCrd(api, {
    group,
    kind: 'Free',
    plural: 'frees',
    versions: { v1: { type: 'object', properties: { spec: anything } } },
  });
});

after(() => api[Symbol.dispose]());

/** An object that keeps whatever JSON is in its spec. */
async function createFree(spec: JsonDocument): Promise<{ path: string; object: JsonBody }> {
  const body = { apiVersion: `${group}/v1`, kind: 'Free', metadata: { generateName: 'free-' }, spec };
  const object = await api.must(api.post(free, body));
  const { name } = object['metadata'] as { name: string };
  return { path: `${free}/${name}`, object };
}

/** What ours gives, or the word `refused`. */
function attempt(patch: () => unknown): unknown {
  try {
    return patch();
  } catch {
    return 'refused';
  }
}

function specOf(answer: Answer): unknown {
  assert.ok(
    answer.status === 200 || answer.status === 422 || answer.status === 400,
    JSON.stringify(answer.body),
  );
  return answer.status === 200 ? (answer.body['spec'] ?? 'absent') : 'refused';
}

describe('JSON patch', () => {
  it('gives what the server gives, and refuses what it refuses', async () => {
    const outcomes = { patched: 0, refused: 0 };
    const cases = jsonDocument.chain((spec) => fc.tuple(fc.constant(spec), jsonPatchFor(spec)));
    await fc.assert(
      fc.asyncProperty(cases, async ([spec, patch]) => {
        const { path, object } = await createFree(spec);
        const theirs = specOf(await api.patch('json', path, patch));
        const ours = attempt(() => applyJsonPatch(object, patch)['spec'] ?? 'absent');
        assert.deepEqual(ours, theirs);
        outcomes[theirs === 'refused' ? 'refused' : 'patched']++;
      }),
      { numRuns: RUNS },
    );
    assert.ok(outcomes.patched > RUNS / 5 && outcomes.refused > RUNS / 10, JSON.stringify(outcomes));
  });

  it('makes patches that turn one object into another on the server', async () => {
    await fc.assert(
      fc.asyncProperty(jsonDocument, jsonDocument, async (spec, wanted) => {
        const { path, object } = await createFree(spec);
        const patch = createJsonPatch(object, { ...object, spec: wanted });
        assert.deepEqual(specOf(await api.patch('json', path, patch)), wanted);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('merge patch', () => {
  it('gives what the server gives', async () => {
    await fc.assert(
      fc.asyncProperty(jsonDocument, jsonDocument, async (spec, patch) => {
        const { path, object } = await createFree(spec);
        const theirs = specOf(await api.patch('merge', path, { spec: patch }));
        assert.deepEqual(applyMergePatch(object, { spec: patch })['spec'], theirs);
      }),
      { numRuns: RUNS },
    );
  });

  it('makes patches that the server understands as we do', async () => {
    await fc.assert(
      fc.asyncProperty(jsonDocument, jsonDocument, async (spec, wanted) => {
        const { path, object } = await createFree(spec);
        const patch = createMergePatch(object, { ...object, spec: wanted });
        const theirs = specOf(await api.patch('merge', path, patch));
        assert.deepEqual(applyMergePatch(object, patch)['spec'], theirs);
      }),
      { numRuns: RUNS },
    );
  });
});

interface Kind {
  readonly kind: string;
  readonly group: string;
  readonly path: string;
  readonly objects: fc.Arbitrary<JsonDocument>;
}

const kinds: readonly Kind[] = [
  {
    kind: 'Deployment',
    group: 'apps',
    path: '/apis/apps/v1/namespaces/default/deployments',
    objects: deployments('containerPort'),
  },
  { kind: 'Service', group: '', path: '/api/v1/namespaces/default/services', objects: service },
  { kind: 'ConfigMap', group: '', path: '/api/v1/namespaces/default/configmaps', objects: configMap },
];

/**
 * How an answer is compared: what was stored, or why validation refused it. A patch that cannot be
 * merged may be wrong in several places, of which the server tells the one that it happens to see first.
 */
function outcomeOf({ status, body }: Answer): unknown {
  if (status === 200) return withoutOwners(body);
  const message = String(body['message']);
  return message.includes('is invalid: ') ? message : 'cannot be merged';
}

function withoutOwners(body: JsonBody): unknown {
  const { managedFields: _, ...metadata } = body['metadata'] as JsonBody;
  return { ...body, metadata };
}

/** What the server makes of our result: it validates it and sets defaults, as after a patch of its own. */
async function put(path: string, patch: () => object): Promise<unknown> {
  let object: object;
  try {
    object = patch();
  } catch (error) {
    if (error instanceof StrategicMergeError) return 'cannot be merged';
    throw error;
  }
  return outcomeOf(await api.put(path, object, { query: { dryRun: 'All' } }));
}

for (const { kind, group, path, objects } of kinds) {
  const schema = schemaFor({ group, version: 'v1', kind }) ?? {};
  const options = { schema, source: builtinSchemas() };
  const create = async (object: JsonDocument): Promise<JsonBody> => {
    const named = { ...object, metadata: { ...(object['metadata'] as JsonDocument), generateName: 'smp-' } };
    return api.must(api.post(path, named));
  };
  const pathOf = (object: JsonBody): string => `${path}/${(object['metadata'] as { name: string }).name}`;

  describe(`strategic merge patch of a ${kind}`, () => {
    it('gives what the server gives, and refuses as it refuses', async () => {
      const statuses = new Map<number, number>();
      await fc.assert(
        fc.asyncProperty(objects, strategicPatch(objects), async (object, patch) => {
          const live = await create(object);
          const answer = await api.patch('strategic', pathOf(live), patch, { query: { dryRun: 'All' } });
          const ours = await put(pathOf(live), () => applyStrategicMergePatch(live, patch, options));
          assert.deepEqual(ours, outcomeOf(answer));
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        }),
        { numRuns: RUNS },
      );
      assert.ok((statuses.get(200) ?? 0) > RUNS / 4, JSON.stringify([...statuses]));
    });

    it('makes patches that turn one object into another on the server', async () => {
      await fc.assert(
        fc.asyncProperty(objects, objects, async (object, other) => {
          const live = await create(object);
          const wanted = {
            ...live,
            ...other,
            metadata: { ...(live['metadata'] as object), ...(other['metadata'] as object) },
          };
          const patch = createStrategicMergePatch(live, wanted, options);
          const answer = await api.patch('strategic', pathOf(live), patch, { query: { dryRun: 'All' } });
          const expected = await api.put(pathOf(live), wanted, { query: { dryRun: 'All' } });
          assert.deepEqual(outcomeOf(answer), outcomeOf(expected));
        }),
        { numRuns: RUNS },
      );
    });
  });
}

it('refuses strategic merge patches with the words of the server', async () => {
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const schema = schemaFor({ group: 'apps', version: 'v1', kind: 'Deployment' }) ?? {};
  const options = { schema, source: builtinSchemas() };
  const template = (spec: object): object => ({ spec: { template: { spec } } });
  const body = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { generateName: 'smp-', finalizers: ['test.io/a'], labels: { a: 'x' } },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: {
        metadata: { labels: { app: 'a' } },
        spec: { containers: [{ name: 'a', image: 'x' }], nodeSelector: { a: 'b' } },
      },
    },
  };
  const live = await api.must(api.post(path, body));
  const { name } = live['metadata'] as { name: string };
  const patches: object[] = [
    template({ containers: [{ image: 'y' }] }),
    template({ containers: [{ $patch: 'delete' }] }),
    template({ containers: [{ name: 'a', $patch: 'nope' }] }),
    template({ containers: [{ name: 'a', $patch: 'merge' }] }),
    template({ containers: ['a'] }),
    template({ '$setElementOrder/containers': {} }),
    template({ '$setElementOrder/containers': [{ nope: 'a' }] }),
    template({
      '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
      containers: [{ name: 'a' }, { name: 'b' }],
    }),
    template({ '$setElementOrder/nope': [] }),
    template({ '$setElementOrder/nodeSelector': [] }),
    template({ '$setElementOrder/volumes': [], volumes: [] }),
    template({ $retainKeys: 'containers' }),
    template({ $retainKeys: [], containers: [] }),
    template({ $patch: 'nope' }),
    template({ $patch: 1 }),
    { metadata: { $setElementOrder: [] } },
    { metadata: { $deleteFromPrimitiveList: [] } },
    { metadata: { '$setElementOrder/finalizers': 'x' } },
    { metadata: { finalizers: [['x']] } },
    { metadata: { finalizers: [{ x: 1 }] } },
    { metadata: { finalizers: [1] } },
  ];
  for (const patch of patches) {
    const { status, body: answer } = await api.patch('strategic', `${path}/${name}`, patch);
    const theirs = { status, message: answer['message'] };
    const ours = { status: 0, message: 'nothing is wrong' as unknown };
    try {
      applyStrategicMergePatch(live, patch, options);
    } catch (error) {
      const { code, message } = patchStatusError(error)?.status ?? {};
      Object.assign(ours, { status: code, message });
    }
    assert.deepEqual(ours, theirs, JSON.stringify(patch));
  }
});
