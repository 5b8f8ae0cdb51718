// Volumes of pods on the embedded server, with a driver that notes every wrong step.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Node, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { VolumeAttachment } from '@windlass/apimachinery/api/storage/v1';
import { GrpcError } from '@windlass/csi';
import { DRIVER } from '../testing/fake-driver.ts';
import { claim, events, isGone, phase, pods, run, startVolumeNode } from '../testing/volume-node.ts';

describe('a volume of a driver', () => {
  it('is staged and published before its pod runs, and taken down before the pod goes', async () => {
    await using node = await startVolumeNode();
    const { cluster, driver, root } = node;
    await claim(node, 'data');
    let atPublish: string | undefined;
    driver.during = async (method) => {
      if (method === 'publish') atPublish = await phase(node, 'web');
    };
    const uid = await run(node, 'web', ['data'], {}, { 'stop-after': '5s' });
    assert.equal(await phase(node, 'web'), 'Running');
    assert.equal(atPublish, 'Pending');
    assert.deepEqual(driver.calls, ['stage data', 'publish data']);
    const mount = join(root, 'pods', uid, 'volumes/kubernetes.io~csi/pv-data');
    const data: unknown = JSON.parse(readFileSync(join(mount, 'vol_data.json'), 'utf8'));
    assert.deepEqual(data, {
      driverName: DRIVER,
      volumeHandle: 'data',
      specVolID: 'pv-data',
      nodeName: 'node-1',
      attachmentID: 'csi-1a9a9466976bf60b691d3d63c37e9125e1b0abec514601050930063dfe54fafd',
      volumeLifecycleMode: 'Persistent',
    });
    await pods(node).delete('web');
    await cluster.advance(4000);
    assert.equal(driver.calls.length, 2, 'its container still runs');
    await cluster.advance(1000);
    assert.deepEqual(driver.calls.slice(2), ['unpublish data', 'unstage data']);
    assert.ok(await isGone(node, 'web'));
    assert.ok(!existsSync(join(root, 'pods', uid)));
    assert.deepEqual(readdirSync(join(root, 'plugins/kubernetes.io/csi', DRIVER)), []);
    assert.deepEqual(driver.violations, []);
  });

  it('is told of its pod, with what its class has noted', async () => {
    await using node = await startVolumeNode();
    await claim(node, 'data', { mountOptions: ['noatime'], accessModes: ['ReadWriteOncePod'] });
    const uid = await run(node, 'web', ['data']);
    const [staged] = node.driver.staged;
    const [published] = node.driver.published;
    assert.deepEqual(staged?.volumeContext, { size: 'small' });
    assert.deepEqual(staged.volumeCapability, {
      mount: { fsType: '', mountFlags: ['noatime'], volumeMountGroup: '' },
      accessMode: { mode: 'SINGLE_NODE_WRITER' },
    });
    assert.deepEqual(published?.volumeContext, {
      size: 'small',
      'csi.storage.k8s.io/pod.name': 'web',
      'csi.storage.k8s.io/pod.namespace': 'default',
      'csi.storage.k8s.io/pod.uid': uid,
      'csi.storage.k8s.io/serviceAccount.name': 'default',
      'csi.storage.k8s.io/ephemeral': 'false',
    });
    assert.equal(published.stagingTargetPath, staged.stagingTargetPath);
    assert.equal(published.readonly, false);
  });

  it('serves several pods, and is unstaged with the last of them', async () => {
    await using node = await startVolumeNode();
    const { driver, cluster } = node;
    await claim(node, 'data');
    await run(node, 'a', ['data']);
    await run(node, 'b', ['data']);
    await pods(node).delete('a');
    await cluster.advance(1000);
    assert.deepEqual(driver.calls, ['stage data', 'publish data', 'publish data', 'unpublish data']);
    await pods(node).delete('b', { gracePeriodSeconds: 0 });
    await cluster.advance(1000);
    assert.deepEqual(driver.calls.slice(4), ['unpublish data', 'unstage data']);
    assert.deepEqual(driver.violations, []);
  });

  it('goes when its pod has ended, though the pod is still there', async () => {
    await using node = await startVolumeNode();
    await claim(node, 'data');
    await run(node, 'job', ['data'], { restartPolicy: 'Never' }, { 'run-for': '3s' });
    await node.cluster.advance(3000);
    assert.equal(await phase(node, 'job'), 'Succeeded');
    assert.ok(node.driver.isClean);
    assert.equal(node.driver.calls.at(-1), 'unstage data');
  });

  it('that cannot be mounted is tried again after 0.5 s, 1 s, 2 s, and people are told why', async () => {
    await using node = await startVolumeNode();
    const { driver, cluster } = node;
    driver.fault = (method) => (method === 'stage' ? 'refuse' : undefined);
    await claim(node, 'data');
    await run(node, 'web', ['data']);
    const at: number[] = [];
    for (let ms = 0; ms < 4000; ms += 500) {
      if (driver.calls.length > at.length) at.push(ms);
      await cluster.advance(500);
    }
    assert.deepEqual(at, [0, 500, 1500, 3500]);
    assert.match(node.kubelet.failingVolume ?? '', /^mountDevice of .*\^data on node node-1$/);
    assert.deepEqual(await events(node, 'FailedMount'), [
      'MountVolume.MountDevice failed for volume "pv-data" : rpc error: code = Internal desc = the driver says no',
    ]);
    const { containerStatuses } = (await pods(node).get('web')).status ?? {};
    assert.equal(containerStatuses?.[0]?.state?.waiting?.reason, 'ContainerCreating');
    driver.fault = () => undefined;
    await cluster.advance(4000);
    assert.equal(await phase(node, 'web'), 'Running');
  });

  it('that one pod cannot get does not keep it from another', async () => {
    await using node = await startVolumeNode();
    const { driver } = node;
    await claim(node, 'data');
    driver.fault = (method) => (method === 'publish' && driver.published.length === 1 ? 'refuse' : undefined);
    await run(node, 'first', ['data']);
    await run(node, 'second', ['data']);
    assert.deepEqual([await phase(node, 'first'), await phase(node, 'second')], ['Pending', 'Running']);
    await node.cluster.advance(500);
    assert.equal(await phase(node, 'first'), 'Running');
  });

  it('of which nobody knows whether it is mounted is taken down when its pod goes', async () => {
    await using node = await startVolumeNode();
    const { driver, cluster } = node;
    await claim(node, 'data');
    driver.fault = (method) => (method === 'publish' ? 'lose answer' : undefined);
    await run(node, 'web', ['data']);
    assert.equal(await phase(node, 'web'), 'Pending');
    await pods(node).delete('web');
    await cluster.advance(1000);
    assert.ok(await isGone(node, 'web'));
    assert.ok(driver.isClean);
    assert.deepEqual(driver.calls.slice(-2), ['unpublish data', 'unstage data']);
  });

  it('that a driver has refused leaves nothing, and keeps no pod from going', async () => {
    await using node = await startVolumeNode();
    await claim(node, 'data');
    node.driver.fault = (method) => (method === 'publish' ? 'refuse' : undefined);
    const uid = await run(node, 'web', ['data']);
    assert.ok(!existsSync(join(node.root, 'pods', uid, 'volumes/kubernetes.io~csi/pv-data')));
    await pods(node).delete('web');
    await node.cluster.advance(1000);
    assert.ok(await isGone(node, 'web'));
    assert.ok(node.driver.isClean);
    assert.ok(!node.driver.calls.includes('unpublish data'));
    assert.ok(!existsSync(join(node.root, 'pods', uid)));
  });

  it('that cannot be taken down keeps its pod until it can', async () => {
    await using node = await startVolumeNode();
    const { driver, cluster } = node;
    await claim(node, 'data');
    await run(node, 'web', ['data']);
    driver.fault = (method) => (method === 'unpublish' ? 'unavailable' : undefined);
    await pods(node).delete('web');
    await cluster.advance(60_000);
    assert.equal(await isGone(node, 'web'), false);
    assert.ok(!driver.calls.includes('unstage data'));
    assert.match(node.kubelet.failingVolume ?? '', /^unmount .* of .*\^data on node node-1$/);
    driver.fault = () => undefined;
    await cluster.advance(122_000);
    assert.ok(await isGone(node, 'web'));
    assert.equal(node.kubelet.failingVolume, undefined);
    assert.ok(driver.isClean);
  });

  it('of a driver that is not there waits for it', async () => {
    await using node = await startVolumeNode({ hasDriver: false });
    await claim(node, 'data');
    await run(node, 'web', ['data']);
    await node.cluster.advance(100_000);
    assert.deepEqual(await events(node, 'FailedMount'), [
      `MountVolume.MountDevice failed for volume "pv-data" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ${DRIVER} not found in the list of registered CSI drivers`,
    ]);
    node.kubelet.registerDriver('node-1', DRIVER, node.driver);
    await node.cluster.settled();
    assert.equal(await phase(node, 'web'), 'Running');
  });

  it('for one pod alone is not given to a second', async () => {
    await using node = await startVolumeNode();
    const { cluster } = node;
    await claim(node, 'data', { accessModes: ['ReadWriteOncePod'] });
    await run(node, 'a', ['data']);
    await run(node, 'b', ['data']);
    assert.equal(await phase(node, 'b'), 'Pending');
    assert.deepEqual(await events(node, 'FailedMount'), [
      'MountVolume.SetUp failed for volume "pv-data" : volume uses the ReadWriteOncePod access mode and is already in use by another pod',
    ]);
    await pods(node).delete('a');
    await cluster.advance(1000);
    assert.equal(await phase(node, 'b'), 'Running');
    assert.deepEqual(node.driver.violations, []);
  });

  it('that belongs to another node is not mounted', async () => {
    await using node = await startVolumeNode();
    await claim(node, 'data', {
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node-9'] }] },
          ],
        },
      },
    });
    await run(node, 'web', ['data']);
    assert.deepEqual(await events(node, 'FailedMount'), [
      'MountVolume.SetUp failed for volume "pv-data" : no matching NodeSelectorTerms',
    ]);
  });

  it('may have two names in one pod', async () => {
    await using node = await startVolumeNode();
    await claim(node, 'data');
    await run(node, 'web', ['data', { name: 'again', persistentVolumeClaim: { claimName: 'data' } }]);
    assert.equal(await phase(node, 'web'), 'Running');
  });

  it('that no container mounts is left alone', async () => {
    await using node = await startVolumeNode();
    await claim(node, 'data');
    await run(node, 'web', ['data'], { containers: [{ name: 'main', image: 'nginx' }] });
    assert.equal(await phase(node, 'web'), 'Running');
    assert.deepEqual(node.driver.calls, []);
  });
});

