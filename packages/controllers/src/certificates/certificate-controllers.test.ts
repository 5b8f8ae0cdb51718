// Certificates that people and nodes ask for: approved, signed, used, and forgotten.
import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { findCondition, isNotFound } from '@windlass/apimachinery';
import { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { ClusterRoleBinding } from '@windlass/apimachinery/api/rbac/v1';
import { createSigningRequest, issueCertificate } from '@windlass/base';
import { createClient } from '@windlass/client';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { type AddControllersOptions, addControllers } from '../controllers.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const CLIENT = ['digital signature', 'client auth'];

async function startSigning(servingApproval?: AddControllersOptions['servingApproval']) {
  const cluster = await startTestCluster();
  const { clock, random } = cluster;
  const authority = issueCertificate(
    { commonName: 'ca', usage: 'authority', validDays: 3650 },
    { clock, random },
  );
  const { manager } = cluster.manager();
  addControllers(manager, {
    controllers: ['csrapproving', 'csrsigning', 'csrcleaner'],
    signing: authority,
    ...(servingApproval !== undefined && { servingApproval }),
  });
  await manager.start();
  return { cluster, authority, [Symbol.asyncDispose]: () => cluster.stop() };
}

async function ask(
  cluster: TestCluster,
  name: string,
  {
    signer = 'kube-apiserver-client',
    as,
    commonName = 'jane',
    organizations = ['dev'],
    usages = CLIENT,
    hosts = [],
    seconds,
  }: {
    signer?: string;
    as?: { name: string; groups: string[] };
    commonName?: string;
    organizations?: string[];
    usages?: string[];
    hosts?: string[];
    seconds?: number;
  } = {},
): Promise<void> {
  const { clock, random } = cluster;
  const client =
    as === undefined ? cluster.client : createClient({ transport: cluster.transport(as), clock, random });
  const request = createSigningRequest({ commonName, organizations, hosts }, privateKey);
  await client.resource(CertificateSigningRequest).create({
    metadata: { name },
    spec: {
      request: Buffer.from(request).toString('base64'),
      signerName: `kubernetes.io/${signer}`,
      usages,
      ...(seconds !== undefined && { expirationSeconds: seconds }),
    },
  });
  await cluster.settled();
}

const requests = (cluster: TestCluster) => cluster.client.resource(CertificateSigningRequest);

async function decide(cluster: TestCluster, name: string, type: 'Approved' | 'Denied'): Promise<void> {
  const request = await requests(cluster).get(name);
  const conditions = [{ type, status: 'True', reason: 'People' }];
  await requests(cluster)
    .subresource<CertificateSigningRequest>('approval')
    .replace({ ...request, status: { ...request.status, conditions } });
  await cluster.settled();
}

const certificateOf = async (cluster: TestCluster, name: string): Promise<X509Certificate | undefined> => {
  const { status } = await requests(cluster).get(name);
  return status?.certificate ? new X509Certificate(Buffer.from(status.certificate, 'base64')) : undefined;
};

describe('a request of a person', () => {
  it('is signed when it was approved, and not before', async () => {
    await using test = await startSigning();
    const { cluster, authority } = test;
    await ask(cluster, 'jane', { seconds: 7200 });
    assert.equal(await certificateOf(cluster, 'jane'), undefined);
    await decide(cluster, 'jane', 'Approved');
    const certificate = await certificateOf(cluster, 'jane');
    assert.ok(certificate);
    assert.ok(certificate.checkPrivateKey(privateKey));
    assert.ok(certificate.checkIssued(new X509Certificate(authority.cert)));
    assert.equal(Date.parse(certificate.validTo) - cluster.clock.now(), 7_200_000);
  });

  it('that was denied, or asks for what it may not have, is not', async () => {
    await using test = await startSigning();
    const { cluster } = test;
    await ask(cluster, 'denied');
    await decide(cluster, 'denied', 'Denied');
    assert.equal(await certificateOf(cluster, 'denied'), undefined);
    await ask(cluster, 'server', { usages: ['digital signature', 'server auth'] });
    await decide(cluster, 'server', 'Approved');
    assert.equal(await certificateOf(cluster, 'server'), undefined);
    const { status } = await requests(cluster).get('server');
    const failed = findCondition(status?.conditions, 'Failed');
    assert.deepEqual(
      [failed?.reason, failed?.message],
      ['SignerValidationFailure', 'invalid usage for client certificate: server auth'],
    );
  });

  it('goes when nobody needs it any more', async () => {
    await using test = await startSigning();
    const { cluster } = test;
    await ask(cluster, 'open');
    await ask(cluster, 'done');
    await decide(cluster, 'done', 'Approved');
    await cluster.advance(3_599_000);
    assert.equal((await requests(cluster).get('done')).metadata.name, 'done');
    await cluster.advance(2000);
    await assert.rejects(requests(cluster).get('done'), isNotFound);
    await cluster.advance(22 * 3_600_000);
    assert.equal((await requests(cluster).get('open')).metadata.name, 'open');
    await cluster.advance(3_600_000);
    await assert.rejects(requests(cluster).get('open'), isNotFound);
  });
});

describe('a request of a node', () => {
  const node = {
    signer: 'kube-apiserver-client-kubelet',
    commonName: 'system:node:n1',
    organizations: ['system:nodes'],
  };
  const bootstrap = {
    name: 'system:bootstrap:abcdef',
    groups: ['system:bootstrappers', 'system:authenticated'],
  };
  const bind = (cluster: TestCluster, name: string, group: string, role: string) =>
    cluster.client.resource(ClusterRoleBinding).create({
      metadata: { name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    });

  it('is approved for those who may, without people', async () => {
    await using test = await startSigning();
    const { cluster } = test;
    await bind(cluster, 'bootstrap', 'system:bootstrappers', 'system:node-bootstrapper');
    await ask(cluster, 'early', { ...node, as: bootstrap });
    assert.equal(await certificateOf(cluster, 'early'), undefined, 'nobody has allowed it yet');
    await bind(
      cluster,
      'approve',
      'system:bootstrappers',
      'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    );
    await ask(cluster, 'joins', { ...node, as: bootstrap });
    const certificate = await certificateOf(cluster, 'joins');
    assert.equal(certificate?.subject, 'O=system:nodes\nCN=system:node:n1');
    const { status } = await requests(cluster).get('joins');
    assert.deepEqual(
      status?.conditions?.map(({ type, reason, message }) => [type, reason, message]),
      [['Approved', 'AutoApproved', 'Auto approving kubelet client certificate after SubjectAccessReview.']],
    );
    await ask(cluster, 'other', { ...node, commonName: 'jane', organizations: ['dev'], as: bootstrap });
    assert.deepEqual((await requests(cluster).get('other')).status?.conditions ?? [], []);
  });

  const serving = {
    signer: 'kubelet-serving',
    commonName: 'system:node:n1',
    organizations: ['system:nodes'],
    usages: ['digital signature', 'server auth'],
    hosts: ['n1', '10.1.0.5'],
    as: { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] },
  };
  const register = async (cluster: TestCluster): Promise<void> => {
    await cluster.client.resource(Node).create({ metadata: { name: 'n1' } });
    const addresses = [
      { type: 'Hostname', address: 'n1' },
      { type: 'InternalIP', address: '10.1.0.5' },
    ];
    await cluster.client.resource(Node).status.patch('n1', { status: { addresses } });
    await cluster.settled();
  };

  it('to serve is approved as soon as its addresses are known to be its own', async () => {
    await using test = await startSigning({ reservedHosts: [] });
    const { cluster } = test;
    await ask(cluster, 'serving', serving);
    assert.equal(await certificateOf(cluster, 'serving'), undefined);
    await register(cluster);
    const certificate = await certificateOf(cluster, 'serving');
    assert.equal(certificate?.subjectAltName, 'DNS:n1, IP Address:10.1.0.5');
    await ask(cluster, 'more', { ...serving, hosts: ['n1', '10.1.0.6'] });
    assert.equal(await certificateOf(cluster, 'more'), undefined);
  });

  it('to serve is left to people otherwise', async () => {
    await using test = await startSigning();
    const { cluster } = test;
    await register(cluster);
    await ask(cluster, 'serving', serving);
    assert.equal(await certificateOf(cluster, 'serving'), undefined);
    await decide(cluster, 'serving', 'Approved');
    assert.ok(await certificateOf(cluster, 'serving'));
  });
});
