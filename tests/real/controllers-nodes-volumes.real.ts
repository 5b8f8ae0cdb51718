// Our volume, node, certificate and token controllers with our scheduler and nodes on a real kube-apiserver: it
// must accept all that they write, and what they leave is what people know.
import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { findCondition, isNotFound } from '@windlass/apimachinery';
import { TokenReview } from '@windlass/apimachinery/api/authentication/v1';
import { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import {
  Event,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  type PersistentVolumeSpec,
  Pod,
  type PodSpec,
  Secret,
  ServiceAccount,
} from '@windlass/apimachinery/api/core/v1';
import { CSIDriver, CSIStorageCapacity, StorageClass } from '@windlass/apimachinery/api/storage/v1';
import { createSigningRequest, issueCertificate, realClock, systemRandom } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient, loadConfig } from '@windlass/client';
import { addControllers } from '@windlass/controllers';
import { addKubelet } from '@windlass/kubelet';
import { Manager } from '@windlass/runtime';
import { admissionCheck, Scheduler } from '@windlass/scheduler';
import { type RealCluster, startRealCluster } from './harness/index.ts';

const ZONE = 'topology.kubernetes.io/zone';
const issuer = { clock: realClock, random: systemRandom };
const authority = issueCertificate({ commonName: 'signer', usage: 'authority', validDays: 10 }, issuer);

let cluster: RealCluster;
let client: Client;
/** Controllers and scheduler. */
let manager: Manager;
/** One agent for each node, so that one can fall silent. */
const agents = new Map<string, Manager>();

async function startAgent(name: string): Promise<void> {
  const agent = new Manager({ config: await loadConfig({ path: cluster.kubeconfigPath }) });
  const nodes = [{ name, capacity: { cpu: '2' }, labels: { [ZONE]: `zone-${name}` } }];
  const kubelet = addKubelet(agent, { nodes, admit: admissionCheck, heartbeatMs: 500 });
  await agent.start();
  await kubelet.registered;
  agents.set(name, agent);
}

before(async () => {
  cluster = await startRealCluster();
  const config = await loadConfig({ path: cluster.kubeconfigPath });
  client = createClient({ config });
  manager = new Manager({ config, clientOptions: { fieldManager: 'kube-controller-manager' } });
  addControllers(manager, {
    rootCa: cluster.ca,
    signing: authority,
    serviceAccountKey: await readFile(cluster.serviceAccountKeyFile, 'utf8'),
    nodeLifecycle: { monitorPeriodMs: 500, graceMs: 8000, startupGraceMs: 8000, evictionRate: 10 },
  });
  await manager.add(new Scheduler(manager));
  await manager.start();
  for (const name of ['n1', 'n2', 'n3']) await startAgent(name);
});

after(async () => {
  for (const agent of agents.values()) await agent.stop();
  await manager.stop();
  await client.close();
  await cluster.stop();
});

const claims = () => client.resource(PersistentVolumeClaim).namespace('default');
const volumes = () => client.resource(PersistentVolume);
const pods = () => client.resource(Pod).namespace('default');
const nodes = () => client.resource(Node);

const inZone = (node: string): PersistentVolumeSpec => ({
  nodeAffinity: {
    required: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values: [`zone-${node}`] }] }],
    },
  },
});
const disk = (name: string, spec: PersistentVolumeSpec = {}): PersistentVolume => ({
  metadata: { name },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Retain',
    hostPath: { path: '/tmp/x' },
    ...spec,
  },
});
const data = (name: string, spec: PersistentVolumeClaim['spec'] = {}): PersistentVolumeClaim => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});
const pod = (name: string, claimNames: readonly string[], more: Partial<PodSpec> = {}): Pod => ({
  metadata: { name },
  spec: {
    containers: [{ name: 'main', image: 'i' }],
    terminationGracePeriodSeconds: 0,
    // Nobody mounts here what only the scheduler shall see.
    volumes: claimNames.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
    ...more,
  },
});

