import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest } from '@windlass/apimachinery';
import { CancelledError } from '@windlass/base';
import { createClient } from '../client.ts';
import { type FakeAnswer, FakeTransport } from '../testing/index.ts';
import { DISCOVERY_ACCEPT } from './discovery-documents.ts';

const AGGREGATED = {
  'content-type': 'application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io',
  etag: '"1"',
};

const resource = (plural: string, kind: string, more: object = {}) => ({
  resource: plural,
  responseKind: { group: '', version: '', kind },
  scope: 'Namespaced',
  singularResource: kind.toLowerCase(),
  verbs: ['list', 'get'],
  ...more,
});

const core = {
  items: [
    {
      metadata: {},
      versions: [
        { version: 'v1', resources: [resource('pods', 'Pod', { shortNames: ['po'], categories: ['all'] })] },
      ],
    },
  ],
};

const apps = {
  metadata: { name: 'apps' },
  versions: [
    {
      version: 'v1',
      resources: [
        resource('deployments', 'Deployment', {
          shortNames: ['deploy'],
          subresources: [
            {
              subresource: 'scale',
              responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
              verbs: ['get'],
            },
            {
              subresource: 'status',
              responseKind: { group: '', version: '', kind: 'Deployment' },
              verbs: ['get'],
            },
          ],
        }),
        { resource: 'orphans', responseKind: null },
      ],
    },
    { version: 'v1beta1', resources: [resource('deployments', 'Deployment'), resource('olds', 'Old')] },
  ],
};
const stale = {
  metadata: { name: 'metrics' },
  versions: [{ version: 'v1', freshness: 'Stale', resources: [resource('x', 'X')] }],
};
const widgets = {
  metadata: { name: 'example.com' },
  versions: [{ version: 'v1', resources: [resource('widgets', 'Widget', { scope: 'Cluster' })] }],
};

function setUp(answer: (request: ApiRequest) => FakeAnswer | Promise<FakeAnswer>) {
  const transport = new FakeTransport({ onRequest: answer });
  const client = createClient({ transport });
  return { transport, client, discovery: client.discovery };
}

/** A server of the new form whose groups can change; unchanged, it answers 304. */
function modern() {
  const state = { groups: [apps, stale], etag: '"1"' };
  const setup = setUp(({ path, headers = {} }) => {
    if (path !== '/api' && path !== '/apis')
      return { body: { kind: 'Answer', metadata: { name: 'answer' } } };
    const etag = path === '/api' ? '"core"' : state.etag;
    if (headers['if-none-match'] === etag) return { status: 304 };
    return { headers: { ...AGGREGATED, etag }, body: path === '/api' ? core : { items: state.groups } };
  });
  return { ...setup, state };
}

