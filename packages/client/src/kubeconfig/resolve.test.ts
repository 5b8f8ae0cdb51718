import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { ClientConfig } from '../config.ts';
import { KubeconfigError } from '../errors.ts';
import { reveal } from '../secret.ts';
import { parseKubeconfig } from './parse.ts';
import { resolveContext } from './resolve.ts';

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const DATA = Buffer.from(PEM).toString('base64');

interface Parts {
  readonly cluster?: Record<string, unknown>;
  readonly user?: Record<string, unknown>;
  readonly context?: Record<string, unknown>;
}

/** A kubeconfig of one context `c` with one cluster `k` and one user `u`. */
async function resolve(parts: Parts, contextName?: string): Promise<ClientConfig> {
  const document = {
    'current-context': 'c',
    clusters: [{ name: 'k', cluster: { server: 'https://api:6443', ...parts.cluster } }],
    users: [{ name: 'u', user: { ...parts.user } }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', ...parts.context } }],
  };
  return resolveContext(await parseKubeconfig(JSON.stringify(document), '/k'), contextName);
}

test('a context becomes a configuration', async () => {
  const config = await resolve({
    cluster: { 'certificate-authority-data': DATA, 'tls-server-name': 'api', 'proxy-url': 'http://p:3128' },
    user: { 'client-certificate-data': DATA, 'client-key': '/key', as: 'jane', 'as-groups': ['dev'] },
    context: { namespace: 'web' },
  });
  assert.equal(config.server, 'https://api:6443');
  assert.equal(config.namespace, 'web');
  assert.equal(config.source, '/k, context "c"');
  const { ca, cert, key, serverName } = config.tls ?? {};
  assert.ok(ca !== undefined && 'data' in ca && reveal(ca.data) === PEM);
  assert.ok(cert !== undefined && 'data' in cert && reveal(cert.data) === PEM);
  assert.deepEqual(key, { file: '/key' });
  assert.equal(serverName, 'api');
  assert.deepEqual(config.impersonate, { user: 'jane', groups: ['dev'] });
  assert.ok(!inspect(config, { depth: 9 }).includes('MIIB'));
  assert.ok(!JSON.stringify(config).includes('MIIB'));
});

test('servers as people write them', async () => {
  const server = async (cluster: Record<string, unknown>): Promise<string> =>
    (await resolve({ cluster })).server;
  assert.equal(
    await server({ server: 'https://rancher/k8s/clusters/c-1/' }),
    'https://rancher/k8s/clusters/c-1',
  );
  assert.equal(await server({ server: 'localhost:8080' }), 'http://localhost:8080');
  assert.equal(
    await server({ server: '10.0.0.1:6443', 'certificate-authority-data': DATA }),
    'https://10.0.0.1:6443',
  );
  assert.equal(await server({ server: 'https://[::1]:6443' }), 'https://[::1]:6443');
});

test('which credential wins: token file, token, user and password, plugin', async () => {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1beta1', command: 'login' };
  const type = async (user: Record<string, unknown>): Promise<string | undefined> =>
    (await resolve({ user })).auth?.type;
  assert.equal(await type({}), undefined);
  assert.equal(await type({ exec }), 'exec');
  assert.equal(await type({ exec, username: 'u', password: 'p' }), 'basic');
  assert.equal(await type({ exec, token: 't' }), 'token');
  assert.equal(await type({ exec, token: 't', tokenFile: '/t' }), 'tokenFile');
});

test('a plugin: v1beta1 may be interactive by default; the cluster is described when asked for', async () => {
  const base = { apiVersion: 'client.authentication.k8s.io/v1beta1', command: 'login' };
  const { auth } = await resolve({ user: { exec: base } });
  assert.ok(auth?.type === 'exec');
  assert.deepEqual(auth.exec, { ...base, interactiveMode: 'IfAvailable', args: [], env: {} });
  const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { a: 1 } }];
  const described = await resolve({
    cluster: { extensions },
    user: { exec: { ...base, interactiveMode: 'Never', provideClusterInfo: true } },
  });
  assert.ok(described.auth?.type === 'exec');
  assert.deepEqual(described.auth.exec.clusterConfig, { a: 1 });
  assert.equal(described.auth.exec.interactiveMode, 'Never');
});

test('credentials do not go over plain http, and a context without a user is anonymous', async () => {
  const plain = await resolve({ cluster: { server: 'http://api' }, user: { token: 't', as: 'jane' } });
  assert.equal(plain.auth, undefined);
  assert.equal(plain.impersonate, undefined);
  assert.equal((await resolve({ context: { user: '' }, user: { token: 't' } })).auth, undefined);
});

test('one broken entry does not lock out of another context', async () => {
  const config = await parseKubeconfig(
    JSON.stringify({
      clusters: [
        { name: 'good', cluster: { server: 'https://a' } },
        { name: 'bad', cluster: {} },
      ],
      contexts: [
        { name: 'good', context: { cluster: 'good' } },
        { name: 'bad', context: { cluster: 'bad' } },
      ],
    }),
    '/k',
  );
  assert.equal(resolveContext(config, 'good').server, 'https://a');
  assert.throws(
    () => resolveContext(config, 'bad'),
    /context "bad", clusters\[bad\]\.cluster\.server: is missing/,
  );
});

