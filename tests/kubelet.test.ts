// The node agent on the embedded server: what people and controllers see of nodes and pods.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isConditionTrue, isNotFound } from '@windlass/apimachinery';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import { Node, Pod, type PodSpec, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { Kubelet, type KubeletOptions, simulatedNodes } from '@windlass/kubelet';

async function startNodes(
  options: Partial<KubeletOptions> = {},
): Promise<TestCluster & { restart: () => Promise<void> }> {
  const cluster = await startTestCluster();
  await cluster.client
    .resource(ServiceAccount)
    .namespace('default')
    .create({ metadata: { name: 'default' } })
    .catch(() => {});
  let current = cluster.manager().manager;
  const start = async (): Promise<void> => {
    void new Kubelet(current, { nodes: simulatedNodes(2), ...options });
    await current.start();
    await cluster.settled();
  };
  await start();
  return Object.assign(cluster, {
    restart: async () => {
      await current.stop();
      current = cluster.manager().manager;
      await start();
    },
  });
}

const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');

async function run(
  cluster: TestCluster,
  name: string,
  spec: Partial<PodSpec> = {},
  annotations: Record<string, string> = {},
): Promise<void> {
  await pods(cluster).create({
    metadata: {
      name,
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [`simulation.windlass.dev/${key}`, value]),
      ),
    },
    spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'nginx' }], ...spec },
  });
  await cluster.settled();
}

const status = async (cluster: TestCluster, name: string) => (await pods(cluster).get(name)).status ?? {};

describe('a node', () => {
  it('registers as a real one does, and renews its lease', async () => {
    await using cluster = await startNodes();
    const node = await cluster.client.resource(Node).get('node-1');
    assert.equal(node.metadata?.labels?.['kubernetes.io/hostname'], 'node-1');
    assert.equal(node.status?.allocatable?.['pods'], '110');
    assert.ok(isConditionTrue(node.status?.conditions, 'Ready'));
    const leases = cluster.client.resource(Lease).namespace('kube-node-lease');
    const first = (await leases.get('node-2')).spec?.renewTime;
    await cluster.advance(10_000);
    const second = (await leases.get('node-2')).spec?.renewTime;
    assert.equal(Date.parse(second ?? '') - Date.parse(first ?? ''), 10_000);
  });
});

describe('a pod', () => {
  it('becomes ready, with an address of its node', async () => {
    await using cluster = await startNodes();
    await run(cluster, 'web');
    const { phase, conditions, containerStatuses, podIP, hostIP } = await status(cluster, 'web');
    assert.equal(phase, 'Running');
    assert.ok(isConditionTrue(conditions, 'Ready'));
    assert.equal(containerStatuses?.[0]?.image, 'docker.io/library/nginx:latest');
    assert.match(podIP ?? '', /^10\.128\.0\./);
    assert.equal(hostIP, '172.30.0.1');
  });

  it('goes when it is deleted', async () => {
    await using cluster = await startNodes();
    await run(cluster, 'web');
    await pods(cluster).delete('web');
    await cluster.advance(100);
    await assert.rejects(pods(cluster).get('web'), isNotFound);
  });
});
