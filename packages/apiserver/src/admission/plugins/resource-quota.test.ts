// What a quota lets in. No controller runs here: the server's own counting must hold by itself.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiResponse, Status } from '@windlass/apimachinery';
import { ResourceQuota } from '@windlass/apimachinery/api/core/v1';
import { TestCluster } from '@windlass/cluster/testing';

type Hard = Readonly<Record<string, string>>;

class Quota implements AsyncDisposable {
  readonly cluster = new TestCluster();

  post(path: string, body: object, query: Readonly<Record<string, string>> = {}): Promise<ApiResponse> {
    return this.cluster
      .transport()
      .request({ method: 'POST', path: `/api/v1/namespaces/default/${path}`, body, query });
  }

  async limit(hard: Hard): Promise<void> {
    const { status } = await this.post('resourcequotas', { metadata: { name: 'q' }, spec: { hard } });
    assert.equal(status, 201);
  }

  async used(): Promise<unknown> {
    const quota = await this.cluster.client.resource(ResourceQuota).namespace('default').get('q');
    return quota.status?.used;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cluster[Symbol.asyncDispose]();
  }
}

const service = (name: string, type = 'ClusterIP'): object => ({
  metadata: { name },
  spec: { type, ports: [{ port: 80 }] },
});
const claim = (name: string, storage: string): object => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});
const pod = (name: string, resources: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'a', image: 'a', resources }] },
});
const created = async (answer: Promise<ApiResponse>): Promise<void> => {
  const { status, body } = await answer;
  assert.equal(status, 201, JSON.stringify(body));
};
const refused = async (answer: Promise<ApiResponse>, text: RegExp): Promise<void> => {
  const { status, body } = await answer;
  assert.equal(status, 403);
  assert.match((body as Status).message ?? '', text);
};

describe('a quota that nobody has counted yet', () => {
  test('counts what is there before it lets the first object in', async () => {
    await using quota = new Quota();
    for (const name of ['a', 'b']) await created(quota.post('services', service(name)));
    await quota.limit({ services: '2' });
    await refused(
      quota.post('services', service('c')),
      /exceeded quota: q, requested: services=1, used: services=2, limited: services=2/,
    );
  });

  test('lets in what there is room for, and says what is used then', async () => {
    await using quota = new Quota();
    await created(quota.post('configmaps', { metadata: { name: 'a' } }));
    await quota.limit({ 'count/configmaps': '2', services: '9' });
    await created(quota.post('configmaps', { metadata: { name: 'b' } }));
    assert.deepEqual(await quota.used(), { 'count/configmaps': '2', services: '0' });
  });
});

describe('a quota whose usage is known', () => {
  test('takes the usage as it is while there is room', async () => {
    await using quota = new Quota();
    await quota.limit({ 'count/configmaps': '9' });
    await created(quota.post('configmaps', { metadata: { name: 'a' } }));
    const quotas = quota.cluster.client.resource(ResourceQuota).namespace('default');
    const used = { 'count/configmaps': '5' };
    await quotas.status.replace({ ...(await quotas.get('q')), status: { used } });
    await created(quota.post('configmaps', { metadata: { name: 'b' } }));
    assert.deepEqual(await quota.used(), { 'count/configmaps': '6' });
  });

  test('is counted again before anything is refused', async () => {
    await using quota = new Quota();
    await quota.limit({ 'count/configmaps': '5' });
    const quotas = quota.cluster.client.resource(ResourceQuota).namespace('default');
    const used = { 'count/configmaps': '5' };
    await quotas.status.replace({ ...(await quotas.get('q')), status: { used } });
    await created(quota.post('configmaps', { metadata: { name: 'a' } }));
    assert.deepEqual(await quota.used(), { 'count/configmaps': '1' });
  });

  test('is not charged by a dry run', async () => {
    await using quota = new Quota();
    await quota.limit({ 'count/configmaps': '2' });
    await created(quota.post('configmaps', { metadata: { name: 'a' } }));
    await created(quota.post('configmaps', { metadata: { name: 'b' } }, { dryRun: 'All' }));
    assert.deepEqual(await quota.used(), { 'count/configmaps': '1' });
    await created(quota.post('configmaps', { metadata: { name: 'b' } }));
    await refused(quota.post('configmaps', { metadata: { name: 'c' } }, { dryRun: 'All' }), /exceeded quota/);
  });

  test('never lets too many in that come at once', async () => {
    await using quota = new Quota();
    await quota.limit({ 'count/configmaps': '4' });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => quota.post('configmaps', { metadata: { name: `c-${at}` } })),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 4);
    assert.deepEqual(await quota.used(), { 'count/configmaps': '4' });
  });

  test('is charged for what an update adds, and refuses only that', async () => {
    await using quota = new Quota();
    await quota.limit({ 'services.nodeports': '1' });
    await created(quota.post('services', service('a')));
    assert.deepEqual(await quota.used(), undefined, 'a service without node ports costs nothing');
    const change = (name: string, type: string): Promise<ApiResponse> =>
      quota.cluster.transport().request({
        method: 'PATCH',
        path: `/api/v1/namespaces/default/services/${name}`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { spec: { type } },
      });
    assert.equal((await change('a', 'NodePort')).status, 200);
    assert.deepEqual(await quota.used(), { 'services.nodeports': '1' });
    await created(quota.post('services', service('b')));
    await refused(change('b', 'NodePort'), /requested: services.nodeports=1, used: services.nodeports=1/);
    assert.equal((await change('a', 'ClusterIP')).status, 200);
  });
});

describe('what a quota says', () => {
  test('names every resource that there is too little of, sorted', async () => {
    await using quota = new Quota();
    await quota.limit({ 'requests.storage': '3Gi', persistentvolumeclaims: '1' });
    await created(quota.post('persistentvolumeclaims', claim('a', '2Gi')));
    await refused(
      quota.post('persistentvolumeclaims', claim('b', '2Gi')),
      /requested: persistentvolumeclaims=1,requests.storage=2Gi, used: persistentvolumeclaims=1,requests.storage=2Gi, limited: persistentvolumeclaims=1,requests.storage=3Gi/,
    );
  });

  test('asks a pod for what it limits', async () => {
    await using quota = new Quota();
    await quota.limit({ 'limits.cpu': '2', 'requests.memory': '1Gi' });
    await refused(
      quota.post('pods', pod('a', { limits: { cpu: '1' } })),
      /failed quota: q: must specify requests.memory for: a$/,
    );
    await created(quota.post('pods', pod('a', { limits: { cpu: '1', memory: '1Mi' } })));
    await refused(
      quota.post('pods', pod('b', { limits: { cpu: '1500m', memory: '1Mi' } })),
      /requested: limits.cpu=1500m, used: limits.cpu=1, limited: limits.cpu=2/,
    );
  });

  test('is not about quotas themselves', async () => {
    await using quota = new Quota();
    await quota.limit({ 'count/resourcequotas': '1' });
    await created(quota.post('resourcequotas', { metadata: { name: 'another' }, spec: { hard: {} } }));
  });
});