describe('a claim', () => {
  it('that is not bound yet holds its pod back', async () => {
    await using node = await startVolumeNode();
    const { cluster } = node;
    const claims = cluster.client.resource(PersistentVolumeClaim).namespace('default');
    await run(node, 'web', ['data']);
    assert.deepEqual(await events(node, 'FailedMount'), [
      'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: error processing PVC default/data: failed to fetch PVC from API server: persistentvolumeclaims "data" not found',
    ]);
    await claim(node, 'data');
    await claims.status.patch('data', { status: { phase: 'Pending' } });
    await cluster.advance(20_000);
    assert.equal(await phase(node, 'web'), 'Pending');
    assert.match((await events(node, 'FailedMount')).join('; '), /PVC is not bound/);
    await claims.status.patch('data', { status: { phase: 'Bound' } });
    await cluster.advance(10_000);
    assert.equal(await phase(node, 'web'), 'Running');
  });

  it('of another pod is not taken for an ephemeral one', async () => {
    await using node = await startVolumeNode();
    await claim(node, 'web-scratch');
    await run(node, 'web', [
      {
        name: 'scratch',
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        },
      },
    ]);
    assert.match((await events(node, 'FailedMount')).join('; '), /was not created for pod default\/web/);
    assert.deepEqual(node.driver.calls, []);
  });

  it('for long in vain is told of after two minutes', async () => {
    await using node = await startVolumeNode();
    await claim(node, 'data');
    node.driver.fault = () => 'unavailable';
    await run(node, 'web', ['data']);
    await node.cluster.advance(123_000);
    assert.ok(
      (await events(node, 'FailedMount')).includes(
        'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: context deadline exceeded',
      ),
    );
  });
});

