// Tokens of machines that join: what they sign, and how they end.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BootstrapToken, bootstrapTokenData, formatTime, isNotFound } from '@windlass/apimachinery';
import { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import { detachedSignature } from '@windlass/base';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { addControllers } from '../controllers.ts';

const HOUR_MS = 3_600_000;
const TOKEN: Omit<BootstrapToken, 'expiresAt'> = {
  id: 'abcdef',
  secret: '0123456789abcdef',
  usages: ['signing', 'authentication'],
  extraGroups: [],
  description: '',
};

async function startBootstrap(controllers: readonly string[]) {
  const cluster = await startTestCluster();
  const { manager } = cluster.manager();
  addControllers(manager, { controllers });
  await manager.start();
  await cluster.settled();
  return { cluster, [Symbol.asyncDispose]: () => cluster.stop() };
}

const secrets = ({ client }: TestCluster) => client.resource(Secret).namespace('kube-system');
const infos = ({ client }: TestCluster) => client.resource(ConfigMap).namespace('kube-public');

async function createToken(cluster: TestCluster, token: Partial<BootstrapToken> = {}, endsInMs?: number) {
  const whole = { ...TOKEN, ...token };
  const expiration = endsInMs === undefined ? undefined : formatTime(cluster.clock.now() + endsInMs);
  await secrets(cluster).create({
    metadata: { name: `bootstrap-token-${whole.id}` },
    type: 'bootstrap.kubernetes.io/token',
    stringData: bootstrapTokenData(whole, expiration),
  });
  await cluster.settled();
}

const signature = (text: string): string => detachedSignature(text, TOKEN.id, TOKEN.secret);

describe('the bootstrap signer', () => {
  const dataOf = async (cluster: TestCluster) => (await infos(cluster).get('cluster-info')).data;
  async function withInfo(data: Record<string, string>) {
    const test = await startBootstrap(['bootstrapsigner']);
    await infos(test.cluster).create({ metadata: { name: 'cluster-info' }, data });
    await test.cluster.settled();
    return test;
  }

  it('signs with each token that is for it, and takes the signatures of others away', async () => {
    await using test = await withInfo({ kubeconfig: 'one', more: 'x', 'jws-kubeconfig-zzzzzz': 'old' });
    const { cluster } = test;
    assert.deepEqual(await dataOf(cluster), { kubeconfig: 'one', more: 'x' });
    await createToken(cluster);
    await createToken(cluster, { id: 'nosign', usages: ['authentication'] });
    const signed = { kubeconfig: 'one', more: 'x', 'jws-kubeconfig-abcdef': signature('one') };
    assert.deepEqual(await dataOf(cluster), signed);
    await secrets(cluster).delete('bootstrap-token-abcdef');
    await cluster.settled();
    assert.deepEqual(await dataOf(cluster), { kubeconfig: 'one', more: 'x' });
  });

  it('signs anew what has changed', async () => {
    await using test = await withInfo({ kubeconfig: 'one' });
    const { cluster } = test;
    await createToken(cluster);
    await infos(cluster).patch('cluster-info', { data: { kubeconfig: 'two' } });
    await cluster.settled();
    assert.equal((await dataOf(cluster))?.['jws-kubeconfig-abcdef'], signature('two'));
  });

  it('takes a signature away when the time of its token is over', async () => {
    await using test = await withInfo({ kubeconfig: 'one' });
    const { cluster } = test;
    await createToken(cluster, {}, HOUR_MS);
    assert.ok((await dataOf(cluster))?.['jws-kubeconfig-abcdef']);
    await cluster.advance(HOUR_MS + 1000);
    assert.deepEqual(await dataOf(cluster), { kubeconfig: 'one' });
  });
});

describe('the token cleaner', () => {
  it('deletes a token at its time, and no other secret', async () => {
    await using test = await startBootstrap(['tokencleaner']);
    const { cluster } = test;
    await createToken(cluster, { id: 'anhour' }, HOUR_MS);
    await createToken(cluster, { id: 'amonth' }, 30 * 24 * HOUR_MS);
    await createToken(cluster, { id: 'always' });
    await secrets(cluster).create({
      metadata: { name: 'bootstrap-token-opaque' },
      stringData: bootstrapTokenData({ ...TOKEN, id: 'opaque' }, formatTime(0)),
    });
    await cluster.advance(HOUR_MS - 1000);
    assert.ok(await secrets(cluster).get('bootstrap-token-anhour'));
    await cluster.advance(2000);
    await assert.rejects(secrets(cluster).get('bootstrap-token-anhour'), isNotFound);
    await cluster.advance(29 * 24 * HOUR_MS);
    assert.ok(await secrets(cluster).get('bootstrap-token-amonth'));
    await cluster.advance(24 * HOUR_MS);
    await assert.rejects(secrets(cluster).get('bootstrap-token-amonth'), isNotFound);
    for (const id of ['always', 'opaque']) assert.ok(await secrets(cluster).get(`bootstrap-token-${id}`));
  });

  it('leaves one that was given more time', async () => {
    await using test = await startBootstrap(['tokencleaner']);
    const { cluster } = test;
    await createToken(cluster, {}, HOUR_MS);
    const expiration = formatTime(cluster.clock.now() + 3 * HOUR_MS);
    await secrets(cluster).patch('bootstrap-token-abcdef', { stringData: { expiration } });
    await cluster.advance(2 * HOUR_MS);
    assert.ok(await secrets(cluster).get('bootstrap-token-abcdef'));
    await cluster.advance(HOUR_MS + 1000);
    await assert.rejects(secrets(cluster).get('bootstrap-token-abcdef'), isNotFound);
  });
});
