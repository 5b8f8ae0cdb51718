// Snapshots, restored volumes and clones on a node whose disks exist in memory.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isNotFound } from '@windlass/apimachinery';
import { holdsVolume, volumesOfDrive } from '../resources/finalizers.ts';
import { LABELS } from '../resources/labels.ts';
import { readReservations } from '../resources/reservations.ts';
import { GIB, MOUNT, NODE, NodeTest, STAGING, targetOf } from '../testing/node-test.ts';

const MIB = 1024 ** 2;
const POD = '0f1e2d3c-4b5a-4697-8877-665544332211';
const ID = 'one.snapshot';

const dataOf = async (node: NodeTest, id: string, disk = 'sdb'): Promise<string> =>
  `/var/lib/directpv/mnt/${(await node.drive(disk)).status.fsuuid}/${id}`;

const snapshot = (node: NodeTest, name: string, sourceVolumeId: string) =>
  node.csi.createSnapshot({ name, sourceVolumeId });

const restore = (node: NodeTest, name: string, snapshotId: string, bytes = GIB) =>
  node.csi.createVolume({
    name,
    capacityRange: { requiredBytes: bytes },
    volumeCapabilities: [MOUNT],
    volumeContentSource: { snapshot: { snapshotId } },
  });

const clone = (node: NodeTest, name: string, volumeId: string) =>
  node.csi.createVolume({
    name,
    capacityRange: { requiredBytes: GIB },
    volumeCapabilities: [MOUNT],
    volumeContentSource: { volume: { volumeId } },
  });

/** A volume of 1 GiB in a pod, with a file of 100 MiB. */
async function start(): Promise<NodeTest> {
  const node = await NodeTest.start();
  await node.create('pvc-1');
  await node.stage('pvc-1');
  await node.publish('pvc-1', POD);
  node.os.write(`${targetOf(POD)}/log`, 100 * MIB);
  await node.cluster.settled();
  return node;
}