describe('a volume that is attached', () => {
  it('is in use before it is mounted, and until it is gone', async () => {
    await using node = await startVolumeNode({ driver: { attachRequired: true } });
    const { cluster, driver } = node;
    const inUse = async () => (await cluster.client.resource(Node).get('node-1')).status?.volumesInUse ?? [];
    await claim(node, 'data');
    let before: string[] = [];
    driver.during = async (method) => {
      if (method === 'stage') before = await inUse();
    };
    await run(node, 'web', ['data']);
    await cluster.advance(5000);
    assert.equal(await phase(node, 'web'), 'Pending');
    assert.match((await events(node, 'FailedMount')).join('; '), /WaitForAttach failed for volume "pv-data"/);
    const name = 'csi-1a9a9466976bf60b691d3d63c37e9125e1b0abec514601050930063dfe54fafd';
    const attachments = cluster.client.resource(VolumeAttachment);
    await attachments.create({
      metadata: { name },
      spec: { attacher: DRIVER, nodeName: 'node-1', source: { persistentVolumeName: 'pv-data' } },
    });
    await cluster.advance(5000);
    assert.equal(driver.calls.length, 0);
    await attachments.status.patch(name, {
      status: { attached: true, attachmentMetadata: { device: 'sdb' } },
    });
    await cluster.advance(20_000);
    assert.equal(await phase(node, 'web'), 'Running');
    assert.deepEqual(driver.published[0]?.publishContext, { device: 'sdb' });
    assert.deepEqual(before, [`kubernetes.io/csi/${DRIVER}^data`]);
    await node.restart();
    assert.deepEqual(await inUse(), before, 'also by an agent that has just started');
    await pods(node).delete('web');
    await cluster.advance(1000);
    assert.ok(await isGone(node, 'web'));
    assert.deepEqual(await inUse(), []);
  });
});