const boundTo = async (claim: string): Promise<string> => {
  const { spec, status } = await claims().get(claim);
  return `${status?.phase} ${spec?.volumeName ?? ''}`.trim();
};
const isBound = (claim: string, volume: string) => async (): Promise<unknown> => {
  const seen = await boundTo(claim);
  return seen === `Bound ${volume}` || seen;
};
const isOn = (name: string, node: string) => async (): Promise<unknown> => {
  const { spec, status } = await pods().get(name);
  return spec?.nodeName === node || (status?.conditions ?? null);
};
const hasEvent = (name: string, reason: string) => async (): Promise<unknown> => {
  const { items } = await client.resource(Event).namespace('default').list();
  const told = items.filter(({ involvedObject }) => involvedObject.name === name);
  return told.some((event) => event.reason === reason) || told.map((event) => event.reason);
};
const isGone = (get: () => Promise<unknown>) => async (): Promise<unknown> => {
  try {
    return await get();
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
};

describe('claims and volumes', () => {
  test('find each other, and part', async () => {
    await volumes().create(disk('small', { capacity: { storage: '1Mi' }, storageClassName: 'hand' }));
    await volumes().create(disk('fits', { storageClassName: 'hand' }));
    await claims().create(data('by-size', { storageClassName: 'hand' }));
    await until('the claim is bound', isBound('by-size', 'fits'));
    const { status, spec } = await volumes().get('fits');
    assert.equal(status?.phase, 'Bound');
    assert.equal(spec?.claimRef?.kind, 'PersistentVolumeClaim');
    await claims().delete('by-size');
    await until('the volume is released', async () => {
      const { status: now } = await volumes().get('fits');
      return now?.phase === 'Released' || now;
    });
    await claims().create(data('next', { storageClassName: 'hand' }));
    await until('nobody gets it', hasEvent('next', 'ProvisioningFailed'));
    await volumes().patch('fits', { spec: { claimRef: null } }, { type: 'merge' });
    await until('it is free again', isBound('next', 'fits'));
  });

  test('a claim gets the default class that comes later, and its provisioner is asked', async () => {
    await claims().create(data('says-nothing'));
    await until('it waits', hasEvent('says-nothing', 'FailedBinding'));
    await client.resource(StorageClass).create({
      metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'example.com/disks',
    });
    await until('the provisioner is asked', async () => {
      const { spec, metadata } = await claims().get('says-nothing');
      const asked = metadata?.annotations?.['volume.kubernetes.io/storage-provisioner'];
      return (spec?.storageClassName === 'standard' && asked === 'example.com/disks') || metadata;
    });
  });
});

describe('pods and volumes', () => {
  before(async () => {
    for (const [name, provisioner] of [
      ['local', 'kubernetes.io/no-provisioner'],
      ['made', 'csi.example.com'],
      ['counted', 'counted.example.com'],
    ] as const)
      await client
        .resource(StorageClass)
        .create({ metadata: { name }, provisioner, volumeBindingMode: 'WaitForFirstConsumer' });
  });

  test('a pod goes to the node that has a free volume', async () => {
    await volumes().create(disk('on-n2', { storageClassName: 'local', ...inZone('n2') }));
    await claims().create(data('local-data', { storageClassName: 'local' }));
    await until('the claim waits', hasEvent('local-data', 'WaitForFirstConsumer'));
    await pods().create(pod('static', ['local-data']));
    await until('the pod is there', isOn('static', 'n2'));
    // A pod may go as soon as the claim names its volume; its phase is written after that.
    await until('the claim says so', async () => {
      const seen = await boundTo('local-data');
      return seen === 'Bound on-n2' || seen;
    });
  });

  test('a volume is made on the node of the pod', async () => {
    await claims().create(data('made-data', { storageClassName: 'made' }));
    await pods().create(pod('dynamic', ['made-data'], { nodeSelector: { [ZONE]: 'zone-n3' } }));
    await until('the node is chosen', async () => {
      const { metadata } = await claims().get('made-data');
      return metadata?.annotations?.['volume.kubernetes.io/selected-node'] === 'n3' || metadata;
    });
    assert.equal((await pods().get('dynamic')).spec?.nodeName, undefined);
    const { metadata } = await claims().get('made-data');
    await volumes().create(
      disk('pvc-made', {
        storageClassName: 'made',
        claimRef: { namespace: 'default', name: 'made-data', uid: metadata.uid },
        ...inZone('n3'),
      }),
    );
    await until('the pod is there', isOn('dynamic', 'n3'));
    await until('the claim says so', async () => {
      const seen = await boundTo('made-data');
      return seen === 'Bound pvc-made' || seen;
    });
  });

  test('a pod waits for room that its driver tells of', async () => {
    await client
      .resource(CSIDriver)
      .create({ metadata: { name: 'counted.example.com' }, spec: { storageCapacity: true } });
    await claims().create(data('counted-data', { storageClassName: 'counted' }));
    await pods().create(pod('roomy', ['counted-data']));
    await until('it waits', async () => {
      const { status } = await pods().get('roomy');
      const { message = '' } = findCondition(status?.conditions, 'PodScheduled') ?? {};
      return message.includes('3 node(s) did not have enough free storage') || message;
    });
    await client
      .resource(CSIStorageCapacity)
      .namespace('default')
      .create({
        metadata: { name: 'n1' },
        storageClassName: 'counted',
        capacity: '10Gi',
        nodeTopology: { matchLabels: { [ZONE]: 'zone-n1' } },
      });
    await until('the node is chosen', async () => {
      const { metadata } = await claims().get('counted-data');
      return metadata?.annotations?.['volume.kubernetes.io/selected-node'] === 'n1' || metadata;
    });
  });

  test('a claim is made for its pod alone, and goes with it', async () => {
    const spec = data('', { storageClassName: 'local' }).spec ?? {};
    await pods().create(
      pod('scratchy', [], { volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec } } }] }),
    );
    await until('the claim is there', async () => {
      const { metadata } = await claims().get('scratchy-scratch');
      return metadata?.ownerReferences?.[0]?.name === 'scratchy' || metadata;
    });
    await pods().delete('scratchy', { gracePeriodSeconds: 0 });
    await until(
      'the claim is gone',
      isGone(() => claims().get('scratchy-scratch')),
    );
  });
});

