// What webhooks are asked by our API server and by a real one: the same requests go to both.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { issueCertificate, realClock, systemRandom } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import { type Call, JsonApi } from './support/json-api.ts';

type Fields = Readonly<Record<string, unknown>>;

const issuer = { clock: realClock, random: systemRandom };
const ca = issueCertificate({ commonName: 'hooks', usage: 'authority', validDays: 1 }, issuer);
const leaf = { commonName: 'hook', hosts: ['127.0.0.1'], usage: 'server', validDays: 1 } as const;
const pair = issueCertificate(leaf, issuer, ca);
const SPACE = 'webhooks-real';
const HOME = `/api/v1/namespaces/${SPACE}`;
const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

let real: JsonApi;
let ours: RunningCluster;
let hooks: Server;
const asked: { readonly by: string; readonly request: Fields }[] = [];

before(async () => {
  hooks = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(chunks).toString()) as { request: Fields };
      asked.push({ by: request.url?.slice(1, 5) ?? '', request: review.request });
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          ...review,
          request: undefined,
          response: { uid: review.request['uid'], allowed: true },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve));
  real = await JsonApi.open();
  ours = await startCluster({});
  await both('POST', '/api/v1/namespaces', {
    body: { metadata: { name: SPACE, labels: { hooked: 'yes' } } },
  });
  const url = `https://127.0.0.1:${(hooks.address() as AddressInfo).port}`;
  const configuration = (path: string): Fields => ({
    metadata: { name: SPACE },
    webhooks: [
      {
        name: 'all.example.org',
        clientConfig: { url: `${url}/${path}`, caBundle: Buffer.from(ca.cert).toString('base64') },
        rules: [
          { apiGroups: ['', 'apps'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] },
          { apiGroups: ['autoscaling'], apiVersions: ['v1'], operations: ['*'], resources: ['*/*'] },
        ],
        namespaceSelector: { matchLabels: { hooked: 'yes' } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  });
  await real.must(real.post(CONFIGURATIONS, configuration('real')));
  const made = await ours
    .transport()
    .request({ method: 'POST', path: CONFIGURATIONS, body: configuration('ours') });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await until('the webhook is asked', async () => {
    await real.post(`${HOME}/configmaps`, { metadata: { name: 'probe' } }, { query: { dryRun: 'All' } });
    return asked.length > 0;
  });
});

after(async () => {
  await real?.call('DELETE', `${CONFIGURATIONS}/${SPACE}`);
  real?.[Symbol.dispose]();
  await ours?.stop();
  hooks?.closeAllConnections();
  hooks?.close();
});

async function both(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  call: Call = {},
): Promise<void> {
  const theirs = await real.call(method, path, call);
  const mine = await ours.transport().request({
    method,
    path,
    headers: { 'user-agent': 'windlass-tests/1', 'content-type': call.contentType ?? 'application/json' },
    ...(call.query !== undefined && { query: call.query }),
    ...(call.body !== undefined && { body: call.body }),
  });
  assert.equal(mine.status, theirs.status, `${method} ${path}: ${JSON.stringify([mine.body, theirs.body])}`);
}

/** Different in every run, or by whom it was asked. */
const VARYING = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'userInfo', 'time']);

function shown(by: string): unknown[] {
  return asked
    .filter((one) => one.by === by)
    .map(
      ({ request }) =>
        JSON.parse(
          JSON.stringify(request, (key, value: unknown) => {
            if (VARYING.has(key)) return undefined;
            return typeof value === 'string' ? value.replace(/^(made-)\w{5}$/, '$1') : value;
          }),
        ) as unknown,
    );
}

const MERGE = 'application/merge-patch+json';
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const autoscaler = {
  metadata: { name: 'h' },
  spec: {
    maxReplicas: 3,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    metrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
      },
    ],
  },
};
const APPS = `/apis/apps/v1/namespaces/${SPACE}/deployments`;

describe('webhooks are asked the same', () => {
  before(async () => {
    await both('POST', `${HOME}/serviceaccounts`, { body: { metadata: { name: 'tester' } } });
    const spec = { containers: [{ name: 'c', image: 'i' }], serviceAccountName: 'tester' };
    await both('POST', `${HOME}/pods`, { body: { metadata: { name: 'p' }, spec } });
  });

  for (const [what, method, path, call] of [
    ['a creation', 'POST', `${HOME}/configmaps`, { body: { metadata: { name: 'a' }, data: { a: 'b' } } }],
    [
      'a dry run',
      'POST',
      `${HOME}/configmaps`,
      { body: { metadata: { name: 'x' } }, query: { dryRun: 'All', fieldManager: 'me' } },
    ],
    ['a name that is made', 'POST', `${HOME}/configmaps`, { body: { metadata: { generateName: 'made-' } } }],
    ['an update', 'PUT', `${HOME}/configmaps/a`, { body: { metadata: { name: 'a' }, data: { a: 'c' } } }],
    ['a patch', 'PATCH', `${HOME}/configmaps/a`, { body: { data: { x: 'y' } }, contentType: MERGE }],
    [
      'an apply',
      'PATCH',
      `${HOME}/configmaps/b`,
      {
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } },
        contentType: 'application/apply-patch+yaml',
        query: { fieldManager: 'me', force: 'true' },
      },
    ],
    ['a deletion', 'DELETE', `${HOME}/configmaps/a`, { body: { propagationPolicy: 'Background' } }],
    ['a deletion of all', 'DELETE', `${HOME}/configmaps`, { query: { labelSelector: 'none=none' } }],
    ['a namespace', 'PATCH', HOME, { body: { metadata: { labels: { more: 'yes' } } }, contentType: MERGE }],
    [
      'a deployment',
      'POST',
      APPS,
      { body: { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } } },
    ],
    ['its scale', 'PATCH', `${APPS}/d/scale`, { body: { spec: { replicas: 3 } }, contentType: MERGE }],
    ['its status', 'PATCH', `${APPS}/d/status`, { body: { status: { replicas: 2 } }, contentType: MERGE }],
    [
      'an eviction',
      'POST',
      `${HOME}/pods/p/eviction`,
      {
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } },
        query: { dryRun: 'All' },
      },
    ],
    [
      'a binding',
      'POST',
      `${HOME}/pods/p/binding`,
      {
        body: {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: 'p' },
          target: { kind: 'Node', name: 'n' },
        },
      },
    ],
    [
      'another version',
      'POST',
      `/apis/autoscaling/v2/namespaces/${SPACE}/horizontalpodautoscalers`,
      { body: autoscaler },
    ],
  ] as const)
    it(what, async () => {
      asked.length = 0;
      await both(method, path, call);
      const theirs = shown('real');
      assert.ok(theirs.length > 0 || what === 'a deletion of all');
      assert.deepEqual(shown('ours'), theirs);
    });
});