describe('an agent that is started anew', () => {
  it('takes up what is mounted, and does not disturb it', async () => {
    await using node = await startVolumeNode();
    const { driver, cluster } = node;
    await claim(node, 'data');
    await run(node, 'web', ['data']);
    await node.restart();
    assert.equal(await phase(node, 'web'), 'Running');
    assert.deepEqual(
      driver.calls.filter((call) => call.startsWith('un')),
      [],
    );
    await pods(node).delete('web');
    await cluster.advance(1000);
    assert.ok(await isGone(node, 'web'));
    assert.ok(driver.isClean);
    assert.deepEqual(driver.violations, []);
  });

  it('takes down what pods left that went meanwhile', async () => {
    await using node = await startVolumeNode();
    const { driver, root } = node;
    await claim(node, 'data');
    await claim(node, 'other');
    const uid = await run(node, 'gone', ['data']);
    await run(node, 'stays', ['other']);
    await node.restart(async () => {
      await pods(node).delete('gone', { gracePeriodSeconds: 0 });
    });
    assert.deepEqual(driver.volume('data'), { stagedAt: undefined, publishedAt: new Set(), bytes: 0 });
    assert.equal(driver.volume('other').publishedAt.size, 1);
    assert.ok(!existsSync(join(root, 'pods', uid)));
  });

  it('takes down a device that no pod has', async () => {
    await using node = await startVolumeNode();
    const { driver } = node;
    await claim(node, 'data');
    await run(node, 'web', ['data']);
    driver.fault = (method) => (method === 'unstage' ? 'unavailable' : undefined);
    await pods(node).delete('web');
    await node.cluster.advance(1000);
    assert.ok(await isGone(node, 'web'), 'the pod has nothing to do with the device');
    driver.fault = () => undefined;
    await node.restart();
    assert.ok(driver.isClean);
  });
});

describe('a driver that hangs', () => {
  it('holds up its own volume alone, and is asked again when its time is up', async () => {
    await using node = await startVolumeNode();
    const { driver, cluster } = node;
    await claim(node, 'stuck');
    await claim(node, 'data');
    const hanging: PromiseWithResolvers<void>[] = [];
    const calls = Promise.withResolvers<void>();
    driver.during = (_, id) => {
      if (id !== 'stuck' || hanging.length > 0) return undefined;
      hanging.push(Promise.withResolvers());
      calls.resolve();
      return hanging[0]?.promise;
    };
    // Nothing settles while a call is under way.
    const start = (name: string, volume: string) =>
      pods(node).create({
        metadata: { name },
        spec: {
          nodeName: 'node-1',
          automountServiceAccountToken: false,
          containers: [{ name: 'main', image: 'x', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
          volumes: [{ name: 'v', persistentVolumeClaim: { claimName: volume } }],
        },
      });
    await start('slow', 'stuck');
    await calls.promise;
    const watch = pods(node).watch({ fieldSelector: 'metadata.name=fast' });
    await start('fast', 'data');
    for await (const { type, object } of watch)
      if (type === 'MODIFIED' && object.status?.phase === 'Running') break;
    assert.equal(await phase(node, 'slow'), 'Pending');
    await cluster.clock.advance(120_000);
    hanging[0]?.reject(new GrpcError('CANCELLED', 'the node has given up'));
    await cluster.settled();
    await cluster.advance(1000);
    assert.equal(await phase(node, 'slow'), 'Running');
    assert.deepEqual(driver.violations, []);
  });
});
