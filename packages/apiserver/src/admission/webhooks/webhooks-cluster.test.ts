// Admission webhooks over real HTTPS, through the whole server.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { ApiResponse, Status } from '@windlass/apimachinery';
import { issueCertificate, realClock, systemRandom } from '@windlass/base';
import { type RunningCluster, startCluster } from '@windlass/cluster';

const issuer = { clock: realClock, random: systemRandom };
const authority = issueCertificate({ commonName: 'hooks', usage: 'authority', validDays: 1 }, issuer);
const pair = issueCertificate(
  { commonName: 'hook', hosts: ['127.0.0.1'], usage: 'server', validDays: 1 },
  issuer,
  authority,
);
const PATCH = [{ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }];

const asked: { path: string; name: string; kind: object; requestKind: object }[] = [];

let cluster: RunningCluster;
let server: Server;
let url: string;
before(async () => {
  cluster = await startCluster();
  server = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { uid, object, kind, requestKind } = JSON.parse(Buffer.concat(chunks).toString()).request;
      asked.push({ path: request.url ?? '', name: object?.metadata.name, kind, requestKind });
      const isBad = object?.data?.bad === 'yes';
      const answer = request.url?.startsWith('/mutate')
        ? {
            uid,
            allowed: true,
            patchType: 'JSONPatch',
            patch: Buffer.from(JSON.stringify(PATCH)).toString('base64'),
          }
        : { uid, allowed: !isBad, status: { message: 'it is bad' }, warnings: ['looked at'] };
      response.end(
        JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: answer }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await cluster.stop();
});

const create = (path: string, body: object): Promise<ApiResponse> =>
  cluster.transport().request({ method: 'POST', path, body });
const configMap = (name: string, data: object): Promise<ApiResponse> =>
  create('/api/v1/namespaces/default/configmaps', { metadata: { name }, data });
const configuration = (name: string, path: string, more: object = {}): object => ({
  metadata: { name },
  webhooks: [
    {
      name: `${name}.example.org`,
      clientConfig: { url: `${url}${path}`, caBundle: Buffer.from(authority.cert).toString('base64') },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...more,
    },
  ],
});
const API = '/apis/admissionregistration.k8s.io/v1';

test('webhooks change, refuse and fail as they are told', async () => {
  const made = await create(`${API}/mutatingwebhookconfigurations`, configuration('change', '/mutate'));
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await create(`${API}/validatingwebhookconfigurations`, configuration('check', '/validate'));
  const good = await configMap('good', { a: 'b' });
  assert.equal(good.status, 201, JSON.stringify(good.body));
  assert.equal(
    (good.body as { metadata: { labels: Record<string, string> } }).metadata.labels['seen'],
    'yes',
  );
  assert.match(good.headers['warning'] ?? '', /looked at/);
  const bad = await configMap('bad', { bad: 'yes' });
  assert.equal(bad.status, 403);
  assert.equal(
    (bad.body as Status).message,
    'admission webhook "check.example.org" denied the request: it is bad',
  );
  const dead = { clientConfig: { url: 'https://127.0.0.1:1/x' }, timeoutSeconds: 1 };
  await create(
    `${API}/validatingwebhookconfigurations`,
    configuration('may-fail', '', { ...dead, failurePolicy: 'Ignore' }),
  );
  assert.equal((await configMap('ignored', {})).status, 201);
  await create(
    `${API}/validatingwebhookconfigurations`,
    configuration('must-work', '', { ...dead, failurePolicy: 'Fail' }),
  );
  const failed = await configMap('failed', {});
  assert.equal(failed.status, 500);
  assert.match((failed.body as Status).message ?? '', /failed calling webhook "must-work.example.org"/);
});

test('webhooks with conditions are asked only when all of them hold', async () => {
  const path = `${API}/validatingwebhookconfigurations`;
  for (const name of ['may-fail', 'must-work'])
    await cluster.transport().request({ method: 'DELETE', path: `${path}/${name}` });
  const matchConditions = [
    { name: 'named', expression: "object.metadata.name.startsWith('asked')" },
    { name: 'mine', expression: "request.userInfo.username == 'system:apiserver'" },
  ];
  const made = await create(path, configuration('conditional', '/conditional', { matchConditions }));
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.equal((await configMap('asked-a', {})).status, 201);
  assert.equal((await configMap('other', {})).status, 201);
  const names = asked.filter((one) => one.path.startsWith('/conditional')).map(({ name }) => name);
  assert.deepEqual(names, ['asked-a']);
  const broken = { matchConditions: [{ name: 'broken', expression: "object.spec.x == 'y'" }] };
  await create(path, configuration('broken', '/broken', broken));
  const failed = await configMap('refused', {});
  assert.equal(failed.status, 403);
  assert.equal(
    (failed.body as Status).message,
    "configmaps \"refused\" is forbidden: expression 'object.spec.x == 'y'' resulted in error: no such key: spec",
  );
  await cluster.transport().request({ method: 'DELETE', path: `${path}/broken` });
  await create(path, configuration('broken', '/broken', { ...broken, failurePolicy: 'Ignore' }));
  assert.equal((await configMap('passes', {})).status, 201);
  assert.equal(asked.filter((one) => one.path.startsWith('/broken')).length, 0);
});

test('conditions that are no expressions are refused', async () => {
  const matchConditions = [
    { name: 'a b', expression: 'object.x ==' },
    { name: 'text', expression: "'text'" },
    { name: 'text', expression: 'true' },
  ];
  const answer = await create(
    `${API}/validatingwebhookconfigurations`,
    configuration('bad', '/bad', { matchConditions }),
  );
  assert.equal(answer.status, 422);
  const causes = (answer.body as Status).details?.causes ?? [];
  assert.deepEqual(
    causes.map(({ reason, field }) => `${reason} ${field}`),
    [
      'FieldValueInvalid webhooks[0].matchConditions[0].expression',
      'FieldValueInvalid webhooks[0].matchConditions[0].name',
      'FieldValueInvalid webhooks[0].matchConditions[1].expression',
      'FieldValueDuplicate webhooks[0].matchConditions[2].name',
    ],
  );
  assert.match(causes[2]?.message ?? '', /must evaluate to bool but got string/);
});

test('webhooks see another version of a resource in the one they ask for', async () => {
  const rules = [
    {
      apiGroups: ['autoscaling'],
      apiVersions: ['v1'],
      operations: ['CREATE'],
      resources: ['horizontalpodautoscalers'],
    },
  ];
  await create(`${API}/mutatingwebhookconfigurations`, configuration('scaler', '/mutate-v1', { rules }));
  await create(
    `${API}/mutatingwebhookconfigurations`,
    configuration('exact', '/mutate-exact', { rules, matchPolicy: 'Exact' }),
  );
  const made = await create('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
    metadata: { name: 'scaler' },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
        },
      ],
    },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const scaler = made.body as {
    metadata: { labels: object; annotations?: object };
    spec: { metrics: { resource: { name: string } }[] };
  };
  assert.deepEqual(scaler.metadata.labels, { seen: 'yes' });
  assert.equal(scaler.metadata.annotations, undefined);
  assert.equal(scaler.spec.metrics[0]?.resource.name, 'memory');
  const kind = { group: 'autoscaling', kind: 'HorizontalPodAutoscaler' };
  const questions = asked.filter(({ path }) => path.startsWith('/mutate-'));
  assert.deepEqual(
    questions.map((one) => [one.path.split('?')[0], one.kind, one.requestKind]),
    [['/mutate-v1', { ...kind, version: 'v1' }, { ...kind, version: 'v2' }]],
  );
});
