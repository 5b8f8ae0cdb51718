import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { inspect } from 'node:util';
import { CancelledError, FakeClock } from '@windlass/base';
import type { ClientConfig, ExecConfig } from '../config.ts';
import { CredentialError } from '../errors.ts';
import { Secret } from '../secret.ts';
import { CertificateAuthority } from '../testing/certificates.ts';
import { LoopbackServer, sendJson } from '../testing/loopback-server.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import { ExecCredentials } from './exec-credentials.ts';

const directory = mkdtempSync(join(tmpdir(), 'windlass-exec-'));
after(() => rmSync(directory, { recursive: true }));

const V1 = 'client.authentication.k8s.io/v1';
const CALLS = join(directory, 'calls');

/** A plugin that appends its environment to CALLS and prints what the file `output` holds. */
function plugin(name: string, output: unknown, exitCode = 0): string {
  const file = join(directory, name);
  const printed = join(directory, `${name}.output`);
  writeFileSync(printed, typeof output === 'string' ? output : JSON.stringify(output));
  writeFileSync(
    file,
    `#!/bin/sh\nprintf '%s|%s|%s\\n' "$*" "$EXTRA" "$KUBERNETES_EXEC_INFO" >> '${CALLS}'\ncat '${printed}'\nexit ${exitCode}\n`,
  );
  chmodSync(file, 0o755);
  writeFileSync(CALLS, '');
  return file;
}