describe('a snapshot', () => {
  test('shows the volume as it was, and takes what its files take', async () => {
    await using node = await start();
    const { snapshot: taken } = await snapshot(node, 'one', 'pvc-1');
    assert.deepEqual([taken?.snapshotId, taken?.sourceVolumeId], [ID, 'pvc-1']);
    assert.deepEqual([taken?.readyToUse, taken?.sizeBytes], [true, GIB]);
    node.os.write(`${targetOf(POD)}/log`, 200 * MIB);
    const path = await dataOf(node, ID);
    const usage = await node.os.usage({ mountPath: '/', path, projectId: 0 });
    assert.equal(usage.usedBytes, 100 * MIB);

    const { metadata, status } = await node.snapshots.get(ID);
    assert.equal(status.totalCapacity, 100 * MIB);
    assert.equal(metadata.labels?.[LABELS.node], NODE);
    assert.equal(status.pausedMs, 0);
    await node.cluster.settled();
    const drive = await node.drive();
    assert.deepEqual(volumesOfDrive(drive), ['pvc-1', ID]);
    assert.equal(drive.status.allocatedCapacity, GIB + 100 * MIB);
    await node.assertConsistent();
    await node.cluster.clock.advance(400_000);
    await node.cluster.settled();
    assert.equal(readReservations(await node.drive()).size, 0);
    await node.assertConsistent();
    assert.ok(!node.os.calls.some((call) => call.startsWith('pausePods')), 'nobody was disturbed');
  });

  test('is limited by a project of its own', async () => {
    await using node = await start();
    await snapshot(node, 'one', 'pvc-1');
    const projects = await node.os.projects((await dataOf(node, '')).slice(0, -1));
    assert.notEqual(projects.get(ID), undefined);
    assert.notEqual(projects.get(ID), projects.get('pvc-1'));
  });

  test('is the same when it is asked for again, and refused for another volume', async () => {
    await using node = await start();
    await node.create('pvc-2');
    const first = await snapshot(node, 'one', 'pvc-1');
    assert.deepEqual(await snapshot(node, 'one', 'pvc-1'), first);
    await assert.rejects(snapshot(node, 'one', 'pvc-2'), { code: 'ALREADY_EXISTS' });
    await assert.rejects(snapshot(node, 'two', 'pvc-9'), { code: 'NOT_FOUND' });
    await assert.rejects(snapshot(node, '', 'pvc-1'), { code: 'INVALID_ARGUMENT' });
    await assert.rejects(snapshot(node, 'two', ''), { code: 'INVALID_ARGUMENT' });
  });

  test('pauses the pods that write while it copies, and nobody else', async () => {
    await using node = await start();
    let size = 100 * MIB;
    node.os.pods.set(POD, () => node.os.write(`${targetOf(POD)}/log`, (size += 1)));
    node.os.pods.set('another', () => {});
    await snapshot(node, 'one', 'pvc-1');
    assert.deepEqual(
      node.os.calls.filter((call) => call.startsWith('pausePods')),
      [`pausePods ${POD}`],
    );
    assert.deepEqual([...node.os.paused], []);
    const usage = await node.os.usage({ mountPath: '/', path: await dataOf(node, ID), projectId: 0 });
    assert.equal(usage.usedBytes, size);
  });

  test('is not made of files that change all the time, and says so', async () => {
    await using node = await start();
    let size = 100 * MIB;
    // Nobody knows which processes those are.
    node.os.pods.set('on the host', () => node.os.write(`${targetOf(POD)}/log`, (size += 1)));
    await assert.rejects(snapshot(node, 'one', 'pvc-1'), {
      code: 'ABORTED',
      message: new RegExp(`files of pvc-1 changed during each of 4 copies; pods .* not be paused: ${POD}`),
    });
    assert.deepEqual([...node.os.paused], []);
    assert.equal((await node.snapshots.get(ID)).status.reason, 'VolumeBusy');
    node.os.pods.clear();
    await node.cluster.clock.advance(5_000);
    await node.cluster.settled();
    assert.equal((await snapshot(node, 'one', 'pvc-1')).snapshot?.readyToUse, true);
    assert.equal((await node.snapshots.get(ID)).status.reason, undefined);
  });

  test('of a volume that was never used is empty', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    const { snapshot: taken } = await snapshot(node, 'one', 'pvc-1');
    assert.equal(taken?.readyToUse, true);
    assert.deepEqual(await node.os.list(await dataOf(node, ID)), []);
    await node.assertConsistent();
  });

  test('needs room on the drive, and leaves nothing where there is none', async () => {
    await using node = await start();
    const { freeCapacity } = (await node.drive()).status;
    await node.create('pvc-big', freeCapacity);
    await assert.rejects(snapshot(node, 'one', 'pvc-1'), {
      code: 'RESOURCE_EXHAUSTED',
      message: /drive .* has 0 bytes free, but \d+ are wanted/,
    });
    await node.cluster.settled();
    await assert.rejects(node.snapshots.get(ID), isNotFound);
    await node.assertConsistent();
  });

  test('says what a file system without reflinks needs', async () => {
    await using node = await start();
    node.os.fail({ operation: 'cloneTree', code: 'EOPNOTSUPP' });
    await assert.rejects(snapshot(node, 'one', 'pvc-1'), {
      code: 'FAILED_PRECONDITION',
      message: /cannot share blocks between files/,
    });
    await node.cluster.settled();
    await assert.rejects(node.snapshots.get(ID), isNotFound);
    await node.assertConsistent();
  });

  test('survives every restart of its node, and what a crash has left is begun anew', async () => {
    for (const operation of ['cloneTree', 'flush', 'rename', 'setQuota'] as const) {
      await using node = await start();
      // Whatever is half done then, stays half done for as long as this process lives.
      node.os.fail({ operation, code: 'EBUSY', times: 1000 });
      await assert.rejects(snapshot(node, 'one', 'pvc-1'), { code: 'ABORTED' });
      node.os.heal();
      await node.restart();
      await node.inTime(node.cluster.settled());
      const taken = await snapshot(node, 'one', 'pvc-1');
      assert.equal(taken.snapshot?.readyToUse, true, operation);
      const usage = await node.os.usage({ mountPath: '/', path: await dataOf(node, ID), projectId: 0 });
      assert.equal(usage.usedBytes, 100 * MIB);
      assert.equal(await node.os.entryType(`${await dataOf(node, ID)}.partial`), undefined);
      await node.assertConsistent();
    }
  });

  test('that nobody wants any more leaves no half copy', async () => {
    await using node = await start();
    node.os.fail({ operation: 'rename', code: 'EBUSY', times: 2, matching: 'partial' });
    await assert.rejects(snapshot(node, 'one', 'pvc-1'), { code: 'ABORTED' });
    assert.equal(await node.os.entryType(`${await dataOf(node, ID)}.partial`), 'directory');
    await node.csi.deleteSnapshot({ snapshotId: ID });
    await node.cluster.settled();
    await assert.rejects(node.snapshots.get(ID), isNotFound);
    assert.equal(await node.os.entryType(`${await dataOf(node, ID)}.partial`), undefined);
    await node.assertConsistent();
    await node.os.makeDirectory(`${await dataOf(node, 'lost.snapshot')}.partial`);
    await node.restart();
    await node.cluster.settled();
    assert.equal(await node.os.entryType(`${await dataOf(node, 'lost.snapshot')}.partial`), undefined);
  });

  test('is never measured as room: what is shared is there once', async () => {
    await using node = await start();
    const { totalCapacity } = (await node.drive()).status;
    // Less than one per cent would be nothing new.
    await snapshot(node, 'one', 'pvc-1');
    for (const name of ['pvc-2', 'pvc-3', 'pvc-4']) await clone(node, name, 'pvc-1');
    await node.restart();
    await node.cluster.clock.advance(20 * 60_000);
    await node.cluster.settled();
    assert.ok((await node.drive()).status.totalCapacity <= totalCapacity);
  });

  test('goes in the background, with its bytes', async () => {
    await using node = await start();
    await snapshot(node, 'one', 'pvc-1');
    const gate = node.os.hold('removeTree');
    await node.csi.deleteSnapshot({ snapshotId: ID });
    await gate.entered;
    assert.equal(holdsVolume(await node.drive(), ID), true, 'its bytes are its own until it is gone');
    gate.open();
    await node.cluster.settled();
    await assert.rejects(node.snapshots.get(ID), isNotFound);
    assert.equal(await node.os.entryType(await dataOf(node, ID)), undefined);
    assert.equal((await node.drive()).status.allocatedCapacity, GIB);
    await node.csi.deleteSnapshot({ snapshotId: ID });
    await node.csi.deleteSnapshot({ snapshotId: 'nonsense' });
  });

  test('outlives its volume', async () => {
    await using node = await start();
    await snapshot(node, 'one', 'pvc-1');
    await node.unpublish('pvc-1', POD);
    await node.unstage('pvc-1');
    await node.delete('pvc-1');
    await assert.rejects(node.volumes.get('pvc-1'), isNotFound);
    await restore(node, 'pvc-2', ID);
    const usage = await node.os.usage({ mountPath: '/', path: await dataOf(node, 'pvc-2'), projectId: 0 });
    assert.equal(usage.usedBytes, 100 * MIB);
    await node.assertConsistent();
  });

  test('is listed: all, of one volume, one, and page by page', async () => {
    await using node = await start();
    await node.create('pvc-2');
    for (const [name, volume] of [
      ['one', 'pvc-1'],
      ['two', 'pvc-2'],
      ['three', 'pvc-1'],
    ] as const) {
      await snapshot(node, name, volume);
      await node.cluster.clock.advance(1);
    }
    await node.cluster.settled();
    const ids = async (request: object): Promise<(string | undefined)[]> =>
      (await node.csi.listSnapshots(request)).entries.map((entry) => entry.snapshot?.snapshotId);
    assert.deepEqual(await ids({}), [ID, 'two.snapshot', 'three.snapshot']);
    assert.deepEqual(await ids({ sourceVolumeId: 'pvc-1' }), [ID, 'three.snapshot']);
    assert.deepEqual(await ids({ snapshotId: 'two.snapshot' }), ['two.snapshot']);
    assert.deepEqual(await ids({ snapshotId: 'nonsense' }), []);
    const { entries, nextToken } = await node.csi.listSnapshots({ maxEntries: 2 });
    assert.equal(entries.length, 2);
    assert.deepEqual(await ids({ startingToken: nextToken }), ['three.snapshot']);
    assert.equal((await node.csi.getSnapshot({ snapshotId: ID })).snapshot?.snapshotId, ID);
    await assert.rejects(node.csi.getSnapshot({ snapshotId: 'nonsense' }), { code: 'NOT_FOUND' });
  });
});

