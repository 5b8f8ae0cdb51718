import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { loadConfig, loadKubeconfig } from './load.ts';

const directory = mkdtempSync(join(tmpdir(), 'windlass-kubeconfig-'));
after(() => rmSync(directory, { recursive: true }));

function write(name: string, document: unknown): string {
  const file = join(directory, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document));
  return file;
}

const context = (name: string, cluster: string, user?: string) => ({ name, context: { cluster, user } });

test('several files: the first to name an entry, or a current context, wins', async () => {
  const first = write('one/config', {
    clusters: [{ name: 'shared', cluster: { server: 'https://first', 'certificate-authority': 'ca.crt' } }],
    contexts: [context('a', 'shared')],
  });
  const second = write('two/config', {
    'current-context': 'b',
    clusters: [
      { name: 'shared', cluster: { server: 'https://second', 'tls-server-name': 'second' } },
      { name: 'own', cluster: { server: 'https://own' } },
    ],
    users: [
      { name: 'u', user: { tokenFile: 'token', 'client-certificate': '/abs/c', 'client-key': '../k' } },
    ],
    contexts: [context('a', 'own'), context('b', 'own', 'u')],
  });
  const third = write('three/config', { 'current-context': 'a' });
  const KUBECONFIG = ['', first, join(directory, 'absent'), second, second, third].join(delimiter);
  const merged = await loadKubeconfig({ env: { KUBECONFIG } });
  assert.deepEqual(merged.files, [first, second, third]);
  assert.equal(merged.currentContext, 'b');
  const shared = merged.clusters.get('shared');
  assert.equal(shared?.server, 'https://first');
  assert.equal(shared?.tlsServerName, undefined, 'an entry is taken as a whole');
  assert.equal(
    shared?.certificateAuthority,
    join(directory, 'one/ca.crt'),
    'paths are relative to their file',
  );
  assert.equal(merged.contexts.get('a')?.cluster, 'shared');

  const config = await loadConfig({ env: { KUBECONFIG } });
  assert.equal(config.server, 'https://own');
  assert.deepEqual(config.auth, { type: 'tokenFile', file: join(directory, 'two/token') });
  assert.deepEqual(config.tls, { cert: { file: '/abs/c' }, key: { file: join(directory, 'k') } });
  assert.equal((await loadConfig({ env: { KUBECONFIG }, context: 'a' })).server, 'https://first');
});

test('a plugin with a separator in its name is relative to the file, one without is not', async () => {
  const exec = (command: string) => ({ apiVersion: 'client.authentication.k8s.io/v1beta1', command });
  const path = write('exec/config', {
    users: [
      { name: 'a', user: { exec: exec('./bin/login') } },
      { name: 'b', user: { exec: exec('login') } },
    ],
  });
  const { users } = await loadKubeconfig({ path });
  assert.equal(users.get('a')?.exec?.command, join(directory, 'exec/bin/login'));
  assert.equal(users.get('b')?.exec?.command, 'login');
});

test('where to look: path, KUBECONFIG, home, pod, nowhere', async () => {
  const named = (server: string) => ({
    'current-context': 'x',
    clusters: [{ name: 'x', cluster: { server } }],
    contexts: [context('x', 'x')],
  });
  const explicit = write('explicit', named('https://explicit'));
  const KUBECONFIG = write('env', named('https://env'));
  const HOME = join(directory, 'home');
  write('home/.kube/config', named('https://home'));
  const serviceAccountDir = join(directory, 'pod');
  write('pod/token', 'pod-token');
  write('pod/ca.crt', 'PEM');
  write('pod/namespace', 'web\n');
  const pod = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
  const server = async (env: Record<string, string>, path?: string): Promise<string> =>
    (await loadConfig({ env, serviceAccountDir, ...(path === undefined ? {} : { path }) })).server;

  assert.equal(await server({ ...pod, KUBECONFIG, HOME }, explicit), 'https://explicit');
  assert.equal(await server({ ...pod, KUBECONFIG, HOME }), 'https://env');
  assert.equal(await server({ ...pod, HOME }), 'https://home');
  assert.equal(await server({ ...pod, HOME: '/nowhere' }), 'https://[fd00::1]:443');
  assert.equal(await server({ ...pod, KUBECONFIG: '/nowhere/config', HOME }), 'https://[fd00::1]:443');
  await assert.rejects(server({ HOME: '/nowhere' }), {
    code: 'KUBECONFIG_NONE',
    message:
      'kubeconfig: found nowhere; looked for /nowhere/.kube/config (absent or empty), in-cluster credentials. Set KUBECONFIG or pass a path',
  });
  const inPod = await loadConfig({ env: pod, serviceAccountDir });
  assert.deepEqual(inPod, {
    server: 'https://[fd00::1]:443',
    tls: { ca: { file: join(serviceAccountDir, 'ca.crt') } },
    auth: { type: 'tokenFile', file: join(serviceAccountDir, 'token') },
    namespace: 'web',
    source: 'in-cluster',
  });
});

test('a file that was asked for must be there; a listed one must be readable if it is', async () => {
  await assert.rejects(loadConfig({ path: join(directory, 'absent') }), {
    code: 'KUBECONFIG_UNREADABLE',
    file: join(directory, 'absent'),
    message: /there is no such file$/,
  });
  await assert.rejects(loadConfig({ env: { KUBECONFIG: directory } }), {
    code: 'KUBECONFIG_UNREADABLE',
    message: /cannot be read$/,
  });
  const broken = write('broken', 'a: b: c');
  await assert.rejects(loadConfig({ env: { KUBECONFIG: broken } }), {
    code: 'KUBECONFIG_SYNTAX',
    file: broken,
  });
});

test('a pod without its token says so', async () => {
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
  await assert.rejects(loadConfig({ env, serviceAccountDir: '/nowhere' }), {
    code: 'KUBECONFIG_UNREADABLE',
    file: '/nowhere/token',
    message: /automountServiceAccountToken/,
  });
});
