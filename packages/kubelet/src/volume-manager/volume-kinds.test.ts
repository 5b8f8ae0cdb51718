// Kinds of volumes, what they show, and how they grow.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  ConfigMap,
  PersistentVolume,
  PersistentVolumeClaim,
  Secret,
} from '@windlass/apimachinery/api/core/v1';
import { DRIVER } from '../testing/fake-driver.ts';
import {
  claim,
  configMap,
  events,
  isGone,
  phase,
  pods,
  run,
  startVolumeNode,
  type VolumeNode,
} from '../testing/volume-node.ts';

describe('volumes from the API', () => {
  const volume = { name: 'settings', configMap: { name: 'settings' } };

  for (const hasRoot of [true, false])
    it(`hold a pod back until they are there, ${hasRoot ? 'with' : 'without'} a folder`, async () => {
      await using node = await startVolumeNode({ hasRoot });
      const uid = await run(node, 'web', [volume]);
      assert.equal(await phase(node, 'web'), 'Pending');
      assert.deepEqual(await events(node, 'FailedMount'), [
        'MountVolume.SetUp failed for volume "settings" : configmap "settings" not found',
      ]);
      await configMap(node, 'settings', { color: 'blue' });
      await node.cluster.advance(1000);
      assert.equal(await phase(node, 'web'), 'Running');
      const file = join(node.root, 'pods', uid, 'volumes/kubernetes.io~configmap/settings/color');
      assert.equal(existsSync(file), hasRoot);
      if (hasRoot) assert.equal(readFileSync(file, 'utf8'), 'blue');
    });

  it('that are optional hold nobody back', async () => {
    await using node = await startVolumeNode();
    await run(node, 'web', [{ name: 'settings', configMap: { name: 'settings', optional: true } }]);
    assert.equal(await phase(node, 'web'), 'Running');
  });

  it('change when what they show does', async () => {
    await using node = await startVolumeNode();
    const secrets = node.cluster.client.resource(Secret).namespace('default');
    await secrets.create({ metadata: { name: 'key' }, data: { a: 'b2xk', gone: 'eA==' } });
    const uid = await run(node, 'web', [{ name: 'key', secret: { secretName: 'key', defaultMode: 0o400 } }]);
    const directory = join(node.root, 'pods', uid, 'volumes/kubernetes.io~secret/key');
    assert.equal(readFileSync(join(directory, 'a'), 'utf8'), 'old');
    await secrets.patch('key', { data: { a: 'bmV3', gone: null } }, { type: 'merge' });
    await node.cluster.advance(60_000);
    assert.equal(readFileSync(join(directory, 'a'), 'utf8'), 'new');
    assert.deepEqual(
      readdirSync(directory).filter((name) => !name.startsWith('..')),
      ['a'],
    );
    await pods(node).delete('web');
    await node.cluster.advance(1000);
    assert.ok(!existsSync(join(node.root, 'pods', uid)));
  });

  it('show a pod itself, and its token', async () => {
    await using node = await startVolumeNode();
    const uid = await run(node, 'web', [
      { name: 'me', downwardAPI: { items: [{ path: 'in/name', fieldRef: { fieldPath: 'metadata.name' } }] } },
      { name: 'scratch', emptyDir: {} },
      { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
    ]);
    const volumes = join(node.root, 'pods', uid, 'volumes');
    assert.equal(readFileSync(join(volumes, 'kubernetes.io~downward-api/me/in/name'), 'utf8'), 'web');
    assert.match(readFileSync(join(volumes, 'kubernetes.io~projected/token/token'), 'utf8'), /^ey.+\..+\./);
    assert.deepEqual(readdirSync(join(volumes, 'kubernetes.io~empty-dir/scratch')), []);
  });

  it('of kinds that the node does not know are named', async () => {
    await using node = await startVolumeNode();
    await run(node, 'web', [{ name: 'share', nfs: { server: 'nas', path: '/' } }]);
    assert.match(
      (await events(node, 'FailedMount')).join('; '),
      /volume "share" is of kind nfs, for which this node/,
    );
    assert.equal(await phase(node, 'web'), 'Pending');
  });
});

describe('variables from the API', () => {
  it('keep a container from its start until they are there', async () => {
    await using node = await startVolumeNode({ hasRoot: false });
    const { cluster } = node;
    const env = [{ name: 'COLOR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'color' } } }];
    await run(node, 'web', [], { containers: [{ name: 'main', image: 'nginx', env }] });
    const waiting = async () => (await pods(node).get('web')).status?.containerStatuses?.[0]?.state?.waiting;
    assert.deepEqual(await waiting(), {
      reason: 'CreateContainerConfigError',
      message: 'configmap "settings" not found',
    });
    await configMap(node, 'settings', {});
    await cluster.advance(10_000);
    assert.equal((await waiting())?.message, "couldn't find key color in ConfigMap default/settings");
    assert.deepEqual(await events(node, 'Failed'), ['Error: configmap "settings" not found']);
    await cluster.client
      .resource(ConfigMap)
      .namespace('default')
      .patch('settings', { data: { color: 'blue' } });
    await cluster.advance(10_000);
    assert.equal(await phase(node, 'web'), 'Running');
  });

  it('may be left out', async () => {
    await using node = await startVolumeNode({ hasRoot: false });
    const envFrom = [{ secretRef: { name: 'none', optional: true } }];
    await run(node, 'web', [], { containers: [{ name: 'main', image: 'nginx', envFrom }] });
    assert.equal(await phase(node, 'web'), 'Running');
  });
});

describe('a volume that has grown', () => {
  const grow = async (node: VolumeNode, capacity: string): Promise<void> => {
    const { client } = node.cluster;
    await client
      .resource(PersistentVolumeClaim)
      .namespace('default')
      .status.patch('data', {
        status: {
          allocatedResourceStatuses: { storage: 'NodeResizePending' },
          conditions: [{ type: 'FileSystemResizePending', status: 'True' }],
        },
      });
    await client.resource(PersistentVolume).patch('pv-data', { spec: { capacity: { storage: capacity } } });
  };
  const status = async (node: VolumeNode) =>
    (await node.cluster.client.resource(PersistentVolumeClaim).namespace('default').get('data')).status;

  it('has its file system grow while its pod runs', async () => {
    await using node = await startVolumeNode();
    const { driver, cluster } = node;
    await claim(node, 'data');
    await run(node, 'web', ['data']);
    await grow(node, '2Gi');
    await cluster.advance(60_000);
    assert.equal(driver.volume('data').bytes, 2 ** 31);
    const { capacity, conditions = [], allocatedResourceStatuses } = (await status(node)) ?? {};
    assert.deepEqual([capacity, conditions, allocatedResourceStatuses], [{ storage: '2Gi' }, [], undefined]);
    assert.deepEqual(await events(node, 'FileSystemResizeSuccessful'), [
      'MountVolume.NodeExpandVolume succeeded for volume "pv-data" node-1',
    ]);
    await cluster.advance(120_000);
    assert.equal(driver.calls.filter((call) => call === 'expand data').length, 1);
  });

  it('has grown before its next pod starts', async () => {
    await using node = await startVolumeNode();
    const { driver, cluster } = node;
    await claim(node, 'data');
    await grow(node, '3Gi');
    driver.fault = (method) => (method === 'expand' ? 'unavailable' : undefined);
    await run(node, 'web', ['data']);
    assert.equal(await phase(node, 'web'), 'Pending');
    assert.match(
      (await events(node, 'FailedMount')).join('; '),
      /NodeExpandVolume failed: rpc error: code = Unavailable/,
    );
    driver.fault = () => undefined;
    await cluster.advance(500);
    assert.equal(await phase(node, 'web'), 'Running');
    assert.equal((await status(node))?.capacity?.['storage'], '3Gi');
  });

  it('is not tried again and again when it cannot be', async () => {
    await using node = await startVolumeNode();
    const { driver, cluster } = node;
    await claim(node, 'data');
    await run(node, 'web', ['data']);
    driver.refusal = 'OUT_OF_RANGE';
    driver.fault = (method) => (method === 'expand' ? 'refuse' : undefined);
    await grow(node, '9Ei');
    await cluster.advance(60_000);
    await cluster.advance(600_000);
    assert.equal(driver.calls.filter((call) => call === 'expand data').length, 1);
    assert.equal((await status(node))?.allocatedResourceStatuses?.['storage'], 'NodeResizeInfeasible');
    assert.equal(await phase(node, 'web'), 'Running');
    assert.equal((await events(node, 'VolumeResizeFailed')).length, 1);
  });

  it('needs nothing of a driver whose file systems grow by themselves', async () => {
    await using node = await startVolumeNode();
    node.driver.capabilities = ['STAGE_UNSTAGE_VOLUME'];
    await claim(node, 'data');
    await run(node, 'web', ['data']);
    await grow(node, '2Gi');
    await node.cluster.advance(60_000);
    assert.equal((await status(node))?.capacity?.['storage'], '2Gi');
    assert.ok(!node.driver.calls.includes('expand data'));
  });
});

describe('figures of volumes', () => {
  it('say how full they are, as long as they are mounted', async () => {
    await using node = await startVolumeNode();
    const { cluster, manager, driver } = node;
    await claim(node, 'data');
    await run(node, 'web', ['data']);
    driver.volume('data').bytes = 1000;
    await cluster.advance(60_000);
    const shown = () =>
      manager.metrics
        .expose()
        .split('\n')
        .filter((line) => line.startsWith('kubelet_volume_stats_'));
    const labels = '{namespace="default",persistentvolumeclaim="data"}';
    assert.deepEqual(shown(), [
      `kubelet_volume_stats_available_bytes${labels} 900`,
      `kubelet_volume_stats_capacity_bytes${labels} 1000`,
      `kubelet_volume_stats_inodes${labels} 50`,
      `kubelet_volume_stats_inodes_free${labels} 30`,
      `kubelet_volume_stats_inodes_used${labels} 20`,
      `kubelet_volume_stats_used_bytes${labels} 100`,
    ]);
    await pods(node).delete('web');
    await cluster.advance(60_000);
    assert.deepEqual(shown(), []);
  });
});

describe('volumes of other kinds', () => {
  it('in a pod itself are published by the driver for it alone', async () => {
    await using node = await startVolumeNode({ driver: { volumeLifecycleModes: ['Ephemeral'] } });
    const { driver, cluster } = node;
    await run(node, 'web', [{ name: 'scratch', csi: { driver: DRIVER, volumeAttributes: { a: 'b' } } }]);
    assert.equal(await phase(node, 'web'), 'Running');
    const [published] = driver.published;
    assert.equal(published?.volumeContext['csi.storage.k8s.io/ephemeral'], 'true');
    assert.equal(published.volumeContext['a'], 'b');
    assert.equal(published.stagingTargetPath, '');
    assert.deepEqual(driver.staged, []);
    await node.restart();
    await pods(node).delete('web');
    await cluster.advance(1000);
    assert.ok(await isGone(node, 'web'));
    assert.ok(driver.isClean);
    assert.deepEqual(driver.violations, []);
  });

  it('in a pod itself need a driver that is made for it', async () => {
    await using node = await startVolumeNode();
    await run(node, 'web', [{ name: 'scratch', csi: { driver: DRIVER } }]);
    assert.deepEqual(await events(node, 'FailedMount'), [
      `MountVolume.SetUp failed for volume "scratch" : volume mode "Ephemeral" not supported by driver ${DRIVER} (only supports ["Persistent"])`,
    ]);
  });

  it('by a claim that was made for the pod are mounted', async () => {
    await using node = await startVolumeNode();
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const uid = await run(node, 'web', [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec } } }]);
    await claim(node, 'web-scratch');
    await node.cluster.client
      .resource(PersistentVolumeClaim)
      .namespace('default')
      .patch('web-scratch', {
        metadata: {
          ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'web', uid, controller: true }],
        },
      });
    await node.cluster.advance(10_000);
    assert.equal(await phase(node, 'web'), 'Running');
    assert.deepEqual(node.driver.calls, ['stage web-scratch', 'publish web-scratch']);
  });

  it('that are folders of the node are shown, and stay', async () => {
    await using node = await startVolumeNode();
    const path = join(node.root, 'disk');
    await claim(node, 'data', {
      local: { path },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] },
          ],
        },
      },
    });
    const uid = await run(node, 'web', ['data']);
    assert.deepEqual(await events(node, 'FailedMount'), [
      `MountVolume.SetUp failed for volume "pv-data" : path "${path}" does not exist`,
    ]);
    mkdirSync(path);
    writeFileSync(join(path, 'file'), 'precious');
    await node.cluster.advance(1000);
    assert.equal(await phase(node, 'web'), 'Running');
    const mount = join(node.root, 'pods', uid, 'volumes/kubernetes.io~local-volume/pv-data');
    assert.equal(readFileSync(join(mount, 'file'), 'utf8'), 'precious');
    await pods(node).delete('web');
    await node.cluster.advance(1000);
    assert.ok(!existsSync(mount));
    assert.equal(readFileSync(join(path, 'file'), 'utf8'), 'precious');
  });
});

