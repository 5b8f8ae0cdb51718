// Hints in slices: which zones and nodes endpoints are for, as one sees them through the API.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTime } from '@windlass/apimachinery';
import { Node, Pod, Service } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { eventsOf } from '@windlass/cluster/testing/objects';
import { labels, startControllers } from '../testing/controlled-cluster.ts';

const SLICES = ['endpointslice'];
const MODE = 'service.kubernetes.io/topology-mode';

const services = (cluster: TestCluster) => cluster.client.resource(Service).namespace('default');
const service = (more: Partial<NonNullable<Service['spec']>> = {}): Service => ({
  metadata: { name: 'web' },
  spec: { selector: labels, ports: [{ port: 80 }], ...more },
});

/** A node and its zone have the same letter; there is one of each. */
async function addNode(cluster: TestCluster, zone: string, cpu: string): Promise<void> {
  const nodes = cluster.client.resource(Node);
  await nodes.create({ metadata: { name: `n-${zone}`, labels: { 'topology.kubernetes.io/zone': zone } } });
  await nodes.status.patch(`n-${zone}`, {
    status: { allocatable: { cpu }, conditions: [{ type: 'Ready', status: 'True' }] },
  });
}

async function addPod(cluster: TestCluster, at: number, zone: string): Promise<void> {
  const pods = cluster.client.resource(Pod).namespace('default');
  await pods.create({
    metadata: { name: `p${at}`, labels },
    spec: { nodeName: `n-${zone}`, containers: [{ name: 'main', image: 'web:1' }] },
  });
  const ip = `10.0.0.${at}`;
  await pods.status.patch(`p${at}`, {
    status: {
      phase: 'Running',
      podIP: ip,
      podIPs: [{ ip }],
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(cluster.clock.now()) }],
    },
  });
}

/** `10.0.0.1 for z1` of every endpoint. */
async function hints(cluster: TestCluster): Promise<string[]> {
  await cluster.settled();
  const { items } = await cluster.client.resource(EndpointSlice).namespace('default').list();
  return items
    .flatMap(({ endpoints }) => endpoints ?? [])
    .map(({ addresses, hints: of }) => {
      const names = [...(of?.forZones ?? []), ...(of?.forNodes ?? [])].map(({ name }) => name);
      return `${addresses[0]} for ${names.join(' and ') || 'all'}`;
    })
    .toSorted();
}

describe('hints of slices', () => {
  it('follow the traffic distribution of a service', async () => {
    await using test = await startControllers(SLICES);
    const { cluster } = test;
    await addNode(cluster, 'a', '4');
    await addNode(cluster, 'b', '4');
    await services(cluster).create(service({ trafficDistribution: 'PreferClose' }));
    await addPod(cluster, 1, 'a');
    await addPod(cluster, 2, 'b');
    assert.deepEqual(await hints(cluster), ['10.0.0.1 for a', '10.0.0.2 for b']);
    await services(cluster).patch('web', { spec: { trafficDistribution: 'PreferSameNode' } });
    assert.deepEqual(await hints(cluster), ['10.0.0.1 for a and n-a', '10.0.0.2 for b and n-b']);
    await services(cluster).patch('web', { spec: { trafficDistribution: null } });
    assert.deepEqual(await hints(cluster), ['10.0.0.1 for all', '10.0.0.2 for all']);
  });

  it('give each zone its share, and follow nodes', async () => {
    await using test = await startControllers(SLICES);
    const { cluster } = test;
    await addNode(cluster, 'a', '4');
    await addNode(cluster, 'b', '4');
    await services(cluster).create({
      ...service(),
      metadata: { name: 'web', annotations: { [MODE]: 'Auto' } },
    });
    for (const at of [1, 2, 3, 4]) await addPod(cluster, at, 'a');
    const zones = (await hints(cluster)).map((text) => text.slice(-1)).toSorted();
    assert.deepEqual(zones, ['a', 'a', 'b', 'b']);
    // The other zone is gone: there is nothing left to choose from.
    await cluster.client.resource(Node).delete('n-b');
    assert.deepEqual([...new Set((await hints(cluster)).map((text) => text.slice(9)))], ['for all']);
    const events = await eventsOf(cluster, 'web');
    assert.ok(
      events.includes('TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: IPv4'),
      events.join('\n'),
    );
    assert.ok(
      events.some((text) => text.startsWith('TopologyAwareHintsDisabled: Insufficient Node information')),
    );
  });
});
