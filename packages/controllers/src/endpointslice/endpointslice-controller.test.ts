// Endpoints and slices of services, as one sees them through the API.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTime, isNotFound } from '@windlass/apimachinery';
import { Endpoints, Node, Pod, Service } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { labels, startControllers } from '../testing/controlled-cluster.ts';

const BOTH = ['endpointslice', 'endpoint', 'garbagecollector'];

const services = (cluster: TestCluster) => cluster.client.resource(Service).namespace('default');
const pods = (cluster: TestCluster) => cluster.client.resource(Pod).namespace('default');
const service = (more: Partial<NonNullable<Service['spec']>> = {}): Service => ({
  metadata: { name: 'web', labels: { team: 'a' } },
  spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'web' }], ...more },
});

async function addNode(cluster: TestCluster, name = 'n1'): Promise<void> {
  const zone = { 'topology.kubernetes.io/zone': 'z1' };
  await cluster.client.resource(Node).create({ metadata: { name, labels: zone } });
}

/** A pod on a node, with an address. */
async function addPod(
  cluster: TestCluster,
  name: string,
  ip: string,
  isReady = true,
  containerPort = 8080,
): Promise<Pod> {
  await pods(cluster).create({
    metadata: { name, labels },
    spec: {
      nodeName: 'n1',
      containers: [{ name: 'main', image: 'i', ports: [{ name: 'web', containerPort }] }],
    },
  });
  return setState(cluster, name, ip, isReady);
}

async function setState(cluster: TestCluster, name: string, ip: string, isReady: boolean): Promise<Pod> {
  const pod = await pods(cluster).get(name);
  const lastTransitionTime = formatTime(cluster.clock.now());
  return pods(cluster).status.replace({
    ...pod,
    status: {
      ...pod.status,
      phase: 'Running',
      podIP: ip,
      podIPs: [{ ip }],
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime }],
    },
  });
}

async function slices(cluster: TestCluster): Promise<EndpointSlice[]> {
  const found = await cluster.client
    .resource(EndpointSlice)
    .namespace('default')
    .list({ labelSelector: 'kubernetes.io/service-name=web' });
  return found.items;
}

/** `address:port state`, sorted. */
async function seen(cluster: TestCluster): Promise<string[]> {
  return (await slices(cluster))
    .flatMap(({ endpoints, ports }) =>
      (endpoints ?? []).map(
        ({ addresses, conditions }) =>
          `${addresses.join()}:${ports?.[0]?.port} ${conditions?.ready === true ? 'ready' : 'not ready'}`,
      ),
    )
    .toSorted();
}

