import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { SelfSubjectReview } from '@windlass/apimachinery/api/authentication/v1';
import { Binding, ConfigMap, Namespace, Node, Pod, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import { type Client, type ClientOptions, createClient } from '../client.ts';
import type { KindQuery } from '../discovery/discovery.ts';
import { InvalidRequestError } from '../errors.ts';
import { FakeTransport } from '../testing/index.ts';
import type { ResourceClient } from './resource-client.ts';

interface Setup {
  readonly client: Client;
  readonly transport: FakeTransport;
}

/** Answers everything with an object. */
function setUp(
  options: ClientOptions = {},
  body: unknown = { kind: 'Answer', metadata: { name: 'answer' }, unknownField: [1, { deep: true }] },
): Setup {
  const transport = new FakeTransport({ onRequest: () => ({ body }) });
  return { transport, client: createClient({ transport, ...options }) };
}

/** The request as one line, with only the query that is there. */
function line({ method, path, query = {}, headers = {} }: ApiRequest): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${String(value)}`],
  );
  const type = headers['content-type'];
  return [
    `${method} ${path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`,
    ...(type === undefined ? [] : [type]),
  ].join(' ');
}

const deployment = {
  metadata: { name: 'web', namespace: 'prod' },
  spec: { selector: {}, template: { spec: { containers: [] } } },
} satisfies Deployment;
const typed = { apiVersion: 'apps/v1', kind: 'Deployment', ...deployment };

test('each call is the request that the API documents', async () => {
  const rows: readonly (readonly [
    call: (client: Client) => Promise<unknown>,
    request: string,
    body?: unknown,
  ])[] = [
    [
      (c) => c.resource(Deployment).namespace('prod').get('web'),
      'GET /apis/apps/v1/namespaces/prod/deployments/web',
    ],
    [(c) => c.resource(Node).get('n1', { resourceVersion: '0' }), 'GET /api/v1/nodes/n1?resourceVersion=0'],
    [(c) => c.resource(Node).get('system:node'), 'GET /api/v1/nodes/system%3Anode'],
    [(c) => c.resource(Deployment).list(), 'GET /apis/apps/v1/deployments'],
    [
      (c) =>
        c.resource(Pod).namespace('prod').list({
          labelSelector: 'a=b',
          fieldSelector: 'c=d',
          limit: 5,
          continue: 'x',
          resourceVersion: '7',
          resourceVersionMatch: 'Exact',
        }),
      'GET /api/v1/namespaces/prod/pods?labelSelector=a=b&fieldSelector=c=d&resourceVersion=7&resourceVersionMatch=Exact&limit=5&continue=x',
    ],
    [
      (c) => c.resource(Deployment).create(deployment),
      'POST /apis/apps/v1/namespaces/prod/deployments',
      typed,
    ],
    [
      (c) =>
        c
          .resource(Deployment)
          .create(deployment, { dryRun: true, fieldManager: 'me', fieldValidation: 'Strict' }),
      'POST /apis/apps/v1/namespaces/prod/deployments?dryRun=All&fieldManager=me&fieldValidation=Strict',
      typed,
    ],
    [
      (c) => c.resource(Deployment).replace(deployment),
      'PUT /apis/apps/v1/namespaces/prod/deployments/web',
      typed,
    ],
    [
      (c) =>
        c
          .resource(Deployment)
          .namespace('prod')
          .patch('web', { spec: { replicas: null } }),
      'PATCH /apis/apps/v1/namespaces/prod/deployments/web application/merge-patch+json',
      { spec: { replicas: null } },
    ],
    [
      (c) => c.resource(Node).patch('n1', [{ op: 'remove', path: '/spec' }]),
      'PATCH /api/v1/nodes/n1 application/json-patch+json',
      [{ op: 'remove', path: '/spec' }],
    ],
    [
      (c) =>
        c.resource(Node).patch('n1', { spec: { taints: [{ $patch: 'replace' }] } }, { type: 'strategic' }),
      'PATCH /api/v1/nodes/n1 application/strategic-merge-patch+json',
      { spec: { taints: [{ $patch: 'replace' }] } },
    ],
    [
      (c) =>
        c
          .resource(Deployment)
          .apply(
            { metadata: deployment.metadata, spec: { replicas: 1 } },
            { fieldManager: 'me', force: true },
          ),
      'PATCH /apis/apps/v1/namespaces/prod/deployments/web?fieldManager=me&force=true application/apply-patch+yaml',
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: deployment.metadata, spec: { replicas: 1 } },
    ],
    [(c) => c.resource(Pod).namespace('a').delete('p'), 'DELETE /api/v1/namespaces/a/pods/p'],
    [
      (c) =>
        c
          .resource(Pod)
          .namespace('a')
          .delete('p', {
            gracePeriodSeconds: 0,
            propagationPolicy: 'Foreground',
            preconditions: { uid: 'u', resourceVersion: '7' },
            dryRun: true,
          }),
      'DELETE /api/v1/namespaces/a/pods/p',
      {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        gracePeriodSeconds: 0,
        propagationPolicy: 'Foreground',
        preconditions: { uid: 'u', resourceVersion: '7' },
        dryRun: ['All'],
      },
    ],
    [
      (c) =>
        c.resource(Pod).namespace('a').deleteCollection({ labelSelector: 'x', propagationPolicy: 'Orphan' }),
      'DELETE /api/v1/namespaces/a/pods?labelSelector=x',
      { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Orphan' },
    ],
    [(c) => c.resource(Namespace).deleteCollection(), 'DELETE /api/v1/namespaces'],
    [(c) => c.resource(Pod).namespace('a').status.get('p'), 'GET /api/v1/namespaces/a/pods/p/status'],
    [
      (c) => c.resource(Deployment).status.replace(deployment),
      'PUT /apis/apps/v1/namespaces/prod/deployments/web/status',
      typed,
    ],
    [
      (c) =>
        c
          .resource(Pod)
          .namespace('a')
          .status.patch('p', { status: { phase: 'Running' } }),
      'PATCH /api/v1/namespaces/a/pods/p/status application/merge-patch+json',
      { status: { phase: 'Running' } },
    ],
    [
      (c) => c.resource(Node).status.apply({ metadata: { name: 'n' }, status: {} }, { fieldManager: 'me' }),
      'PATCH /api/v1/nodes/n/status?fieldManager=me application/apply-patch+yaml',
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' }, status: {} },
    ],
    [
      (c) => c.resource(Deployment).namespace('a').scale.get('d'),
      'GET /apis/apps/v1/namespaces/a/deployments/d/scale',
    ],
    [
      (c) => c.resource(Deployment).namespace('a').scale.set('d', 3, { dryRun: true }),
      'PATCH /apis/apps/v1/namespaces/a/deployments/d/scale?dryRun=All application/merge-patch+json',
      { spec: { replicas: 3 } },
    ],
    [
      (c) =>
        c
          .resource(Deployment)
          .scale.replace({ metadata: { name: 'd', namespace: 'a' }, spec: { replicas: 3 } }),
      'PUT /apis/apps/v1/namespaces/a/deployments/d/scale',
      {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'd', namespace: 'a' },
        spec: { replicas: 3 },
      },
    ],
    [
      (c) => c.resource(Pod).namespace('a').evict('p', { gracePeriodSeconds: 5, dryRun: true }),
      'POST /api/v1/namespaces/a/pods/p/eviction?dryRun=All',
      {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: 'p', namespace: 'a' },
        deleteOptions: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 5 },
      },
    ],
    [
      (c) => c.resource(Pod).namespace('a').bind('p', 'n1'),
      'POST /api/v1/namespaces/a/pods/p/binding',
      {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'p', namespace: 'a' },
        target: { apiVersion: 'v1', kind: 'Node', name: 'n1' },
      },
    ],
    [
      (c) => c.resource(ServiceAccount).namespace('a').createToken('s', { expirationSeconds: 600 }),
      'POST /api/v1/namespaces/a/serviceaccounts/s/token',
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { audiences: [], expirationSeconds: 600 },
      },
    ],
    [
      (c) =>
        c
          .resource(Namespace)
          .subresource('finalize')
          .replace({ metadata: { name: 'a' } }),
      'PUT /api/v1/namespaces/a/finalize',
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } },
    ],
    [
      (c) => c.resource(SelfSubjectReview).create({}),
      'POST /apis/authentication.k8s.io/v1/selfsubjectreviews',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    ],
  ];
  for (const [call, request, body] of rows) {
    const { client, transport } = setUp();
    await call(client);
    assert.equal(transport.requests.length, 1);
    const [sent] = transport.requests;
    assert.ok(sent !== undefined);
    assert.equal(line(sent), request);
    assert.deepEqual(sent.body, body, request);
  }
});

test('answers come out as they are: nothing dropped, nothing converted', async () => {
  const object = {
    kind: 'Pod',
    metadata: { name: 'p', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { brandNew: { field: 1 } },
  };
  const { client } = setUp({}, object);
  assert.equal(await client.resource(Pod).namespace('a').get('p'), object);
});

test('what goes in is never changed', async () => {
  const { client } = setUp();
  const object = Object.freeze({ metadata: Object.freeze({ name: 'c', namespace: 'a' }) });
  await client.resource(ConfigMap).create(object);
  await client.resource(ConfigMap).replace(object);
  await client.resource(ConfigMap).apply(object, { fieldManager: 'me' });
});

test('defaults of the client for writes, which a call overrides', async () => {
  const { client, transport } = setUp({ fieldManager: 'me', fieldValidation: 'Strict' });
  const maps = client.resource(ConfigMap).namespace('a');
  await maps.create({ metadata: { name: 'c' } });
  await maps.patch('c', {}, { fieldManager: 'you', fieldValidation: 'Ignore' });
  await maps.apply({ metadata: { name: 'c' } });
  assert.deepEqual(
    transport.requests.map(({ query }) => [query?.['fieldManager'], query?.['fieldValidation']]),
    [
      ['me', 'Strict'],
      ['you', 'Ignore'],
      ['me', 'Strict'],
    ],
  );
});

test('metadata only: get, list and watch ask for the partial form', async () => {
  const { client, transport } = setUp({}, { metadata: { name: 'p' }, items: [] });
  const reader = client.resource(Pod).namespace('a').metadata;
  await reader.get('p');
  await reader.list();
  const watching = reader.watch()[Symbol.asyncIterator]();
  void watching.next();
  await new Promise((resolve) => setImmediate(resolve));
  const object = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
  assert.deepEqual(
    transport.requests.map(({ headers }) => headers?.['accept']),
    [object, object.replace('Metadata', 'MetadataList'), object],
  );
  await watching.return?.();
});

test('an answer without a name is refused with what came instead', async () => {
  const object = /^the answer for pods is a "Pod" without metadata.name: is this a Kubernetes API server\?$/;
  const list =
    /^the list of pods has an object without metadata.name at items\[1\]: is this a Kubernetes API server\?$/;
  const items = [{ metadata: { name: 'p' } }, { metadata: null }];
  const nameless: readonly unknown[] = [
    { kind: 'Pod', items },
    { kind: 'Pod', metadata: {}, items },
    { kind: 'Pod', metadata: { name: '' }, items },
    { kind: 'Pod', metadata: { name: 7 }, items },
  ];
  const calls: readonly (readonly [
    call: (pods: ResourceClient<Pod>) => Promise<unknown>,
    message: RegExp,
  ])[] = [
    [(pods) => pods.get('p'), object],
    [(pods) => pods.metadata.get('p'), object],
    [(pods) => pods.status.get('p'), object],
    [(pods) => pods.create({ metadata: { name: 'p' } }), object],
    [(pods) => pods.replace({ metadata: { name: 'p' } }), object],
    [(pods) => pods.patch('p', {}), object],
    [(pods) => pods.apply({ metadata: { name: 'p' } }, { fieldManager: 'me' }), object],
    [(pods) => pods.delete('p'), object],
    [(pods) => pods.list(), list],
    [(pods) => pods.listAll(), list],
    [(pods) => pods.items().next(), list],
  ];
  for (const answer of nameless) {
    for (const [call, message] of calls) {
      const { client } = setUp({}, answer);
      await assert.rejects(call(client.resource(Pod).namespace('a')), { code: 'BAD_RESPONSE', message });
    }
    const { items: found } = await setUp({}, answer).client.resource(Pod).list({ allowNameless: true });
    assert.deepEqual(found, items);
  }
});

test('what is not stored is answered without a name', async () => {
  const body = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1', status: {} };
  assert.equal(await setUp({}, body).client.resource(SelfSubjectReview).create({}), body);
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Success' };
  const { client } = setUp({}, status);
  const binding: Binding = { metadata: { name: 'p', namespace: 'a' }, target: { kind: 'Node', name: 'n' } };
  assert.equal(await client.resource(Binding).create(binding), status);
  const pods = client.resource(Pod).namespace('a');
  assert.equal(await pods.delete('p'), status);
  assert.equal(await pods.deleteCollection(), status);
  // Other subresources answer what they like.
  assert.equal(await pods.subresource('anything').get('p'), status);
});

test('mistakes are refused before anything is sent', async () => {
  const pods = (client: Client) => client.resource(Pod).namespace('a');
  const named = (name: string) => ({ metadata: { name } });
  // By their names alone, as code for any kind asks: then only the run of the program can refuse.
  const pod: KindQuery = Pod;
  const node: KindQuery = Node;
  const rows: readonly (readonly [call: (client: Client) => Promise<unknown>, message: RegExp])[] = [
    [
      (c) => pods(c).get(''),
      /^the name of a Pod must be text without "\/" and "%", but it is "" \(string\)$/,
    ],
    [
      (c) => pods(c).delete(undefined as unknown as string),
      /name of a Pod must be text .* but it is undefined/,
    ],
    [(c) => pods(c).delete('..'), /name of a Pod/],
    [(c) => pods(c).get('a/b'), /name of a Pod/],
    [(c) => pods(c).status.get(''), /name of a Pod/],
    [(c) => pods(c).patch('', {}), /name of a Pod/],
    [(c) => pods(c).evict(''), /name of a Pod/],
    [(c) => c.resource(pod).get('p'), /^Pod lives in a namespace; say which with \.namespace\('\.\.\.'\)$/],
    [(c) => c.resource(pod).delete('p'), /Pod lives in a namespace/],
    [(c) => c.resource(pod).deleteCollection(), /Pod lives in a namespace/],
    [(c) => c.resource(pod).create(named('p')), /Pod lives in a namespace/],
    [(c) => c.resource(pod).status.patch('p', {}), /Pod lives in a namespace/],
    [async (c) => c.resource(Pod).namespace(''), /a namespace must be text/],
    [async (c) => c.resource(Pod).namespace('a/b'), /a namespace must be text/],
    [
      async (c) => c.resource(node).namespace('a'),
      /^Node lives in no namespace, but namespace "a" was asked for; leave \.namespace\(\) out$/,
    ],
    [
      (c) => c.resource(node).create({ metadata: { name: 'n', namespace: 'a' } }),
      /Node lives in no namespace/,
    ],
    [
      (c) => pods(c).create({ metadata: { name: 'p', namespace: 'b' } }),
      /metadata\.namespace of the Pod is "b", but the client is for namespace "a"/,
    ],
    [(c) => pods(c).create({}), /the Pod to create has neither metadata\.name nor metadata\.generateName/],
    [(c) => pods(c).replace({}), /the Pod has no metadata\.name/],
    [
      (c) => pods(c).create({ kind: 'Node', metadata: { name: 'p' } } as unknown as Pod),
      /kind of the Pod is "Node", but the client is for "Pod"/,
    ],
    [
      (c) => pods(c).create({ apiVersion: 'v2', metadata: { name: 'p' } } as unknown as Pod),
      /apiVersion of the Pod is "v2"/,
    ],
    [(c) => pods(c).create(null as unknown as Pod), /a Pod must be an object, but it is null/],
    [(c) => pods(c).patch('p', 'x' as unknown as object), /a patch must be an object or a list/],
    [(c) => pods(c).patch('p', [], { type: 'merge' }), /a merge patch must be an object, but it is a list/],
    [
      (c) => pods(c).patch('p', {}, { type: 'json' }),
      /a json patch must be a list of operations, but it is an object/,
    ],
    [(c) => pods(c).apply(named('p')), /to apply a Pod needs a fieldManager/],
    [
      (c) => pods(c).apply({ metadata: { name: 'p', managedFields: [] } }, { fieldManager: 'me' }),
      /must have no metadata\.managedFields/,
    ],
    [(c) => pods(c).apply({}, { fieldManager: 'me' }), /the Pod has no metadata\.name/],
    [(c) => c.resource(Node).evict('n'), /only pods can be evicted, but this client is for Node/],
    [(c) => c.resource(Node).bind('n', 'x'), /only pods can be bound/],
    [(c) => pods(c).createToken('p'), /only serviceaccounts can be given tokens/],
  ];
  for (const [call, message] of rows) {
    const { client, transport } = setUp();
    await assert.rejects(
      async () => call(client),
      (error: unknown) => {
        assert.ok(error instanceof InvalidRequestError, String(error));
        assert.match(error.message, message);
        return true;
      },
    );
    assert.equal(transport.requests.length, 0, String(message));
  }
});

test('an answer that is no object is an error, and a list without items is empty', async () => {
  await assert.rejects(setUp({}, Buffer.from('<html>')).client.resource(Node).get('n'), {
    code: 'BAD_RESPONSE',
    message: /is this a Kubernetes API server\?/,
  });
  await assert.rejects(setUp({}, 'text').client.resource(Node).list(), { code: 'BAD_RESPONSE' });
  const { items } = await setUp({}, { metadata: {}, items: null }).client.resource(Node).list();
  assert.deepEqual(items, []);
});

test('a refusal is a StatusError', async () => {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'NotFound',
    code: 404,
    message: 'pods "p" not found',
  };
  const transport = new FakeTransport({ onRequest: () => ({ status: 404, body: status }) });
  const client = createClient({ transport });
  await assert.rejects(client.resource(Pod).namespace('a').get('p'), {
    code: 'STATUS_NOT_FOUND',
    message: 'pods "p" not found',
  });
});

test('a transport that was given is not closed with the client', async () => {
  const { client, transport } = setUp();
  await client.close();
  assert.equal(transport.closed, false);
});
