import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { systemCode } from '../os/errors.ts';
import { mountAt } from '../os/mount-entry.ts';
import { LABELS } from '../resources/labels.ts';
import { GIB, MOUNT, NODE, NodeTest, STAGING, targetOf } from '../testing/node-test.ts';

const withCode = (code: string) => (error: unknown) => systemCode(error) === code;

test('a node says who it is, where, and what it can', async () => {
  await using node = await NodeTest.start([], { topology: { zone: 'z1' } });
  const info = await node.csi.nodeGetInfo({});
  assert.equal(info.nodeId, NODE);
  assert.deepEqual(info.accessibleTopology?.segments, {
    [LABELS.identity]: 'directpv-min-io',
    [LABELS.rack]: 'default',
    [LABELS.zone]: 'z1',
    [LABELS.region]: 'default',
    [LABELS.node]: NODE,
  });
  const { capabilities } = await node.csi.nodeGetCapabilities({});
  assert.deepEqual(
    capabilities.map(({ rpc }) => rpc?.type),
    [
      'STAGE_UNSTAGE_VOLUME',
      'GET_VOLUME_STATS',
      'EXPAND_VOLUME',
      'VOLUME_CONDITION',
      'SINGLE_NODE_MULTI_WRITER',
    ],
  );
});

test('a volume is staged and published: a directory with its limit, shown to the pod', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  await node.stage('pvc-1');
  await node.publish('pvc-1', 'pod-1');
  const { status } = await node.volumes.get('pvc-1');
  const { fsuuid } = (await node.drive()).status;
  assert.equal(status.status, 'Ready');
  assert.equal(status.dataPath, `/var/lib/directpv/mnt/${fsuuid}/.FSUUID.${fsuuid}/pvc-1`);
  assert.equal(status.stagingTargetPath, `${STAGING}/pvc-1`);
  assert.equal(status.targetPath, targetOf('pod-1'));
  node.os.write(`${targetOf('pod-1')}/file`, GIB);
  assert.throws(() => node.os.write(`${targetOf('pod-1')}/more`, 1), withCode('EDQUOT'));
  assert.deepEqual(await node.os.list(`/var/lib/directpv/mnt/${fsuuid}/pvc-1`), ['file']);
});

test('every call may come again, and changes nothing then', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  for (let again = 0; again < 2; again++) await node.stage('pvc-1');
  for (let again = 0; again < 2; again++) await node.publish('pvc-1', 'pod-1');
  assert.equal((await node.os.mounts()).filter(({ root }) => root === '/pvc-1').length, 2);
  for (let again = 0; again < 2; again++) await node.unpublish('pvc-1', 'pod-1');
  for (let again = 0; again < 2; again++) await node.unstage('pvc-1');
  assert.deepEqual(
    (await node.os.mounts()).filter(({ root }) => root === '/pvc-1'),
    [],
  );
  const { status } = await node.volumes.get('pvc-1');
  assert.deepEqual([status.stagingTargetPath, status.targetPath], ['', '']);
});

test('after unpublish the target path is gone', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  await node.stage('pvc-1');
  await node.publish('pvc-1', 'pod-1');
  await node.unpublish('pvc-1', 'pod-1');
  assert.equal(await node.os.entryType(targetOf('pod-1')), undefined);
});

test('a volume that is gone is still unpublished and unstaged', async () => {
  await using node = await NodeTest.start();
  await node.os.makeDirectory(targetOf('pod-1'), { recursive: true });
  await node.unpublish('pvc-none', 'pod-1');
  await node.unstage('pvc-none');
  assert.equal(await node.os.entryType(targetOf('pod-1')), undefined);
});

test('weakness 20: two pods of a node have a volume, and one going leaves it to the other', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  await node.stage('pvc-1');
  await node.publish('pvc-1', 'pod-1');
  await node.publish('pvc-1', 'pod-2', { readonly: true });
  node.os.write(`${targetOf('pod-1')}/file`, 10);
  assert.throws(() => node.os.write(`${targetOf('pod-2')}/other`, 10), withCode('EROFS'));
  await node.unpublish('pvc-1', 'pod-1');
  assert.deepEqual(await node.os.list(targetOf('pod-2')), ['file']);
  const between = await node.volumes.get('pvc-1');
  assert.equal(between.status.targetPath, targetOf('pod-2'));
  await node.unpublish('pvc-1', 'pod-2');
  const after = await node.volumes.get('pvc-1');
  assert.equal(after.status.targetPath, '');
  assert.equal(after.metadata?.annotations?.['directpv.min.io/target-paths'], undefined);
});

