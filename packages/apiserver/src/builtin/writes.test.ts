// What built-in kinds make of a write, where a real server has shown how.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiRequest, KubeObject } from '@windlass/apimachinery';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';

type Answer = KubeObject & { readonly [field: string]: unknown };

const server = new ApiServer({ store: createMemoryStore() });
const transport = server.transport();
after(() => server.close());

const PODS = '/api/v1/namespaces/default/pods';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

async function call(
  method: ApiRequest['method'],
  path: string,
  body?: unknown,
  more: Partial<ApiRequest> = {},
): Promise<{ readonly status: number; readonly body: Answer }> {
  const answer = await transport.request({ method, path, ...(body !== undefined && { body }), ...more });
  return { status: answer.status, body: answer.body as Answer };
}

const pod = (name: string, spec: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

test('texts of a secret are kept as data, and never read as texts', async () => {
  const { body } = await call('POST', '/api/v1/namespaces/default/secrets', {
    metadata: { name: 'texts' },
    data: { a: 'eA==', b: 'eA==' },
    stringData: { b: 'é' },
  });
  assert.deepEqual(body['data'], { a: 'eA==', b: Buffer.from('é').toString('base64') });
  assert.equal(body['stringData'], undefined);
});

test('a patch of what is not there says so, even where an update would create it', async () => {
  const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/none';
  const { status } = await call('PATCH', path, { spec: {} }, { headers: MERGE });
  assert.equal(status, 404);
});

test('who scales owns the replicas', async () => {
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
  await call('POST', path, { metadata: { name: 'scaled' }, spec }, { query: { fieldManager: 'maker' } });
  const scale = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'scaled' },
    spec: { replicas: 3 },
  };
  const query = { fieldManager: 'scaler', force: 'true' };
  const applied = await call('PATCH', `${path}/scaled/scale`, scale, { headers: APPLY, query });
  assert.equal(applied.status, 200);
  const { body } = await call('GET', `${path}/scaled`);
  const owners = (body.metadata?.managedFields ?? [])
    .filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes('f:replicas'))
    .map(({ manager, operation, subresource }) => [manager, operation, subresource]);
  assert.deepEqual(owners, [['scaler', 'Apply', 'scale']]);
});

test('a pod that is evicted says why before it goes', async () => {
  await call('POST', PODS, pod('evicted', { nodeName: 'n' }));
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'evicted' } };
  assert.equal((await call('POST', `${PODS}/evicted/eviction`, eviction)).status, 201);
  const { body } = await call('GET', `${PODS}/evicted`);
  const { conditions = [] } = body['status'] as { conditions?: { type: string }[] };
  assert.deepEqual(
    conditions.map(({ type }) => type),
    ['DisruptionTarget'],
  );
  // A second later: who evicts once more changes nothing.
  await delay(1001);
  assert.equal((await call('POST', `${PODS}/evicted/eviction`, eviction)).status, 201);
  const again = await call('GET', `${PODS}/evicted`);
  assert.equal(again.body.metadata?.resourceVersion, body.metadata?.resourceVersion);
});

test('a pod that goes at once is seen once more, as deleted', async () => {
  const made = await call('POST', PODS, pod('gone'));
  const { body } = await call('DELETE', `${PODS}/gone`);
  assert.equal(body.metadata?.deletionGracePeriodSeconds, 0);
  assert.equal(body.metadata?.generation, (made.body.metadata?.generation ?? 0) + 1);
  assert.equal((await call('GET', `${PODS}/gone`)).status, 404);
});

test('a bound pod keeps its generation', async () => {
  await call('POST', PODS, pod('bound'));
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'bound' }, target: { name: 'n' } };
  assert.equal((await call('POST', `${PODS}/bound/binding`, binding)).status, 201);
  const { body } = await call('GET', `${PODS}/bound`);
  assert.equal(body.metadata?.generation, 1);
  assert.equal((body['spec'] as { nodeName: string }).nodeName, 'n');
});

test('a job orphans its pods unless told otherwise, a cron job does not orphan its jobs', async () => {
  const jobTemplate = { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } };
  const jobs = '/apis/batch/v1/namespaces/default';
  await call('POST', `${jobs}/jobs`, { metadata: { name: 'j' }, spec: { template: jobTemplate } });
  const spec = { schedule: '@hourly', jobTemplate: { spec: { template: jobTemplate } } };
  await call('POST', `${jobs}/cronjobs`, { metadata: { name: 'j' }, spec });
  const job = await call('DELETE', `${jobs}/jobs/j`);
  assert.deepEqual(job.body.metadata?.finalizers, ['orphan']);
  assert.equal((await call('DELETE', `${jobs}/cronjobs/j`)).body.kind, 'Status');
});

test('amounts are rounded up to the thousandth', async () => {
  const spec = { hard: { 'requests.cpu': '0.0001' } };
  const { body } = await call('POST', '/api/v1/namespaces/default/resourcequotas', {
    metadata: { name: 'q' },
    spec,
  });
  assert.deepEqual(body['spec'], { hard: { 'requests.cpu': '1m' } });
});

test('a claim says twice what it is filled from', async () => {
  const source = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' };
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    dataSourceRef: source,
  };
  const { body } = await call('POST', '/api/v1/namespaces/default/persistentvolumeclaims', {
    metadata: { name: 'c' },
    spec,
  });
  assert.deepEqual((body['spec'] as { dataSource: unknown }).dataSource, source);
});

test('owners in one version keep their fields when another version is written', async () => {
  const path = (version: string): string =>
    `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' };
  const spec = { maxReplicas: 3, scaleTargetRef, targetCPUUtilizationPercentage: 50 };
  await call('POST', path('v1'), { metadata: { name: 'h' }, spec }, { query: { fieldManager: 'old' } });
  const patched = await call(
    'PATCH',
    `${path('v2')}/h`,
    { spec: { maxReplicas: 4 } },
    { headers: MERGE, query: { fieldManager: 'new' } },
  );
  assert.equal(patched.status, 200);
  const owners = (patched.body.metadata?.managedFields ?? []).map(({ manager, apiVersion, fieldsV1 }) => [
    manager,
    apiVersion,
    JSON.stringify(fieldsV1).includes('f:maxReplicas'),
  ]);
  assert.deepEqual(owners, [
    ['new', 'autoscaling/v2', true],
    ['old', 'autoscaling/v1', false],
  ]);
});