test('the aggregated form takes two requests, and everything is found by all its names', async () => {
  const { discovery, transport } = modern();
  const pod = await discovery.kind({ group: '', version: 'v1', kind: 'Pod' });
  assert.deepEqual(
    { ...pod },
    {
      group: '',
      version: 'v1',
      kind: 'Pod',
      plural: 'pods',
      namespaced: true,
      singular: 'pod',
      listKind: 'PodList',
      shortNames: ['po'],
      categories: ['all'],
      verbs: ['get', 'list'],
      subresources: [],
    },
  );
  assert.equal(
    (await discovery.plural({ group: 'apps', version: 'v1beta1', plural: 'deployments' })).version,
    'v1beta1',
  );
  assert.equal(
    (await discovery.kind({ group: 'apps', kind: 'Deployment' })).version,
    'v1',
    'the preferred version',
  );
  assert.equal(
    (await discovery.kind({ group: 'apps', kind: 'Old' })).version,
    'v1beta1',
    'the only version that has it',
  );
  assert.equal((await discovery.plural({ group: 'apps', plural: 'deployments' })).version, 'v1');
  for (const name of ['deploy', 'Deployment', 'deployments.apps', 'deployments.v1.apps']) {
    assert.equal((await discovery.named(name)).version, 'v1', name);
  }
  const { subresources } = await discovery.named('deploy');
  assert.deepEqual(subresources, [
    { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get'] },
    { name: 'status', group: 'apps', version: 'v1', kind: 'Deployment', verbs: ['get'] },
  ]);
  assert.deepEqual(
    transport.requests.map(({ path }) => path),
    ['/api', '/apis'],
  );
  assert.equal(transport.requests[0]?.headers?.['accept'], DISCOVERY_ACCEPT);
});

test('what is not there is asked for once more, then it is an error that names who did not answer', async () => {
  const { discovery, transport, state } = modern();
  await discovery.registry();
  await assert.rejects(discovery.kind({ group: 'example.com', version: 'v1', kind: 'Widget' }), {
    code: 'NO_MATCH',
    message: 'the API server has no kind Widget in example.com/v1; these did not answer: metrics/v1',
  });
  assert.equal(transport.requests.length, 4);
  state.groups = [apps, widgets];
  state.etag = '"2"';
  const widget = await discovery.kind({ group: 'example.com', version: 'v1', kind: 'Widget' });
  assert.equal(widget.namespaced, false);
  assert.deepEqual(discovery.failed, []);
  assert.equal(transport.requests.length, 6);
  await discovery.named('widgets');
  assert.equal(transport.requests.length, 6, 'found without asking');
});

test('unchanged answers cost nothing: tags are sent, 304 keeps what is known', async () => {
  const { discovery, transport } = modern();
  const before = await discovery.registry();
  assert.equal(await discovery.refresh(), before);
  assert.deepEqual(
    transport.requests.slice(2).map(({ headers }) => headers?.['if-none-match']),
    ['"core"', '"1"'],
  );
  discovery.invalidate();
  assert.equal((await discovery.kind({ group: '', kind: 'Pod' })).plural, 'pods');
  assert.equal(transport.requests.length, 6);
});

test('many who ask at once share one fetch; one who gives up takes nothing from them', async () => {
  const { discovery, transport } = modern();
  const controller = new AbortController();
  const impatient = discovery.named('po', { signal: controller.signal });
  const patient = Promise.all([discovery.named('po'), discovery.kind({ group: '', kind: 'Pod' })]);
  controller.abort();
  await assert.rejects(impatient, CancelledError);
  await patient;
  assert.equal(transport.requests.length, 2);
});

test('a fetch that began before a resource was there does not hide it', async () => {
  const gate = Promise.withResolvers<void>();
  let groups = [apps];
  let fetches = 0;
  const { discovery } = setUp(async ({ path }) => {
    if (path === '/api') return { headers: AGGREGATED, body: core };
    const items = groups;
    if (++fetches === 1) await gate.promise;
    return { headers: { ...AGGREGATED, etag: `"${fetches}"` }, body: { items } };
  });
  const early = discovery.registry();
  await new Promise((resolve) => setImmediate(resolve));
  groups = [apps, widgets];
  const found = discovery.named('widgets');
  gate.resolve();
  await early;
  assert.equal((await found).kind, 'Widget');
});

test('the old form: every group version is asked; one that fails hides no other', async () => {
  const documents: Record<string, unknown> = {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': {
      kind: 'APIGroupList',
      groups: [
        {
          name: 'apps',
          versions: [{ version: 'v1beta1' }, { version: 'v1' }],
          preferredVersion: { version: 'v1' },
        },
        { name: 'metrics', versions: [{ version: 'v1' }], preferredVersion: { version: 'v1' } },
      ],
    },
    '/api/v1': {
      resources: [
        {
          name: 'pods',
          singularName: '',
          namespaced: true,
          kind: 'Pod',
          verbs: ['list', 'get'],
          shortNames: ['po'],
        },
      ],
    },
    '/apis/apps/v1': {
      resources: [
        {
          name: 'deployments',
          namespaced: true,
          kind: 'Deployment',
          verbs: ['get'],
          storageVersionHash: 'h',
        },
        {
          name: 'deployments/scale',
          namespaced: true,
          kind: 'Scale',
          group: 'autoscaling',
          version: 'v1',
          verbs: ['get'],
        },
      ],
    },
    '/apis/apps/v1beta1': { resources: null },
  };
  const { discovery, transport } = setUp(({ path }) => {
    const body = documents[path];
    return body === undefined ? { status: 503 } : { headers: { 'content-type': 'application/json' }, body };
  });
  const deployment = await discovery.kind({ group: 'apps', kind: 'Deployment' });
  assert.equal(deployment.version, 'v1');
  assert.equal(deployment.storageVersionHash, 'h');
  assert.deepEqual(deployment.subresources, [
    { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get'] },
  ]);
  assert.equal((await discovery.named('po')).singular, 'pod');
  assert.deepEqual(
    discovery.failed.map(({ group, version }) => `${group}/${version}`),
    ['metrics/v1'],
  );
  assert.deepEqual(
    new Set(transport.requests.map(({ path }) => path)),
    new Set(['/api', '/apis', '/api/v1', '/apis/apps/v1', '/apis/apps/v1beta1', '/apis/metrics/v1']),
  );
});

test('one root in the new form and one in the old', async () => {
  const { discovery } = setUp(({ path }) => {
    if (path === '/apis') return { headers: AGGREGATED, body: { items: [widgets] } };
    if (path === '/api')
      return { headers: { 'content-type': 'application/json' }, body: { versions: ['v1'] } };
    return { body: { resources: [{ name: 'pods', namespaced: true, kind: 'Pod' }] } };
  });
  assert.equal((await discovery.named('pods')).kind, 'Pod');
  assert.equal((await discovery.named('widgets')).group, 'example.com');
});

test('a client by kind or by plural looks itself up, also with no version', async () => {
  const { client, transport, state } = modern();
  state.groups = [apps, widgets];
  const widget = client.resource<{ metadata?: { name?: string }; spec?: { size: number } }>({
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
  });
  await widget.get('a');
  await client.resource({ group: 'apps', plural: 'deployments' }).namespace('x').get('b');
  await client.resource({ group: 'apps', kind: 'Deployment' }).list();
  assert.deepEqual(
    transport.requests.slice(2).map(({ path }) => path),
    [
      '/apis/example.com/v1/widgets/a',
      '/apis/apps/v1/namespaces/x/deployments/b',
      '/apis/apps/v1/deployments',
    ],
  );
  await assert.rejects(widget.namespace('x').get('a'), /Widget lives in no namespace/);
  await assert.rejects(client.resource({ group: 'apps', kind: 'Nothing' }).list(), { code: 'NO_MATCH' });
});

test('an answer in process has no content type; its kind says what it is', async () => {
  const kind = 'APIGroupDiscoveryList';
  const transport = new FakeTransport({
    onRequest: ({ path }) => ({ body: path === '/api' ? { kind, ...core } : { kind, items: [apps] } }),
  });
  const { discovery } = createClient({ transport });
  assert.equal((await discovery.kind({ group: 'apps', kind: 'Deployment' })).plural, 'deployments');
  assert.equal(transport.requests.length, 2);
});
