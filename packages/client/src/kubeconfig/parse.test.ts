import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { KubeconfigError } from '../errors.ts';
import { parseKubeconfig } from './parse.ts';

const FULL = `
apiVersion: v1
kind: Config
current-context: dev
clusters:
- name: dev
  cluster:
    server: https://10.0.0.1:6443
    certificate-authority-data: Q0E=
    tls-server-name: api.internal
    proxy-url: http://me:hunter2@proxy:3128
    disable-compression: true
    extensions:
    - name: client.authentication.k8s.io/exec
      extension: {audience: dev}
users:
- name: admin
  user:
    token: s3cret
    client-key-data: a2V5LXMzY3JldA==
    client-certificate: certs/admin.crt
    password: hunter2
    as: jane
    as-uid: "7"
    as-groups: [dev, ops]
    as-user-extra: {scope: [a, b]}
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: login
      args: ["--password=hunter2"]
      env: [{name: PASSWORD, value: hunter2}]
      installHint: ask your administrator
      interactiveMode: Never
      provideClusterInfo: true
    auth-provider: {name: gcp, config: {access-token: hunter2}}
contexts:
- name: dev
  context: {cluster: dev, user: admin, namespace: web}
`;

test('every field is read', async () => {
  const config = await parseKubeconfig(FULL, '/etc/kubeconfig');
  assert.equal(config.currentContext, 'dev');
  const cluster = config.clusters.get('dev');
  assert.equal(cluster?.server, 'https://10.0.0.1:6443');
  assert.equal(cluster?.certificateAuthorityData?.reveal(), 'Q0E=');
  assert.equal(cluster?.tlsServerName, 'api.internal');
  assert.equal(cluster?.disableCompression, true);
  assert.deepEqual(cluster?.execExtension, { audience: 'dev' });
  const user = config.users.get('admin');
  assert.equal(user?.token?.reveal(), 's3cret');
  assert.equal(user?.clientCertificate, 'certs/admin.crt');
  assert.equal(user?.authProvider, 'gcp');
  assert.equal(user?.exec?.command, 'login');
  assert.equal(user?.exec?.env?.[0]?.value?.reveal(), 'hunter2');
  assert.deepEqual(user?.impersonate, {
    user: 'jane',
    uid: '7',
    groups: ['dev', 'ops'],
    extra: { scope: ['a', 'b'] },
  });
  assert.deepEqual(config.contexts.get('dev'), {
    name: 'dev',
    file: '/etc/kubeconfig',
    field: 'contexts[dev].context',
    cluster: 'dev',
    user: 'admin',
    namespace: 'web',
  });
});

test('JSON is a kubeconfig too, and so is an empty file', async () => {
  const json = JSON.stringify({ clusters: [{ name: 'a', cluster: { server: 'http://x' } }] });
  assert.equal((await parseKubeconfig(json, 'f')).clusters.get('a')?.server, 'http://x');
  assert.equal((await parseKubeconfig('', 'f')).contexts.size, 0);
});

test('nothing that prints a kubeconfig prints a secret', async () => {
  const config = await parseKubeconfig(FULL, 'f');
  const json = JSON.stringify(config, (_key, value: unknown) => (value instanceof Map ? [...value] : value));
  for (const text of [
    inspect(config, { depth: 20, showHidden: true }),
    json,
    String(config.users.get('admin')?.token),
  ]) {
    for (const secret of ['s3cret', 'hunter2', 'a2V5LXMzY3JldA==']) assert.ok(!text.includes(secret), text);
    assert.match(text, /\[redacted\]/);
  }
});

const BROKEN: readonly (readonly [name: string, text: string, message: RegExp])[] = [
  ['no mapping', '- a\n- b', /^kubeconfig \/k, the document: must be a mapping, but it is a list$/],
  ['another kind', 'kind: Pod', /kubeconfig \/k, kind: must be Config, but it is "Pod"/],
  ['clusters no list', 'clusters: {a: b}', /kubeconfig \/k, clusters: must be a list, but it is a mapping$/],
  [
    'entry no mapping',
    'users: [s3cret]',
    /kubeconfig \/k, users\[0\]: must be a mapping, but it is a string$/,
  ],
  ['entry without a name', 'users: [{user: {}}]', /kubeconfig \/k, users\[0\]\.name: is missing/],
  ['the same name twice', 'users: [{name: a}, {name: a}]', /users\[1\]\.name: "a" is there twice/],
  [
    'token a number',
    'users: [{name: a, user: {token: 1234567}}]',
    /users\[a\]\.user\.token: must be a string, but it is a number$/,
  ],
  [
    'flag a string',
    'clusters: [{name: a, cluster: {insecure-skip-tls-verify: "yes"}}]',
    /clusters\[a\]\.cluster\.insecure-skip-tls-verify: must be true or false, but it is a string$/,
  ],
  [
    'groups no list',
    'users: [{name: a, user: {as-groups: dev}}]',
    /users\[a\]\.user\.as-groups: must be a list/,
  ],
  [
    'group no string',
    'users: [{name: a, user: {as-groups: [{}]}}]',
    /users\[a\]\.user\.as-groups\[0\]: must be a string/,
  ],
  [
    'exec env',
    'users: [{name: a, user: {exec: {env: [s3cret]}}}]',
    /users\[a\]\.user\.exec\.env\[0\]: must be a mapping/,
  ],
  [
    'extra no list',
    'users: [{name: a, user: {as-user-extra: {k: s3cret}}}]',
    /users\[a\]\.user\.as-user-extra\.k: must be a list/,
  ],
];

for (const [name, text, message] of BROKEN) {
  test(`wrong: ${name}`, async () => {
    await assert.rejects(parseKubeconfig(text, '/k'), (error: unknown) => {
      assert.ok(error instanceof KubeconfigError);
      assert.equal(error.code, 'KUBECONFIG_INVALID');
      assert.equal(error.file, '/k');
      assert.match(error.message, message);
      assert.ok(!inspect(error).includes('s3cret'));
      return true;
    });
  });
}

test('wrong: syntax, with the place and without the text', async () => {
  for (const text of ['token: "s3cret\nusers: [', '{"token": "s3cret" "x"']) {
    await assert.rejects(parseKubeconfig(text, '/k'), (error: unknown) => {
      assert.ok(error instanceof KubeconfigError);
      assert.equal(error.code, 'KUBECONFIG_SYNTAX');
      assert.match(error.message, /^kubeconfig \/k: is not valid YAML at line \d+, column \d+$/);
      assert.ok(!inspect(error, { depth: 9 }).includes('s3cret'), inspect(error));
      return true;
    });
  }
});