test('a volume for one pod is refused to a second', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  await node.stage('pvc-1');
  const volumeCapability = { ...MOUNT, accessMode: { mode: 'SINGLE_NODE_SINGLE_WRITER' } };
  await node.publish('pvc-1', 'pod-1', { volumeCapability });
  await node.publish('pvc-1', 'pod-1', { volumeCapability });
  await assert.rejects(node.publish('pvc-1', 'pod-2', { volumeCapability }), withCode('FAILED_PRECONDITION'));
});

test('the same path with another mode is told apart', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  await node.stage('pvc-1');
  await node.publish('pvc-1', 'pod-1');
  await assert.rejects(node.publish('pvc-1', 'pod-1', { readonly: true }), withCode('ALREADY_EXISTS'));
});

test('weakness 21: another volume of the same drive at the path does not count as done', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  await node.create('pvc-2');
  await node.stage('pvc-1');
  await node.stage('pvc-2');
  await node.os.makeDirectory(targetOf('pod-1'), { recursive: true });
  await node.os.bindMount(`${STAGING}/pvc-2`, targetOf('pod-1'));
  await assert.rejects(node.publish('pvc-1', 'pod-1'), /shows \/pvc-2/);
  assert.equal((await node.volumes.get('pvc-1')).status.targetPath, '');
});

test('weakness 22: volumes whose names have the same hash are counted and limited apart', async () => {
  await using node = await NodeTest.start();
  const { fsuuid } = (await node.drive()).status;
  const mountPath = `/var/lib/directpv/mnt/${fsuuid}`;
  // The id that the name of the second volume hashes to is taken by a directory with another name.
  await node.create('pvc-dca914b0-83da-409f-8cd6-13b0f711596a', GIB);
  await node.create('pvc-first', GIB);
  await node.stage('pvc-first');
  await node.os.setQuota({ mountPath, path: `${mountPath}/pvc-first`, projectId: 1_601_122_870 }, GIB);
  await node.stage('pvc-dca914b0-83da-409f-8cd6-13b0f711596a');
  const projects = await node.os.projects(mountPath);
  assert.equal(projects.get('pvc-first'), 1_601_122_870);
  assert.equal(projects.get('pvc-dca914b0-83da-409f-8cd6-13b0f711596a'), 1_601_122_871);
  node.os.write(`${mountPath}/pvc-first/file`, GIB);
  node.os.write(`${mountPath}/pvc-dca914b0-83da-409f-8cd6-13b0f711596a/file`, GIB);
});

test('weakness 23: a pod may not say what only the driver may', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  await node.cluster.client
    .resource(Pod)
    .namespace('default')
    .create({
      metadata: {
        name: 'web-0',
        namespace: 'default',
        labels: {
          [LABELS.node]: 'other-node',
          [LABELS.suspend]: 'true',
          [LABELS.claimId]: 'x',
          'directpv.min.io/volume-claim-id-x': 'true',
          'directpv.min.io/tenant': 'tenant-1',
          app: 'web',
        },
      },
      spec: { containers: [{ name: 'main', image: 'nginx' }] },
    });
  await node.stage('pvc-1');
  const volumeContext = {
    'csi.storage.k8s.io/pod.name': 'web-0',
    'csi.storage.k8s.io/pod.namespace': 'default',
  };
  await node.publish('pvc-1', 'pod-1', { volumeContext });
  const { labels = {} } = (await node.volumes.get('pvc-1')).metadata ?? {};
  assert.equal(labels[LABELS.podName], 'web-0');
  assert.equal(labels[LABELS.podNamespace], 'default');
  assert.equal(labels['directpv.min.io/tenant'], 'tenant-1');
  assert.equal(labels[LABELS.node], NODE);
  for (const key of [LABELS.suspend, LABELS.claimId, 'directpv.min.io/volume-claim-id-x', 'app'])
    assert.equal(labels[key], undefined, key);
});

test('weakness 3: conflicts are met with the newest state, not told to the kubelet', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  for (let times = 0; times < 3; times++)
    node.process.faults.conflict({ method: 'PUT', path: /directpvvolumes/ });
  const staged = node.stage('pvc-1');
  await node.cluster.advance(1000);
  await staged;
  node.process.faults.conflict({ method: 'PUT', path: /directpvvolumes/ });
  const published = node.publish('pvc-1', 'pod-1');
  await node.cluster.advance(1000);
  await published;
  assert.equal((await node.volumes.get('pvc-1')).status.targetPath, targetOf('pod-1'));
});