describe('nodes', () => {
  const taintsOf = async (name: string): Promise<string[]> =>
    ((await nodes().get(name)).spec?.taints ?? [])
      .map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`)
      .toSorted();

  test('a taint of people moves pods that do not tolerate it, and those that do when their time is over', async () => {
    const tolerations = [
      { key: 'work', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 },
    ] satisfies PodSpec['tolerations'];
    await pods().create(pod('intolerant', [], { nodeName: 'n3' }));
    await pods().create(pod('patient', [], { nodeName: 'n3', tolerations }));
    await nodes().patch(
      'n3',
      { spec: { taints: [{ key: 'work', effect: 'NoExecute' }] } },
      { type: 'merge' },
    );
    await until(
      'the first is gone',
      isGone(() => pods().get('intolerant')),
    );
    await until(
      'the second is gone',
      isGone(() => pods().get('patient')),
    );
    await until('people were told', hasEvent('patient', 'TaintManagerEviction'));
    await nodes().patch('n3', { spec: { taints: [] } }, { type: 'merge' });
  });

  test('one that falls silent loses its pods, and is taken back', async () => {
    assert.deepEqual(await taintsOf('n1'), []);
    await pods().create(
      pod('moves', [], {
        nodeName: 'n1',
        // Its node must confirm that it has ended, and cannot.
        terminationGracePeriodSeconds: 30,
        tolerations: [
          {
            key: 'node.kubernetes.io/unreachable',
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 1,
          },
        ],
      }),
    );
    await until('it runs', async () => {
      const { status } = await pods().get('moves');
      return findCondition(status?.conditions, 'Ready')?.status === 'True' || status;
    });
    await agents.get('n1')?.stop();
    await until('the node is unknown', async () => {
      const { status } = await nodes().get('n1');
      const ready = findCondition(status?.conditions, 'Ready');
      return (ready?.status === 'Unknown' && ready.reason === 'NodeStatusUnknown') || ready;
    });
    await until('it is tainted', async () => {
      const taints = await taintsOf('n1');
      return taints.join() === 'unreachable:NoExecute,unreachable:NoSchedule' || taints;
    });
    await until('its pod shall go', async () => {
      const { metadata, status } = await pods().get('moves');
      const isNotReady = findCondition(status?.conditions, 'Ready')?.status === 'False';
      const why = findCondition(status?.conditions, 'DisruptionTarget')?.reason;
      return (
        (metadata?.deletionTimestamp !== undefined && isNotReady && why === 'DeletionByTaintManager') ||
        status
      );
    });
    await startAgent('n1');
    await until('it is taken back', async () => {
      const taints = await taintsOf('n1');
      return taints.length === 0 || taints;
    });
  });
});

describe('who is who', () => {
  test('a request that was approved is signed', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const requests = client.resource(CertificateSigningRequest);
    const request = createSigningRequest({ commonName: 'jane', organizations: ['dev'] }, privateKey);
    const created = await requests.create({
      metadata: { name: 'jane' },
      spec: {
        request: Buffer.from(request).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth', 'digital signature'],
        expirationSeconds: 3600,
      },
    });
    const conditions = [{ type: 'Approved', status: 'True', reason: 'People', message: 'yes' }];
    await requests
      .subresource<CertificateSigningRequest>('approval')
      .replace({ ...created, status: { conditions } });
    await until('it is signed', async () => (await requests.get('jane')).status?.certificate !== undefined);
    const { status } = await requests.get('jane');
    const certificate = new X509Certificate(Buffer.from(status?.certificate ?? '', 'base64'));
    assert.ok(certificate.checkIssued(new X509Certificate(authority.cert)));
    assert.ok(certificate.checkPrivateKey(privateKey));
  });

  test('a node that may is approved without people', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const who = { commonName: 'system:node:n9', organizations: ['system:nodes'] };
    const requests = client.resource(CertificateSigningRequest);
    await requests.create({
      metadata: { name: 'n9' },
      spec: {
        request: Buffer.from(createSigningRequest(who, privateKey)).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
        usages: ['client auth', 'digital signature'],
      },
    });
    await until('it is approved and signed', async () => {
      const { status } = await requests.get('n9');
      return (
        (status?.conditions?.[0]?.reason === 'AutoApproved' && status.certificate !== undefined) || status
      );
    });
  });

  test('a secret gets the token of its account, which the server believes', async () => {
    const accounts = client.resource(ServiceAccount).namespace('default');
    const secrets = client.resource(Secret).namespace('default');
    await accounts.create({ metadata: { name: 'robot' } });
    await secrets.create({
      metadata: { name: 'robot-token', annotations: { 'kubernetes.io/service-account.name': 'robot' } },
      type: 'kubernetes.io/service-account-token',
    });
    await until('it is filled', async () => (await secrets.get('robot-token')).data?.['token'] !== undefined);
    const { data: held } = await secrets.get('robot-token');
    const token = Buffer.from(held?.['token'] ?? '', 'base64').toString();
    const { status } = await client.resource(TokenReview).create({ spec: { token } });
    assert.equal(status?.authenticated, true, JSON.stringify(status));
    assert.equal(status.user?.username, 'system:serviceaccount:default:robot');
    await accounts.delete('robot');
    await until(
      'the secret is gone',
      isGone(() => secrets.get('robot-token')),
    );
  });
});