describe('a driver that asks for it', () => {
  it('is called again while a volume is mounted, and gets tokens of the pod', async () => {
    await using node = await startVolumeNode({
      driver: { requiresRepublish: true, tokenRequests: [{ audience: 'vault' }] },
    });
    await claim(node, 'data');
    await run(node, 'web', ['data']);
    await node.cluster.advance(60_000);
    const { published, calls } = node.driver;
    assert.deepEqual(calls, ['stage data', 'publish data', 'publish data']);
    const tokens = published.map(
      ({ volumeContext }) => volumeContext['csi.storage.k8s.io/serviceAccount.tokens'] ?? '',
    );
    const { vault } = JSON.parse(tokens[0] ?? '') as {
      vault?: { token: string; expirationTimestamp: string };
    };
    assert.match(vault?.token ?? '', /^ey/);
    assert.equal(vault?.expirationTimestamp, '2026-01-01T01:00:00Z');
    assert.equal(tokens[1], tokens[0], 'while they are fresh they stay');
    await node.cluster.advance(3_000_000);
    await node.cluster.advance(60_000);
    assert.notEqual(published.at(-1)?.volumeContext['csi.storage.k8s.io/serviceAccount.tokens'], tokens[0]);
    assert.equal(await phase(node, 'web'), 'Running');
  });

  it('leaves the files to the node, which gives them to the group of the pod', async () => {
    await using node = await startVolumeNode({ driver: { fsGroupPolicy: 'File' } });
    await claim(node, 'data');
    const fsGroup = process.getgid?.() ?? 0;
    const uid = await run(node, 'web', ['data'], { securityContext: { fsGroup } });
    const mount = join(node.root, 'pods', uid, 'volumes/kubernetes.io~csi/pv-data/mount');
    assert.equal(statSync(mount).mode & 0o2070, 0o2070);
    assert.equal(statSync(mount).gid, fsGroup);
  });
});

describe('several nodes in one process', () => {
  it('have folders of their own, and see at once that a volume has grown', async () => {
    await using node = await startVolumeNode({ others: ['node-2'] });
    const { cluster, driver, root } = node;
    node.kubelet.registerDriver('node-2', DRIVER, driver);
    await claim(node, 'data');
    await run(node, 'web', ['data'], { nodeName: 'node-2' });
    assert.equal(await phase(node, 'web'), 'Running');
    assert.match(driver.published[0]?.targetPath ?? '', new RegExp(`^${root}/others/node-2/pods/`));
    const claims = cluster.client.resource(PersistentVolumeClaim).namespace('default');
    await cluster.client
      .resource(PersistentVolume)
      .patch('pv-data', { spec: { capacity: { storage: '2Gi' } } });
    await claims.status.patch('data', {
      status: { conditions: [{ type: 'FileSystemResizePending', status: 'True' }] },
    });
    await cluster.settled();
    assert.equal((await claims.get('data')).status?.capacity?.['storage'], '2Gi');
  });
});