describe('nothing is written to the wrong disk', () => {
  test('a drive that is not mounted', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    const { fsuuid } = (await node.drive()).status;
    await node.os.unmount(`/var/lib/directpv/mnt/${fsuuid}`);
    await assert.rejects(node.stage('pvc-1'), withCode('FAILED_PRECONDITION'));
    assert.deepEqual(await node.os.list(`/var/lib/directpv/mnt/${fsuuid}`), []);
  });

  test('something else that is mounted in its place', async () => {
    await using node = await NodeTest.start(['sdb', 'sdc']);
    await node.create('pvc-1', GIB, 'sdb');
    const path = `/var/lib/directpv/mnt/${(await node.drive('sdb')).status.fsuuid}`;
    await node.os.unmount(path);
    const other = (await node.os.devices()).find(({ name }) => name === 'sdc');
    assert.ok(other);
    await node.os.mount(other, path);
    await assert.rejects(node.stage('pvc-1'), withCode('FAILED_PRECONDITION'));
    assert.equal((await node.os.list(path)).includes('pvc-1'), false);
  });
});

test('an I/O error is noted on the drive, and the volume is not staged', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  node.os.fail({ operation: 'makeDirectory', code: 'EIO', matching: 'pvc-1' });
  await assert.rejects(node.stage('pvc-1'), withCode('INTERNAL'));
  const { status } = await node.drive();
  assert.equal(status.status, 'Error');
  assert.equal(status.conditions?.find(({ type }) => type === 'IOError')?.status, 'True');
});

describe('suspended', () => {
  test('pods get an empty directory that they cannot write to, and the volume after it is resumed', async () => {
    await using node = await NodeTest.start();
    const volume = await node.create('pvc-1');
    const { [LABELS.suspend]: _none, ...labels } = { ...volume.metadata?.labels };
    await node.volumes.patch('pvc-1', { metadata: { labels: { [LABELS.suspend]: 'true' } } });
    await node.stage('pvc-1');
    await node.publish('pvc-1', 'pod-1');
    assert.throws(() => node.os.write(`${targetOf('pod-1')}/file`, 1), withCode('EROFS'));
    const stats = await node.csi.nodeGetVolumeStats({ volumeId: 'pvc-1', volumePath: targetOf('pod-1') });
    assert.equal(stats.volumeCondition?.abnormal, true);
    await node.unpublish('pvc-1', 'pod-1');
    await node.volumes.replace({
      ...(await node.volumes.get('pvc-1')),
      metadata: { ...(await node.volumes.get('pvc-1')).metadata, labels },
    });
    await node.stage('pvc-1');
    await node.publish('pvc-1', 'pod-1');
    node.os.write(`${targetOf('pod-1')}/file`, 1);
  });
});

describe('mount flags', () => {
  const withFlags = (...mountFlags: string[]) => ({ ...MOUNT, mount: { fsType: 'xfs', mountFlags } });

  test('are honoured', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    await node.publish('pvc-1', 'pod-1', { volumeCapability: withFlags('noexec', 'ro') });
    const mount = mountAt(await node.os.mounts(), targetOf('pod-1'));
    assert.deepEqual(mount?.options, ['ro', 'noexec']);
  });

  test('that belong to the whole drive are refused', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    const volumeCapability = withFlags('discard');
    await assert.rejects(node.publish('pvc-1', 'pod-1', { volumeCapability }), withCode('INVALID_ARGUMENT'));
  });
});

describe('stats', () => {
  test('bytes and inodes, as the books have them', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    await node.publish('pvc-1', 'pod-1');
    node.os.write(`${targetOf('pod-1')}/file`, 1000);
    const stats = await node.csi.nodeGetVolumeStats({ volumeId: 'pvc-1', volumePath: targetOf('pod-1') });
    assert.deepEqual(stats.usage[0], { unit: 'BYTES', total: GIB, used: 1000, available: GIB - 1000 });
    assert.equal(stats.usage[1]?.unit, 'INODES');
    assert.equal(stats.usage[1]?.used, 2);
    assert.deepEqual(stats.volumeCondition, { abnormal: false, message: '' });
  });

  test('a broken drive makes the condition abnormal, not the call fail', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    node.os.disk('sdb').isBroken = true;
    const volumePath = `${STAGING}/pvc-1`;
    const stats = await node.csi.nodeGetVolumeStats({ volumeId: 'pvc-1', volumePath });
    assert.deepEqual(stats.usage, []);
    assert.equal(stats.volumeCondition?.abnormal, true);
  });

  test('of a path where the volume is not', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    const call = node.csi.nodeGetVolumeStats({ volumeId: 'pvc-1', volumePath: '/some/path' });
    await assert.rejects(call, withCode('NOT_FOUND'));
  });
});