const V1 = 'client.authentication.k8s.io/v1';
const WRONG: readonly (readonly [field: string, parts: Parts, problem: RegExp])[] = [
  ['clusters[k].cluster.server', { cluster: { server: '' } }, /is missing/],
  [
    'clusters[k].cluster.server',
    { cluster: { server: 'ftp://u:s3cret@x' } },
    /must be an http or https URL, but it is "ftp:\/\/\[redacted\]@x"/,
  ],
  ['clusters[k].cluster.server', { cluster: { server: 'https://' } }, /must be an http or https URL/],
  [
    'clusters[k].cluster.certificate-authority-data',
    { cluster: { 'certificate-authority-data': DATA, 'certificate-authority': '/ca' } },
    /stands beside certificate-authority/,
  ],
  [
    'clusters[k].cluster.certificate-authority-data',
    { cluster: { 'certificate-authority-data': 's3cret!' } },
    /must be base64/,
  ],
  [
    'clusters[k].cluster.certificate-authority-data',
    { cluster: { 'certificate-authority-data': 'czNjcmV0' } },
    /holds no PEM/,
  ],
  [
    'clusters[k].cluster.insecure-skip-tls-verify',
    { cluster: { 'insecure-skip-tls-verify': true, 'certificate-authority': '/ca' } },
    /contradicts certificate-authority/,
  ],
  [
    'clusters[k].cluster.proxy-url',
    { cluster: { 'proxy-url': 'socks9://u:s3cret@p' } },
    /must be an http or https URL/,
  ],
  [
    'users[u].user.client-certificate-data',
    { user: { 'client-certificate-data': DATA, 'client-certificate': '/c', 'client-key': '/k' } },
    /stands beside client-certificate/,
  ],
  [
    'users[u].user.client-key-data',
    { user: { 'client-certificate': '/c' } },
    /is missing; a client certificate needs/,
  ],
  [
    'users[u].user.client-certificate-data',
    { user: { 'client-key': '/k' } },
    /is missing; a client key needs/,
  ],
  ['users[u].user.username', { user: { token: 's3cret', username: 'u' } }, /stands beside token/],
  ['users[u].user.username', { user: { password: 's3cret' } }, /is missing; password stands alone/],
  [
    'users[u].user.auth-provider',
    { user: { 'auth-provider': { name: 'gcp', config: { t: 's3cret' } } } },
    /"gcp" is an auth provider/,
  ],
  ['users[u].user.exec.command', { user: { exec: { apiVersion: V1 } } }, /is missing/],
  [
    'users[u].user.exec.apiVersion',
    { user: { exec: { command: 'x' } } },
    /must be .*v1 or .*v1beta1, but it is missing/,
  ],
  [
    'users[u].user.exec.apiVersion',
    { user: { exec: { command: 'x', apiVersion: 'v1alpha1' } } },
    /but it is "v1alpha1"/,
  ],
  [
    'users[u].user.exec.interactiveMode',
    { user: { exec: { command: 'x', apiVersion: V1 } } },
    /must be Never, IfAvailable, Always, but it is missing/,
  ],
  [
    'users[u].user.exec.interactiveMode',
    { user: { exec: { command: 'x', apiVersion: V1, interactiveMode: 'Maybe' } } },
    /but it is "Maybe"/,
  ],
  [
    'users[u].user.exec.env[0].name',
    {
      user: { exec: { command: 'x', apiVersion: V1, interactiveMode: 'Never', env: [{ value: 's3cret' }] } },
    },
    /is missing/,
  ],
  [
    'users[u].user.as',
    { user: { 'as-groups': ['dev'] } },
    /is missing; as-uid, as-groups and as-user-extra need a user/,
  ],
  ['contexts[c].context.cluster', { context: { cluster: '' } }, /is missing/],
  [
    'contexts[c].context.cluster',
    { context: { cluster: 'z' } },
    /there is no cluster "z" \(clusters here: k\)/,
  ],
  ['contexts[c].context.user', { context: { user: 'z' } }, /there is no user "z" \(users here: u\)/],
  [
    'contexts[c].context.namespace',
    { context: { namespace: 'Not Valid' } },
    /"Not Valid" is no valid namespace name/,
  ],
];

for (const [field, parts, problem] of WRONG) {
  test(`wrong: ${field}: ${problem.source}`, async () => {
    await assert.rejects(resolve(parts), (error: unknown) => {
      assert.ok(error instanceof KubeconfigError);
      assert.equal(error.code, 'KUBECONFIG_INVALID');
      assert.equal(error.file, '/k');
      assert.equal(error.context, 'c');
      assert.equal(error.field, field);
      assert.ok(error.message.startsWith(`kubeconfig /k, context "c", ${field}: `), error.message);
      assert.match(error.message, problem);
      assert.ok(!inspect(error).includes('s3cret'));
      return true;
    });
  });
}

test('wrong: a context that is not there, or none named at all', async () => {
  await assert.rejects(resolve({}, 'prod'), {
    message: 'kubeconfig /k, context "prod": there is no such context (contexts here: c)',
    context: 'prod',
  });
  const empty = await parseKubeconfig('{"contexts":[{"name":"a"},{"name":"b"}]}', '/k');
  assert.throws(() => resolveContext(empty), {
    message: 'kubeconfig /k, current-context: is not set, and no context was asked for (contexts here: a, b)',
    field: 'current-context',
  });
  const stale = await parseKubeconfig('current-context: gone', '/k');
  assert.throws(() => resolveContext(stale), {
    message: 'kubeconfig /k, context "gone", current-context: there is no such context (contexts here: none)',
  });
});