describe('a volume that is made of something', () => {
  test('has the contents of the snapshot when the call is answered', async () => {
    await using node = await start();
    await snapshot(node, 'one', 'pvc-1');
    node.os.write(`${targetOf(POD)}/log`, 200 * MIB);
    const { volume } = await restore(node, 'pvc-2', ID, 2 * GIB);
    assert.equal(volume?.capacityBytes, 2 * GIB);
    assert.deepEqual(volume.contentSource?.snapshot, { snapshotId: ID });
    assert.equal(volume.accessibleTopology[0]?.segments[LABELS.node], NODE);
    await node.stage('pvc-2');
    const usage = await node.os.usage({ mountPath: '/', path: `${STAGING}/pvc-2`, projectId: 0 });
    assert.equal(usage.usedBytes, 100 * MIB);
    assert.throws(() => node.os.write(`${STAGING}/pvc-2/more`, 2 * GIB), { code: 'EDQUOT' });
    assert.deepEqual(await restore(node, 'pvc-2', ID, 2 * GIB), { volume });
    await node.assertConsistent();
  });

  test('has at least the size of its source', async () => {
    await using node = await start();
    await snapshot(node, 'one', 'pvc-1');
    await assert.rejects(restore(node, 'pvc-2', ID, GIB - 1), { code: 'OUT_OF_RANGE' });
    await assert.rejects(restore(node, 'pvc-2', 'nine.snapshot'), { code: 'NOT_FOUND' });
    await assert.rejects(clone(node, 'pvc-2', 'pvc-9'), { code: 'NOT_FOUND' });
    const { volume } = await node.csi.createVolume({
      name: 'pvc-2',
      volumeCapabilities: [MOUNT],
      volumeContentSource: { snapshot: { snapshotId: ID } },
    });
    assert.equal(volume?.capacityBytes, GIB);
    await assert.rejects(clone(node, 'pvc-2', 'pvc-1'), { code: 'ALREADY_EXISTS' });
  });

  test('is a clone of a volume that is in use', async () => {
    await using node = await start();
    let size = 100 * MIB;
    node.os.pods.set(POD, () => node.os.write(`${targetOf(POD)}/log`, (size += 1)));
    const { volume } = await clone(node, 'pvc-2', 'pvc-1');
    assert.deepEqual(volume?.contentSource?.volume, { volumeId: 'pvc-1' });
    assert.deepEqual([...node.os.paused], []);
    const usage = await node.os.usage({ mountPath: '/', path: await dataOf(node, 'pvc-2'), projectId: 0 });
    assert.equal(usage.usedBytes, size);
    await node.assertConsistent();
  });

  test('is on the drive of its source, or nowhere', async () => {
    await using node = await NodeTest.start(['sdb', 'sdc']);
    await node.create('pvc-1', GIB, 'sdb');
    await snapshot(node, 'one', 'pvc-1');
    for (const name of ['pvc-2', 'pvc-3']) await restore(node, name, ID).catch(() => {});
    await node.cluster.settled();
    const { fsuuid } = (await node.drive('sdb')).status;
    assert.equal((await node.volumes.get('pvc-2')).status.fsuuid, fsuuid);
    await assert.rejects(restore(node, 'pvc-4', ID, 9 * GIB), {
      code: 'RESOURCE_EXHAUSTED',
      message: /has to be on the same drive .*bytes free/,
    });
    await assert.rejects(
      node.csi.createVolume({
        name: 'pvc-5',
        volumeCapabilities: [MOUNT],
        volumeContentSource: { snapshot: { snapshotId: ID } },
        accessibilityRequirements: { requisite: [{ segments: { [LABELS.node]: 'node-2' } }] },
      }),
      { code: 'RESOURCE_EXHAUSTED', message: /is on drive .* of node node-1.*run the pod on that node/ },
    );
  });

  test('keeps its snapshot until it is copied', async () => {
    await using node = await start();
    await snapshot(node, 'one', 'pvc-1');
    const gate = node.os.hold('cloneTree');
    const restoring = restore(node, 'pvc-2', ID);
    await gate.entered;
    await node.csi.deleteSnapshot({ snapshotId: ID });
    gate.open();
    await restoring;
    await node.cluster.settled();
    await assert.rejects(node.snapshots.get(ID), isNotFound);
    const usage = await node.os.usage({ mountPath: '/', path: await dataOf(node, 'pvc-2'), projectId: 0 });
    assert.equal(usage.usedBytes, 100 * MIB);
    await node.assertConsistent();
  });

  test('cannot be staged before it has its contents, and never begins empty after', async () => {
    await using node = await start();
    await snapshot(node, 'one', 'pvc-1');
    node.os.fail({ operation: 'flush', code: 'EBUSY', times: 2, matching: 'pvc-2' });
    await assert.rejects(restore(node, 'pvc-2', ID), { code: 'ABORTED', message: /EBUSY/ });
    await assert.rejects(node.stage('pvc-2'), { code: 'ABORTED', message: /does not have its contents/ });
    await node.cluster.clock.advance(5_000);
    await node.cluster.settled();
    await restore(node, 'pvc-2', ID);
    await node.os.removeTree(await dataOf(node, 'pvc-2'));
    await assert.rejects(node.stage('pvc-2'), { code: 'FAILED_PRECONDITION', message: /lost\+found/ });
  });
});