describe('expand', () => {
  test('a writer that was stopped goes on', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    await node.publish('pvc-1', 'pod-1');
    const [file, volumePath] = [`${targetOf('pod-1')}/file`, targetOf('pod-1')];
    assert.throws(() => node.os.write(file, 2 * GIB), withCode('EDQUOT'));
    const capacityRange = { requiredBytes: 2 * GIB };
    await node.csi.controllerExpandVolume({ volumeId: 'pvc-1', capacityRange });
    const answer = await node.csi.nodeExpandVolume({ volumeId: 'pvc-1', volumePath, capacityRange });
    assert.equal(answer.capacityBytes, 2 * GIB);
    node.os.write(file, 2 * GIB);
    await node.assertConsistent();
  });

  test('what the controller was not asked for is taken from the drive first, once', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    const volumePath = `${STAGING}/pvc-1`;
    for (let again = 0; again < 2; again++)
      await node.csi.nodeExpandVolume({
        volumeId: 'pvc-1',
        volumePath,
        capacityRange: { requiredBytes: 3 * GIB },
      });
    assert.equal((await node.drive()).status.allocatedCapacity, 3 * GIB);
    await node.assertConsistent();
    const tooMuch = node.csi.nodeExpandVolume({
      volumeId: 'pvc-1',
      volumePath,
      capacityRange: { requiredBytes: 300 * GIB },
    });
    await assert.rejects(tooMuch, withCode('OUT_OF_RANGE'));
  });
});

const REFUSED: readonly [string, (node: NodeTest) => Promise<unknown>, string][] = [
  ['stage without an id', ({ csi }) => csi.nodeStageVolume({}), 'INVALID_ARGUMENT'],
  ['stage without a path', ({ csi }) => csi.nodeStageVolume({ volumeId: 'a' }), 'INVALID_ARGUMENT'],
  [
    'stage without a capability',
    ({ csi }) => csi.nodeStageVolume({ volumeId: 'a', stagingTargetPath: '/s' }),
    'INVALID_ARGUMENT',
  ],
  ['stage of what is not there', (node) => node.stage('a'), 'NOT_FOUND'],
  ['publish without an id', ({ csi }) => csi.nodePublishVolume({}), 'INVALID_ARGUMENT'],
  [
    'publish without a capability',
    ({ csi }) => csi.nodePublishVolume({ volumeId: 'a', targetPath: '/t', stagingTargetPath: '/s' }),
    'INVALID_ARGUMENT',
  ],
  ['publish of what is not there', (node) => node.publish('a', 'p'), 'NOT_FOUND'],
  ['unpublish without a path', ({ csi }) => csi.nodeUnpublishVolume({ volumeId: 'a' }), 'INVALID_ARGUMENT'],
  ['unstage without an id', ({ csi }) => csi.nodeUnstageVolume({}), 'INVALID_ARGUMENT'],
  ['stats without an id', ({ csi }) => csi.nodeGetVolumeStats({ volumePath: '/p' }), 'INVALID_ARGUMENT'],
  ['stats without a path', ({ csi }) => csi.nodeGetVolumeStats({ volumeId: 'a' }), 'INVALID_ARGUMENT'],
  ['expand without a path', ({ csi }) => csi.nodeExpandVolume({ volumeId: 'a' }), 'INVALID_ARGUMENT'],
  [
    'expand of what is not there',
    ({ csi }) => csi.nodeExpandVolume({ volumeId: 'a', volumePath: '/p' }),
    'NOT_FOUND',
  ],
];
for (const [what, call, code] of REFUSED)
  test(`${what} is refused: ${code}`, async () => {
    await using node = await NodeTest.start([]);
    await assert.rejects(call(node), withCode(code));
  });

test('publish before stage is refused', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  await assert.rejects(node.publish('pvc-1', 'pod-1'), withCode('FAILED_PRECONDITION'));
});
