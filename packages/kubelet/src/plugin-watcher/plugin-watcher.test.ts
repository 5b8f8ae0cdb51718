// Drivers introduce themselves by sockets in the node's folder, and are used over theirs.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findCondition, isNotFound } from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { CSINode } from '@windlass/apimachinery/api/storage/v1';
import { type RunningServer, serveCsi, serveRegistration } from '@windlass/csi';
import { DRIVER } from '../testing/fake-driver.ts';
import { claim, isGone, phase, pods, run, startVolumeNode, type VolumeNode } from '../testing/volume-node.ts';

interface ServedDriver extends AsyncDisposable {
  readonly told: { readonly pluginRegistered: boolean; readonly error: string }[];
  readonly registration: RunningServer;
}

/** The driver behind real sockets, in this node's folder. */
async function serve(
  node: VolumeNode,
  { socket = 'r', versions = ['1.0.0'] }: { socket?: string; versions?: readonly string[] } = {},
): Promise<ServedDriver> {
  const { root, driver } = node;
  const endpoint = join(root, 'plugins', `${socket}.sock`);
  await mkdir(join(root, 'plugins'), { recursive: true });
  const parts = new AsyncDisposableStack();
  parts.use(
    await serveCsi({
      socketPath: endpoint,
      identity: {
        getPluginInfo: async () => ({ name: DRIVER, vendorVersion: '1' }),
        getPluginCapabilities: async () => ({ capabilities: [] }),
        probe: async () => ({}),
      },
      // What comes over the wire is what the protocol says, and a little wider than what the node sends.
      node: driver as unknown as NonNullable<Parameters<typeof serveCsi>[0]['node']>,
    }),
  );
  const told: ServedDriver['told'] = [];
  const registration = parts.use(
    await serveRegistration({
      socketPath: join(root, 'plugins_registry', `${socket}.sock`),
      info: { name: DRIVER, endpoint, supportedVersions: versions },
      onStatus: (status) => told.push(status),
    }),
  );
  return { told, registration, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

/** An empty list may be null. */
const drivers = async ({ cluster }: VolumeNode) =>
  (await cluster.client.resource(CSINode).get('node-1')).spec.drivers ?? [];

describe('a driver with a socket', () => {
  it('is known to the cluster with what it says of the node', async () => {
    await using node = await startVolumeNode({ hasDriver: false });
    const { cluster, driver } = node;
    assert.deepEqual(await drivers(node), []);
    driver.topology = { 'fake.windlass.dev/rack': 'r1', 'fake.windlass.dev/zone': 'z1' };
    driver.maxVolumesPerNode = 12;
    await using served = await serve(node);
    await cluster.advance(10_000);
    assert.deepEqual(served.told, [{ pluginRegistered: true, error: '' }]);
    assert.deepEqual(await drivers(node), [
      {
        name: DRIVER,
        nodeID: 'node-id',
        topologyKeys: ['fake.windlass.dev/rack', 'fake.windlass.dev/zone'],
        allocatable: { count: 12 },
      },
    ]);
    const { metadata } = await cluster.client.resource(Node).get('node-1');
    assert.equal(metadata?.labels?.['fake.windlass.dev/rack'], 'r1');
    assert.equal(metadata.annotations?.['csi.volume.kubernetes.io/nodeid'], `{"${DRIVER}":"node-id"}`);
    const csiNode = await cluster.client.resource(CSINode).get('node-1');
    assert.equal(csiNode.metadata?.ownerReferences?.[0]?.uid, metadata.uid);
  });

  it('mounts volumes over it', async () => {
    await using node = await startVolumeNode({ hasDriver: false });
    const { cluster, driver } = node;
    await using _served = await serve(node);
    await cluster.advance(10_000);
    await claim(node, 'data');
    await run(node, 'web', ['data']);
    assert.equal(await phase(node, 'web'), 'Running');
    await pods(node).delete('web');
    await cluster.advance(1000);
    assert.ok(await isGone(node, 'web'));
    assert.deepEqual(driver.calls, ['stage data', 'publish data', 'unpublish data', 'unstage data']);
    assert.deepEqual(driver.violations, []);
  });

  it('is no longer known when its socket goes, unless it has come back by another', async () => {
    await using node = await startVolumeNode({ hasDriver: false });
    const { cluster } = node;
    await using first = await serve(node, { socket: 'a' });
    await cluster.advance(10_000);
    await using second = await serve(node, { socket: 'b' });
    await cluster.advance(10_000);
    await first[Symbol.asyncDispose]();
    await cluster.advance(10_000);
    assert.equal((await drivers(node)).length, 1);
    await claim(node, 'data');
    await run(node, 'web', ['data']);
    assert.equal(await phase(node, 'web'), 'Running');
    await second[Symbol.asyncDispose]();
    await cluster.advance(10_000);
    assert.deepEqual(await drivers(node), []);
    const { metadata } = await cluster.client.resource(Node).get('node-1');
    assert.equal(metadata?.annotations?.['csi.volume.kubernetes.io/nodeid'], undefined);
  });

  it('is seen at once, without waiting for the next look', async () => {
    await using node = await startVolumeNode({ hasDriver: false });
    const told = Promise.withResolvers<boolean>();
    await using _registration = await serveRegistration({
      socketPath: join(node.root, 'plugins_registry', 'early.sock'),
      info: { name: DRIVER, endpoint: '/nowhere', supportedVersions: ['2.0'] },
      onStatus: ({ pluginRegistered }) => told.resolve(pluginRegistered),
    });
    assert.equal(await told.promise, false);
  });

  it('of a version that is not known is told so', async () => {
    await using node = await startVolumeNode({ hasDriver: false });
    await using served = await serve(node, { versions: ['0.3.0'] });
    await node.cluster.advance(10_000);
    assert.match(
      served.told[0]?.error ?? '',
      /supports none of the versions that the node does: it has 0\.3\.0/,
    );
    assert.deepEqual(await drivers(node), []);
  });

  it('that puts the node somewhere else is refused', async () => {
    await using node = await startVolumeNode({ hasDriver: false });
    node.driver.topology = { 'kubernetes.io/hostname': 'node-9' };
    await using served = await serve(node);
    await node.cluster.advance(10_000);
    assert.equal(
      served.told[0]?.error,
      'detected topology value collision: driver reported "kubernetes.io/hostname":"node-9" but existing label is "kubernetes.io/hostname":"node-1"',
    );
  });

  it('takes up its volumes when the agent is started anew', async () => {
    await using node = await startVolumeNode({ hasDriver: false });
    const { cluster, driver } = node;
    await using _served = await serve(node);
    await cluster.advance(10_000);
    await claim(node, 'data');
    await run(node, 'web', ['data']);
    await node.restart();
    await cluster.advance(10_000);
    await pods(node).delete('web');
    await cluster.advance(1000);
    assert.ok(await isGone(node, 'web'));
    assert.ok(driver.isClean);
    assert.deepEqual(driver.violations, []);
  });
});

describe('a driver of the same process', () => {
  it('is known to the cluster as any other', async () => {
    await using node = await startVolumeNode({ hasDriver: false });
    const remove = node.kubelet.registerDriver('node-1', DRIVER, node.driver);
    await node.cluster.advance(5000);
    assert.equal((await drivers(node))[0]?.nodeID, 'node-id');
    remove();
    await node.cluster.settled();
    assert.deepEqual(await drivers(node), []);
  });

  for (const [when, ms] of [
    ['before the server knew it', 0],
    ['later', 5000],
  ] as const)
    it(`that goes ${when} is not asked any more, until it comes back`, async () => {
      await using node = await startVolumeNode({ hasDriver: false });
      const { cluster, driver, kubelet } = node;
      const remove = kubelet.registerDriver('node-1', DRIVER, driver);
      if (ms > 0) await cluster.advance(ms);
      remove();
      await cluster.settled();
      await claim(node, 'data');
      await run(node, 'web', ['data']);
      await cluster.advance(5000);
      assert.deepEqual([await phase(node, 'web'), driver.calls], ['Pending', []]);
      kubelet.registerDriver('node-1', DRIVER, driver);
      await cluster.advance(120_000);
      assert.equal(await phase(node, 'web'), 'Running');
    });

  it('needs no folder to be known', async () => {
    await using node = await startVolumeNode({ hasRoot: false });
    await node.cluster.advance(5000);
    assert.equal((await drivers(node))[0]?.name, DRIVER);
  });
});

describe('a node without a folder and without drivers', () => {
  it('has no CSINode', async () => {
    await using node = await startVolumeNode({ hasRoot: false, hasDriver: false });
    await assert.rejects(node.cluster.client.resource(CSINode).get('node-1'), isNotFound);
    const { status } = await node.cluster.client.resource(Node).get('node-1');
    assert.equal(findCondition(status?.conditions, 'Ready')?.status, 'True');
  });
});
