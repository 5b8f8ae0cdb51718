// What the server refuses for a reason that is none the next time is tried again: nobody else would wake the key.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { deepEqual, type KubeObject, type ResourceType } from '@windlass/apimachinery';
import { Deployment, ReplicaSet } from '@windlass/apimachinery/api/apps/v1';
import { Job } from '@windlass/apimachinery/api/batch/v1';
import { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import { ConfigMap, Endpoints, Pod, Service } from '@windlass/apimachinery/api/core/v1';
import { createSigningRequest, silentLogger } from '@windlass/base';
import { type RequestFault, startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { all } from '@windlass/cluster/testing/objects';
import { addControllers } from './controllers.ts';
import { deployment, labels, replicaSet } from './testing/controlled-cluster.ts';

const CONFLICT = { code: 409, reason: 'Conflict' };
const HOUR = 3_600_000;

const EVERYWHERE = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

interface Row {
  readonly title: string;
  readonly controllers: readonly string[];
  readonly refused: RequestFault;
  /** Done before anything is refused. */
  readonly prepare?: (cluster: TestCluster) => Promise<unknown>;
  readonly act: (cluster: TestCluster) => Promise<unknown>;
  /** The names of what is there in the end. */
  readonly left: (cluster: TestCluster) => Promise<readonly string[]>;
  readonly expected: readonly string[];
}

const rows: readonly Row[] = [
  {
    title: 'a pod that is too much for its set is deleted',
    controllers: ['replicaset'],
    prepare: (cluster) => sets(cluster).create(replicaSet('web', 2)),
    // The first run also writes a status, which brings the second.
    refused: { method: 'DELETE', path: /\/pods\//, answer: CONFLICT, times: 2 },
    act: (cluster) => sets(cluster).patch('web', { spec: { replicas: 1 } }),
    left: async (cluster) => (await namesOf(cluster, Pod)).map((name) => name.slice(0, 4)),
    expected: ['web-'],
  },
  {
    title: 'a job whose time is over is deleted',
    controllers: ['job', 'ttl-after-finished', 'garbagecollector'],
    prepare: endedJob,
    refused: { method: 'DELETE', path: /\/jobs\//, answer: CONFLICT },
    act: (cluster) => cluster.advance(101_000),
    left: (cluster) => namesOf(cluster, Job),
    expected: [],
  },
  {
    title: 'a certificate request that nobody needs is deleted',
    controllers: ['csrcleaner'],
    prepare: certificateRequest,
    refused: { method: 'DELETE', path: /\/certificatesigningrequests\//, answer: CONFLICT },
    act: (cluster) => cluster.advance(25 * HOUR),
    left: (cluster) => namesOf(cluster, CertificateSigningRequest),
    expected: [],
  },
  {
    title: 'what each namespace has is made, although it seemed to be there',
    controllers: ['root-ca-cert-publisher'],
    refused: {
      method: 'POST',
      path: '/api/v1/namespaces/new/configmaps',
      answer: { code: 409, reason: 'AlreadyExists' },
    },
    act: (cluster) => cluster.createNamespace('new'),
    left: certified,
    expected: EVERYWHERE.concat('new').toSorted(),
  },
  {
    title: 'what a namespace has is set right, although somebody seemed to have changed it',
    controllers: ['root-ca-cert-publisher'],
    refused: { method: 'PUT', path: /\/configmaps\//, answer: CONFLICT },
    act: (cluster) =>
      cluster.client
        .resource(ConfigMap)
        .namespace('default')
        .patch('kube-root-ca.crt', { data: { 'ca.crt': 'other' } }),
    left: certified,
    expected: EVERYWHERE,
  },
  {
    title: 'a deployment is rolled out when the server is well again, however late',
    controllers: ['deployment'],
    refused: broken(/\/replicasets$/),
    act: (cluster) => cluster.client.resource(Deployment).namespace('default').create(deployment('web', 1)),
    left: async (cluster) => (await namesOf(cluster, ReplicaSet)).map((name) => name.slice(0, 4)),
    expected: ['web-'],
  },
  {
    title: 'endpoints are written when the server is well again, however late',
    controllers: ['endpoint'],
    refused: broken(/\/endpoints$/),
    act: service,
    left: async (cluster) => (await namesOf(cluster, Endpoints)).filter((name) => name === 'web'),
    expected: ['web'],
  },
];

describe('after a refusal', () => {
  for (const { title, controllers, prepare, refused, act, left, expected } of rows)
    it(title, async () => {
      await using cluster = await startTestCluster();
      const { manager, faults } = cluster.manager({ logger: silentLogger });
      addControllers(manager, { controllers, rootCa: 'PEM' });
      await manager.start();
      await prepare?.(cluster);
      await cluster.settled();
      faults.fail(refused);
      await act(cluster);
      for (let round = 0; round < 30 && !deepEqual(await left(cluster), expected); round++)
        await cluster.advance(HOUR / 30);
      assert.deepEqual(await left(cluster), expected);
    });
});

/** More failures in a row than anybody counts to. */
function broken(path: RegExp): RequestFault {
  return { method: 'POST', path, answer: { code: 500, reason: 'InternalError' }, times: 18 };
}

async function namesOf(cluster: TestCluster, type: ResourceType): Promise<string[]> {
  return (await all<KubeObject>(cluster, type)).map(({ metadata }) => metadata?.name ?? '');
}

/** The namespaces that have the right certificate. */
async function certified(cluster: TestCluster): Promise<string[]> {
  const maps = (await all(cluster, ConfigMap)).filter(({ data }) => data?.['ca.crt'] === 'PEM');
  return maps.map(({ metadata }) => metadata?.namespace ?? '');
}

const sets = (cluster: TestCluster) => cluster.client.resource(ReplicaSet).namespace('default');

async function endedJob(cluster: TestCluster): Promise<void> {
  const spec = { containers: [{ name: 'main', image: 'i' }], restartPolicy: 'Never' };
  await cluster.client
    .resource(Job)
    .namespace('default')
    .create({ metadata: { name: 'work' }, spec: { ttlSecondsAfterFinished: 100, template: { spec } } });
  await cluster.settled();
  const pods = cluster.client.resource(Pod).namespace('default');
  for (const { metadata } of await all(cluster, Pod))
    await pods.status.patch(metadata?.name ?? '', { status: { phase: 'Succeeded' } });
}

async function certificateRequest(cluster: TestCluster): Promise<void> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const request = Buffer.from(createSigningRequest({ commonName: 'jane', organizations: [] }, privateKey));
  await cluster.client.resource(CertificateSigningRequest).create({
    metadata: { name: 'jane' },
    spec: {
      request: request.toString('base64'),
      signerName: 'example.com/somebody',
      usages: ['client auth'],
    },
  });
}

async function service(cluster: TestCluster): Promise<void> {
  await cluster.client
    .resource(Service)
    .namespace('default')
    .create({ metadata: { name: 'web' }, spec: { selector: labels, ports: [{ port: 80 }] } });
}
