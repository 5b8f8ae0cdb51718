import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { request } from 'node:https';
import { test } from 'node:test';
import { PLAIN_USER, type RealClusterAccess, sharedRealCluster, startRealCluster } from './harness/index.ts';
import { kubernetesVersion } from './harness/paths.ts';

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

interface Call {
  readonly method?: string;
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly body?: object;
}

function call(cluster: RealClusterAccess, path: string, options: Call = {}): Promise<Answer> {
  const { method = 'GET', token, body, ...tls } = options;
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  return new Promise((resolve, reject) => {
    const sent = request(
      `${cluster.server}${path}`,
      { ca: cluster.ca, ...tls, method, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const parsed = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text };
          resolve({ status: response.statusCode ?? 0, body: parsed });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const whoAmI = {
  method: 'POST',
  body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
};

test('serves the pinned release', async () => {
  const cluster = await sharedRealCluster();
  const { body } = await call(cluster, '/version', { token: cluster.adminToken });
  assert.equal(body['gitVersion'], kubernetesVersion());
});

test('knows each credential, and nobody without one', async () => {
  const cluster = await sharedRealCluster();
  const rows: readonly [string, Call, number, string | undefined][] = [
    ['admin certificate', cluster.admin, 201, 'admin'],
    ['admin token', { token: cluster.adminToken }, 201, 'admin'],
    ['user certificate', cluster.user, 201, PLAIN_USER],
    ['user token', { token: cluster.userToken }, 201, PLAIN_USER],
    ['wrong token', { token: 'wrong' }, 401, undefined],
    ['none', {}, 401, undefined],
  ];
  for (const [name, { cert, key, token }, status, user] of rows) {
    const answer = await call(cluster, '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      ...whoAmI,
      ...(cert !== undefined && key !== undefined ? { cert, key } : {}),
      ...(token === undefined ? {} : { token }),
    });
    const review = answer.body['status'];
    const info = typeof review === 'object' ? (review as { userInfo?: { username: string } }) : undefined;
    assert.deepEqual([answer.status, info?.userInfo?.username], [status, user], name);
  }
});

test('lets only the admin do things', async () => {
  const cluster = await sharedRealCluster();
  const { status: admin } = await call(cluster, '/api/v1/secrets', { token: cluster.adminToken });
  const { status: user } = await call(cluster, '/api/v1/secrets', { token: cluster.userToken });
  assert.deepEqual([admin, user], [200, 403]);
});

test('takes a pod without a controller manager', async () => {
  const cluster = await sharedRealCluster();
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { generateName: 'harness-', namespace: 'default' },
    spec: { containers: [{ name: 'main', image: 'example.invalid/none' }] },
  };
  const path = '/api/v1/namespaces/default/pods';
  const answer = await call(cluster, path, { method: 'POST', body: pod, token: cluster.adminToken });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
});

test('a cluster of one`s own survives a killed API server and leaves nothing behind', async () => {
  const cluster = await startRealCluster();
  const read = (name: string) =>
    call(cluster, `/api/v1/namespaces/default/configmaps/${name}`, { token: cluster.adminToken });
  try {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' } };
    const path = '/api/v1/namespaces/default/configmaps';
    const made = await call(cluster, path, { method: 'POST', body, token: cluster.adminToken });
    assert.equal(made.status, 201);
    await cluster.killApiServer();
    await assert.rejects(read('kept'), { code: 'ECONNREFUSED' });
    await cluster.restartApiServer();
    assert.equal((await read('kept')).status, 200);
    const issued = await cluster.issueClientCertificate({ user: 'late', groups: ['system:masters'] });
    const path2 = '/api/v1/namespaces/default/configmaps/kept';
    assert.equal((await call(cluster, path2, { cert: issued.cert, key: issued.key })).status, 200);
    const list = await call(cluster, '/api/v1/configmaps?limit=1', { token: cluster.adminToken });
    const metadata = list.body['metadata'] as { continue: string };
    await cluster.compactEtcd();
    // Writes move the revision past the token's; only then is it gone.
    await call(cluster, path2, { method: 'DELETE', token: cluster.adminToken });
    await cluster.compactEtcd();
    const next = `/api/v1/configmaps?limit=1&continue=${encodeURIComponent(metadata.continue)}`;
    assert.equal((await call(cluster, next, { token: cluster.adminToken })).status, 410);
  } finally {
    await cluster.stop();
  }
  assert.equal(existsSync(cluster.kubeconfigPath), false);
  await assert.rejects(read('kept'), { code: 'ECONNREFUSED' });
  await assert.rejects(fetch(`${cluster.etcdUrl}/health`));
});