describe('a service with a selector', () => {
  it('has slices that say where its pods are', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await addNode(cluster);
    const made = await services(cluster).create(service());
    const pod = await addPod(cluster, 'a', '10.1.0.1');
    await cluster.settled();
    const [slice, ...more] = await slices(cluster);
    assert.deepEqual(more, []);
    assert.match(slice?.metadata?.name ?? '', /^web-/);
    assert.equal(slice?.addressType, 'IPv4');
    assert.deepEqual(slice?.metadata?.labels, {
      team: 'a',
      'kubernetes.io/service-name': 'web',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
    });
    assert.equal(slice?.metadata?.ownerReferences?.[0]?.uid, made.metadata.uid);
    assert.deepEqual(slice?.ports, [{ name: 'http', port: 8080, protocol: 'TCP' }]);
    assert.deepEqual(slice?.endpoints, [
      {
        addresses: ['10.1.0.1'],
        conditions: { ready: true, serving: true, terminating: false },
        nodeName: 'n1',
        targetRef: { kind: 'Pod', namespace: 'default', name: 'a', uid: pod.metadata?.uid },
        zone: 'z1',
      },
    ]);
    const endpoints = await cluster.client.resource(Endpoints).namespace('default').get('web');
    assert.deepEqual(endpoints.subsets, [
      {
        addresses: [
          {
            ip: '10.1.0.1',
            nodeName: 'n1',
            targetRef: { kind: 'Pod', namespace: 'default', name: 'a', uid: pod.metadata?.uid },
          },
        ],
        ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      },
    ]);
  });

  it('follows readiness, labels and ends of its pods', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await addNode(cluster);
    await services(cluster).create(service());
    for (const at of [1, 2, 3]) await addPod(cluster, `p${at}`, `10.1.0.${at}`);
    await cluster.settled();
    assert.deepEqual(await seen(cluster), [
      '10.1.0.1:8080 ready',
      '10.1.0.2:8080 ready',
      '10.1.0.3:8080 ready',
    ]);
    await setState(cluster, 'p1', '10.1.0.1', false);
    await pods(cluster).patch('p2', { metadata: { labels: { app: 'other' } } });
    await pods(cluster).status.patch('p3', { status: { phase: 'Succeeded' } });
    await cluster.settled();
    assert.deepEqual(await seen(cluster), ['10.1.0.1:8080 not ready']);
    const { subsets } = await cluster.client.resource(Endpoints).namespace('default').get('web');
    assert.deepEqual(
      [subsets?.[0]?.addresses, subsets?.[0]?.notReadyAddresses?.map(({ ip }) => ip)],
      [undefined, ['10.1.0.1']],
    );
  });

  it('keeps a pod that goes, as one that serves and is not ready', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await addNode(cluster);
    await services(cluster).create(service());
    await addPod(cluster, 'a', '10.1.0.1');
    await cluster.settled();
    await pods(cluster).delete('a');
    await cluster.settled();
    const [slice] = await slices(cluster);
    assert.deepEqual(slice?.endpoints?.[0]?.conditions, { ready: false, serving: true, terminating: true });
    const { subsets } = await cluster.client.resource(Endpoints).namespace('default').get('web');
    assert.equal(subsets, undefined, 'the older form knows nothing of it');
  });

  it('has one empty slice when it has no pods, and takes it away with itself', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await services(cluster).create(service());
    await cluster.settled();
    const [slice, ...more] = await slices(cluster);
    assert.deepEqual([slice?.endpoints ?? [], slice?.ports ?? [], more], [[], [], []]);
    await cluster.advance(60_000);
    assert.equal((await slices(cluster))[0]?.metadata?.resourceVersion, slice?.metadata?.resourceVersion);
    await services(cluster).delete('web');
    await cluster.settled();
    assert.deepEqual(await slices(cluster), []);
    await assert.rejects(cluster.client.resource(Endpoints).namespace('default').get('web'), isNotFound);
  });

  it('uses the empty slice for its first pods, and splits what differs in ports', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await addNode(cluster);
    await services(cluster).create(service());
    await cluster.settled();
    const [empty] = await slices(cluster);
    await addPod(cluster, 'a', '10.1.0.1');
    await cluster.settled();
    assert.deepEqual(
      (await slices(cluster)).map(({ metadata }) => metadata?.uid),
      [empty?.metadata?.uid],
      'it is written, and no other one is made',
    );
    await addPod(cluster, 'b', '10.1.0.2', true, 9090);
    await cluster.settled();
    assert.equal((await slices(cluster)).length, 2);
    assert.deepEqual(await seen(cluster), ['10.1.0.1:8080 ready', '10.1.0.2:9090 ready']);
  });

  it('publishes what is not ready when it is told to, and names hosts of its subdomain', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await addNode(cluster);
    await services(cluster).create(service({ clusterIP: 'None', publishNotReadyAddresses: true }));
    await pods(cluster).create({
      metadata: { name: 'a', labels },
      spec: {
        nodeName: 'n1',
        hostname: 'first',
        subdomain: 'web',
        containers: [{ name: 'main', image: 'i', ports: [{ name: 'web', containerPort: 1 }] }],
      },
    });
    await setState(cluster, 'a', '10.1.0.1', false);
    await cluster.settled();
    const [slice] = await slices(cluster);
    assert.equal(slice?.metadata?.labels?.['service.kubernetes.io/headless'], '');
    assert.deepEqual(
      [slice?.endpoints?.[0]?.hostname, slice?.endpoints?.[0]?.conditions?.ready],
      ['first', true],
    );
  });

  it('waits for a node that is not known yet', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await services(cluster).create(service());
    await addPod(cluster, 'a', '10.1.0.1');
    await cluster.settled();
    assert.deepEqual(await seen(cluster), []);
    await addNode(cluster);
    await cluster.advance(60_000);
    assert.deepEqual(await seen(cluster), ['10.1.0.1:8080 ready']);
  });

  it('makes a slice anew that somebody deletes, and sets right one that somebody changes', async () => {
    await using test = await startControllers(BOTH);
    const { cluster } = test;
    await addNode(cluster);
    await services(cluster).create(service());
    await addPod(cluster, 'a', '10.1.0.1');
    await cluster.settled();
    const client = cluster.client.resource(EndpointSlice).namespace('default');
    const [slice] = await slices(cluster);
    await client.patch(slice?.metadata?.name ?? '', { endpoints: [] });
    await cluster.advance(1000);
    assert.deepEqual(await seen(cluster), ['10.1.0.1:8080 ready']);
    const [again] = await slices(cluster);
    await client.delete(again?.metadata?.name ?? '');
    await cluster.advance(1000);
    assert.deepEqual(await seen(cluster), ['10.1.0.1:8080 ready']);
  });
});

it('a service without a selector is left to whoever keeps its endpoints', async () => {
  await using test = await startControllers(BOTH);
  const { cluster } = test;
  await services(cluster).create({ metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
  await cluster.settled();
  assert.deepEqual(await slices(cluster), []);
});