const calls = (): string[] =>
  readFileSync(CALLS, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

const credential = (status: object, apiVersion = V1) => ({ kind: 'ExecCredential', apiVersion, status });

function create(
  exec: Partial<ExecConfig> & { command: string },
  config: Partial<ClientConfig> = {},
  isTerminal = false,
) {
  const clock = new FakeClock();
  const full: ExecConfig = { apiVersion: V1, interactiveMode: 'Never', ...exec };
  const credentials = new ExecCredentials(full, { server: 'https://api', ...config }, clock, {
    env: process.env,
    isTerminal: () => Promise.resolve(isTerminal),
  });
  return { clock, credentials };
}

test('a plugin gets its arguments, its environment and the exchange; its token is kept until it expires', async () => {
  const expirationTimestamp = new Date(Date.UTC(2026, 0, 1) + 10_000).toISOString();
  const command = plugin('login', credential({ token: 's3cret', expirationTimestamp }));
  const { clock, credentials } = create({
    command,
    args: ['a', new Secret('b c')],
    env: { EXTRA: new Secret('more') },
  });
  const [one, two] = await Promise.all([credentials.current(), credentials.current()]);
  assert.equal(one, two);
  assert.deepEqual(one, { authorization: 'Bearer s3cret' });
  assert.equal(credentials.current(), one, 'no promise once it is there');
  assert.deepEqual(calls(), [
    `a b c|more|{"kind":"ExecCredential","apiVersion":"${V1}","spec":{"interactive":false}}`,
  ]);
  await clock.advance(9_999);
  await credentials.current();
  assert.equal(calls().length, 1);
  await clock.advance(1);
  assert.notEqual(await credentials.current(), one);
  assert.equal(calls().length, 2);
});

test('the cluster is described when the kubeconfig asks for it', async () => {
  const command = plugin('described', credential({ token: 't' }));
  const { credentials } = create(
    { command, provideClusterInfo: true, clusterConfig: { audience: 'x' }, interactiveMode: 'IfAvailable' },
    { tls: { ca: { data: 'PEM' }, serverName: 'api' }, disableCompression: true },
    true,
  );
  await credentials.current();
  const info: unknown = JSON.parse(calls()[0]?.split('|')[2] ?? '');
  assert.deepEqual(info, {
    kind: 'ExecCredential',
    apiVersion: V1,
    spec: {
      interactive: true,
      cluster: {
        server: 'https://api',
        'tls-server-name': 'api',
        'certificate-authority-data': Buffer.from('PEM').toString('base64'),
        'disable-compression': true,
        config: { audience: 'x' },
      },
    },
  });
});

test('refused credentials are fetched once more, by one of those who were refused', async () => {
  const command = plugin('refused', credential({ token: 'old' }));
  const { credentials } = create({ command });
  const old = await credentials.current();
  writeFileSync(join(directory, 'refused.output'), JSON.stringify(credential({ token: 'new' })));
  assert.deepEqual(await Promise.all([credentials.refresh(old), credentials.refresh(old)]), [true, true]);
  assert.deepEqual(await credentials.current(), { authorization: 'Bearer new' });
  assert.equal(await credentials.refresh(old), true);
  assert.equal(calls().length, 2);
});

test('one who gives up waiting takes nothing from the others', async () => {
  const command = plugin('shared', credential({ token: 't' }));
  const { credentials } = create({ command });
  const controller = new AbortController();
  const impatient = Promise.resolve(credentials.current(controller.signal));
  const patient = credentials.current();
  controller.abort();
  await assert.rejects(impatient, CancelledError);
  assert.deepEqual(await patient, { authorization: 'Bearer t' });
  assert.equal(calls().length, 1);
});

const BAD: readonly (readonly [name: string, output: unknown, message: RegExp])[] = [
  ['no JSON', 's3cret', /printed no JSON object/],
  ['another kind', { kind: 'Secret' }, /whose kind is not ExecCredential/],
  [
    'another version',
    credential({ token: 's3cret' }, 'client.authentication.k8s.io/v1beta1'),
    /answered in .*v1beta1, but the kubeconfig asks for .*v1$/,
  ],
  ['no status', { kind: 'ExecCredential', apiVersion: V1 }, /printed no status/],
  ['nothing', credential({}), /neither a token nor a client certificate/],
  ['half a pair', credential({ clientKeyData: 's3cret' }), /only one of/],
  [
    'bad expiry',
    credential({ token: 's3cret', expirationTimestamp: 'soon' }),
    /expirationTimestamp that is no time/,
  ],
];

for (const [name, output, message] of BAD) {
  test(`wrong output: ${name}`, async () => {
    const { credentials } = create({ command: plugin('bad', output) });
    await assert.rejects(
      async () => credentials.current(),
      (error: unknown) => {
        assert.ok(error instanceof CredentialError);
        assert.equal(error.code, 'EXEC_BAD_OUTPUT');
        assert.match(error.message, message);
        assert.ok(!inspect(error).includes('s3cret'));
        return true;
      },
    );
  });
}

test('a plugin that is missing, fails, or wants somebody to talk to', async () => {
  const missing = create({ command: 'windlass-no-such-plugin', installHint: 'run: install it' });
  await assert.rejects(async () => missing.credentials.current(), {
    code: 'EXEC_NOT_FOUND',
    message: /windlass-no-such-plugin is not installed or not in PATH.*\nrun: install it$/s,
  });
  const failing = create({ command: plugin('failing', 's3cret', 3) });
  await assert.rejects(async () => failing.credentials.current(), {
    code: 'EXEC_FAILED',
    message: /ended with exit code 3$/,
  });
  const lonely = create({ command: 'login', interactiveMode: 'Always' });
  await assert.rejects(async () => lonely.credentials.current(), { code: 'EXEC_NOT_INTERACTIVE' });
});

test('over the wire: 401 runs the plugin again, once; its certificate is presented', async () => {
  using authority = new CertificateAuthority();
  const own = authority.issue('server', '/CN=server');
  const alice = authority.issue('alice', '/CN=alice');
  const seen: string[] = [];
  let valid = 'new';
  await using server = await LoopbackServer.start({
    tls: { ...own, ca: authority.cert, requestCert: true },
    onRequest: (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      seen.push(`${String(subject.CN)} ${request.headers.authorization}`);
      if (request.headers.authorization === `Bearer ${valid}`) sendJson(response, {});
      else sendJson(response, { kind: 'Status' }, 401);
    },
  });
  const pair = { clientCertificateData: alice.cert, clientKeyData: alice.key };
  const command = plugin('tls', credential({ token: 'old', ...pair }));
  await using transport = new HttpTransport({
    config: {
      server: server.url,
      tls: { ca: { data: authority.cert } },
      auth: { type: 'exec', exec: { apiVersion: V1, command, interactiveMode: 'Never' } },
    },
  });
  const post = async (): Promise<number> =>
    (await transport.request({ method: 'POST', path: '/', body: {} })).status;
  const first = post();
  writeFileSync(join(directory, 'tls.output'), JSON.stringify(credential({ token: 'new', ...pair })));
  // Whichever output the first run saw, the second one is the valid one.
  assert.equal(await first, 200);
  assert.equal(seen.at(-1), 'alice Bearer new');
  valid = 'another';
  seen.length = 0;
  assert.equal(await post(), 401);
  assert.deepEqual(seen, ['alice Bearer new', 'alice Bearer new']);
});
