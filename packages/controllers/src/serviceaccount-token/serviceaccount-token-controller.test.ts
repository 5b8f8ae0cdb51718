// Tokens of service accounts that secrets keep: made, good, and gone with their account. And certificates that
// the whole cluster signs: both let their holder in.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { SelfSubjectReview, TokenReview } from '@windlass/apimachinery/api/authentication/v1';
import { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import { Secret, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import { createSigningRequest } from '@windlass/base';
import { type Client, createClient, parseKubeconfig, resolveContext } from '@windlass/client';
import { startCluster } from '@windlass/cluster';

const keep = (name: string, account = 'robot'): Secret => ({
  metadata: { name, annotations: { 'kubernetes.io/service-account.name': account } },
  type: 'kubernetes.io/service-account-token',
});

async function startTokens() {
  const controllers = ['serviceaccount-token', 'csrapproving', 'csrsigning'];
  const cluster = await startCluster({ port: 0, controllers });
  const client = createClient({ transport: cluster.transport() });
  return {
    cluster,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await cluster.stop();
    },
  };
}

/** What the secret holds once it is filled; rejects when it is gone. */
async function filled(client: Client, name: string): Promise<Record<string, string>> {
  const secrets = client.resource(Secret).namespace('default');
  for await (const { type, object } of secrets.watch({ fieldSelector: `metadata.name=${name}` })) {
    if (type !== 'BOOKMARK' && object.data?.['token'] !== undefined)
      return Object.fromEntries(
        Object.entries(object.data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
      );
  }
  throw new Error('the watch has ended');
}

async function gone(client: Client, name: string): Promise<void> {
  const secrets = client.resource(Secret).namespace('default');
  const fieldSelector = `metadata.name=${name}`;
  const { items, metadata } = await secrets.list({ fieldSelector });
  if (items.length === 0) return;
  const { resourceVersion = '' } = metadata ?? {};
  for await (const { type } of secrets.watch({ fieldSelector, resourceVersion }))
    if (type === 'DELETED') return;
}

describe('a secret that asks for a token', () => {
  it('is filled, and the token lets its account in until one of the two goes', async () => {
    await using test = await startTokens();
    const { client } = test;
    const accounts = client.resource(ServiceAccount).namespace('default');
    const secrets = client.resource(Secret).namespace('default');
    const isGood = async (token: string): Promise<string | undefined> => {
      const { status } = await client.resource(TokenReview).create({ spec: { token } });
      return status?.authenticated === true ? status.user?.username : undefined;
    };
    await accounts.create({ metadata: { name: 'robot' } });
    await secrets.create(keep('one'));
    await secrets.create(keep('two'));
    const one = await filled(client, 'one');
    assert.equal(one['namespace'], 'default');
    assert.match(one['ca.crt'] ?? '', /^-----BEGIN CERTIFICATE-----/);
    const { token = '' } = one;
    assert.equal(await isGood(token), 'system:serviceaccount:default:robot');
    assert.equal(await isGood(`${token.slice(0, -8)}AAAAAAAA`), undefined);
    const { token: other = '' } = await filled(client, 'two');
    assert.equal(await isGood(other), 'system:serviceaccount:default:robot');
    await secrets.delete('one');
    assert.equal(await isGood(token), undefined);
    await accounts.delete('robot');
    await gone(client, 'two');
    assert.equal(await isGood(other), undefined);
  });

  it('for an account that is not there is deleted', async () => {
    await using test = await startTokens();
    const { client } = test;
    // The server itself refuses nothing here: the account may come a moment later, but has not.
    await client.resource(Secret).namespace('default').create(keep('lost', 'nobody'));
    await gone(client, 'lost');
  });
});

it('a certificate that the cluster has signed lets its holder in', async () => {
  await using test = await startTokens();
  const { cluster, client } = test;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const request = createSigningRequest({ commonName: 'jane', organizations: ['dev'] }, privateKey);
  const requests = client.resource(CertificateSigningRequest);
  const created = await requests.create({
    metadata: { name: 'jane' },
    spec: {
      request: Buffer.from(request).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
    },
  });
  const conditions = [{ type: 'Approved', status: 'True' }];
  await requests
    .subresource<CertificateSigningRequest>('approval')
    .replace({ ...created, status: { conditions } });
  let certificate = '';
  for await (const { type, object } of requests.watch()) {
    if (type === 'BOOKMARK' || object.status?.certificate === undefined) continue;
    certificate = object.status.certificate;
    break;
  }
  const kubeconfig = JSON.parse(cluster.kubeconfig) as { users: { user: Record<string, string> }[] };
  const [entry] = kubeconfig.users;
  assert.ok(entry);
  entry.user = {
    'client-certificate-data': certificate,
    'client-key-data': Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64'),
  };
  const jane = createClient({
    config: resolveContext(await parseKubeconfig(JSON.stringify(kubeconfig), 'kubeconfig')),
  });
  const { status } = await jane.resource(SelfSubjectReview).create({});
  assert.equal(status?.userInfo?.username, 'jane');
  assert.ok(status.userInfo.groups?.includes('dev'));
  await jane.close();
});
