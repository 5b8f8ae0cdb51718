import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Event } from '@windlass/apimachinery/api/events/v1';
import { moveVolumes } from '../admin/move.ts';
import { removeDrives } from '../admin/remove.ts';
import { repairDrives } from '../admin/repair.ts';
import { DirectPVDrive } from '../resources/drive.ts';
import { FINALIZERS, volumesOfDrive } from '../resources/finalizers.ts';
import { LABELS } from '../resources/labels.ts';
import { DirectPVNode } from '../resources/node.ts';
import type { DirectPVVolume } from '../resources/volume.ts';
import { GIB, NODE, NodeTest, STAGING, targetOf } from '../testing/node-test.ts';

const HEALTH_MS = 60_000;

async function eventsOf(node: NodeTest, reason: string): Promise<string[]> {
  // Events are written together, a moment later.
  await node.cluster.advance(1000);
  const notes: string[] = [];
  for await (const { reason: why, note } of node.cluster.client.resource(Event).items())
    if (why === reason) notes.push(note ?? '');
  return notes;
}

async function volumeNames(node: NodeTest): Promise<string[]> {
  const names: string[] = [];
  for await (const { metadata } of node.volumes.items()) names.push(metadata.name);
  return names;
}

async function filesOf(node: NodeTest, disk = 'sdb'): Promise<string[]> {
  return [...node.os.disk(disk).root.children.keys()].filter((name) => !name.startsWith('.')).toSorted();
}

async function mountPathOf(node: NodeTest, disk = 'sdb'): Promise<string> {
  return `/var/lib/directpv/mnt/${(await node.drive(disk)).status.fsuuid}`;
}

describe('init', () => {
  test('a device becomes a drive, with the layout that DirectPV has', async () => {
    await using node = await NodeTest.start();
    const drive = await node.drive();
    const { fsuuid } = drive.status;
    assert.equal(drive.metadata.name, fsuuid);
    assert.equal(drive.status.status, 'Ready');
    assert.deepEqual(drive.metadata.finalizers, [FINALIZERS.dataProtection]);
    assert.equal(drive.metadata.labels?.[LABELS.driveName], 'sdb');
    assert.equal(drive.metadata.labels?.[LABELS.accessTier], 'Default');
    assert.equal(drive.status.topology[LABELS.node], NODE);
    assert.equal(drive.status.freeCapacity, drive.status.totalCapacity);
    assert.ok(drive.status.totalCapacity < 10 * GIB, "the file system's own blocks are not promised");
    const path = await mountPathOf(node);
    assert.equal(await node.os.entryType(`${path}/.FSUUID.${fsuuid}`), 'link');
    assert.deepEqual(await node.os.list(`${path}/.directpv`), ['meta.info']);
  });

  test('each device has its own answer', async () => {
    await using node = await NodeTest.start([]);
    node.os.plug('good');
    node.os.plug('small', { size: 1024 });
    node.os.plug('foreign', { contents: { fsType: 'ext4', fsuuid: 'x', label: '' } });
    node.os.plug('member', { contents: { fsType: 'LVM2_member', fsuuid: '', label: '' } });
    node.os.plug('broken').isBroken = true;
    await node.cluster.settled();
    const names = ['good', 'small', 'foreign', 'member', 'broken'];
    const { status, results } = await node.init(names);
    assert.equal(status, 'Processed');
    const byName = new Map((results ?? []).map(({ name, error }) => [name, error]));
    assert.equal(byName.get('good'), undefined);
    assert.match(byName.get('small') ?? '', /Too small/);
    assert.match(byName.get('foreign') ?? '', /ext4/);
    assert.match(byName.get('member') ?? '', /Part of LVM2_member/);
    assert.match(byName.get('broken') ?? '', /EIO/);
    assert.equal(node.os.disk('foreign').contents?.fsType, 'ext4');
  });

  test('force overwrites a file system, but nothing that is in use', async () => {
    await using node = await NodeTest.start([]);
    node.os.plug('foreign', { contents: { fsType: 'ext4', fsuuid: 'x', label: '' } });
    node.os.plug('swap', { swapOn: true, contents: { fsType: 'swap', fsuuid: 'y', label: '' } });
    await node.cluster.settled();
    const { results } = await node.init(['foreign', 'swap'], { force: true });
    assert.deepEqual(results?.[0], { name: 'foreign' });
    assert.match(results?.[1]?.error ?? '', /Swap/);
    assert.equal(node.os.disk('swap').contents?.fsType, 'swap');
  });

  test('a device that has changed since it was seen is refused', async () => {
    await using node = await NodeTest.start([]);
    node.os.plug('sdb');
    await node.cluster.settled();
    const shown = await node.cluster.client.resource(DirectPVNode).get(NODE);
    const id = shown.status?.devices?.[0]?.id;
    assert.ok(id);
    node.os.resize('sdb', 20 * GIB);
    const { results } = await node.init(['sdb'], { id });
    assert.deepEqual(results, [{ name: 'sdb', error: 'device state changed' }]);
    assert.equal(node.os.disk('sdb').contents, undefined);
  });

  test('what is no id is an error of the request', async () => {
    await using node = await NodeTest.start([]);
    node.os.plug('sdb');
    await node.cluster.settled();
    const { status, results } = await node.init(['sdb'], { id: 'nonsense' });
    assert.equal(status, 'Error');
    assert.match(results?.[0]?.error ?? '', /no valid id/);
  });

  test('a drive of ours is not formatted again', async () => {
    await using node = await NodeTest.start();
    const { results } = await node.init(['sdb'], { force: true, request: 'again' });
    assert.match(results?.[0]?.error ?? '', /Mounted; Used by DirectPV/);
  });

  test('an order that was broken off after formatting goes on where it was', async () => {
    await using node = await NodeTest.start([]);
    node.os.plug('sdb');
    await node.cluster.settled();
    const gate = node.os.hold('mount');
    const ordered = node.init(['sdb']);
    await gate.entered;
    const { fsuuid } = node.os.disk('sdb').contents ?? {};
    // The process ends here: what it does after this is not seen by the server.
    node.process.faults.crashAfterWrites(0);
    gate.open();
    await ordered.catch(() => {});
    node.os.reboot();
    await node.restart();
    const drive = await node.drive();
    assert.equal(drive.metadata.name, fsuuid);
    assert.equal(node.os.calls.filter((call) => call.startsWith('format')).length, 1);
  });

  test('weakness 18: devices are formatted side by side, but not more than the limit', async () => {
    await using node = await NodeTest.start([], { initConcurrency: 2 });
    for (const name of ['a', 'b', 'c']) node.os.plug(name);
    await node.cluster.settled();
    const gates = [node.os.hold('format'), node.os.hold('format'), node.os.hold('format')];
    const ordered = node.init(['a', 'b', 'c']);
    await gates[0]?.entered;
    await gates[1]?.entered;
    await node.cluster.clock.advance(0);
    assert.equal(node.os.calls.filter((call) => call.startsWith('format')).length, 2);
    for (const gate of gates) gate.open();
    assert.deepEqual((await ordered).results, [{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
  });
});

describe('devices of the node', () => {
  test('are shown, with why they may not be used', async () => {
    await using node = await NodeTest.start();
    node.os.plug('sdc', { partitioned: true });
    await node.cluster.settled();
    const { status } = await node.cluster.client.resource(DirectPVNode).get(NODE);
    const shown = (status?.devices ?? []).map(({ name, deniedReason }) => [name, deniedReason]);
    assert.deepEqual(shown, [
      ['sdb', 'Mounted; Used by DirectPV'],
      ['sdc', 'Partitioned'],
    ]);
  });

  test('a device that is plugged in or grows is noticed at once', async () => {
    await using node = await NodeTest.start([]);
    const nodes = node.cluster.client.resource(DirectPVNode);
    node.os.plug('sdz');
    await node.cluster.settled();
    assert.deepEqual(
      (await nodes.get(NODE)).status?.devices?.map(({ name }) => name),
      ['sdz'],
    );
    node.os.resize('sdz', 30 * GIB);
    await node.cluster.settled();
    assert.equal((await nodes.get(NODE)).status?.devices?.[0]?.size, 30 * GIB);
    node.os.unplug('sdz');
    await node.cluster.settled();
    assert.deepEqual((await nodes.get(NODE)).status?.devices, []);
  });

  test('who asks is answered, also when nothing has changed', async () => {
    await using node = await NodeTest.start([]);
    const nodes = node.cluster.client.resource(DirectPVNode);
    await nodes.patch(NODE, { spec: { refresh: true } });
    await node.cluster.settled();
    assert.equal((await nodes.get(NODE)).spec?.refresh, false);
  });
});

describe('health', () => {
  test('a drive that is pulled is lost, and found when it is back', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    node.os.unplug('sdb');
    await node.cluster.settled();
    assert.equal((await node.drive()).status.status, 'Lost');
    assert.equal((await node.volumes.get('pvc-1')).status.conditions?.[0]?.type, 'Lost');
    const [note = '', ...more] = await eventsOf(node, 'DeviceNotFoundError');
    assert.match(note, /^Device not found: .* it was on sdb$/);
    assert.deepEqual(more, []);
    node.os.plug('sdb');
    await node.cluster.settled();
    assert.equal((await node.drive()).status.status, 'Ready');
    assert.deepEqual((await node.volumes.get('pvc-1')).status.conditions ?? [], []);
    node.os.write(`${STAGING}/pvc-1/file`, 1);
    assert.deepEqual(await node.os.list(`${await mountPathOf(node)}/pvc-1`), ['file']);
  });

  test('weakness 26: an error is told with its condition, and both go when it is over', async () => {
    await using node = await NodeTest.start();
    node.os.fail({ operation: 'list', code: 'EIO', matching: '/var/lib/directpv/mnt', times: 2 });
    await node.cluster.advance(HEALTH_MS);
    const broken = await node.drive();
    assert.equal(broken.status.status, 'Error');
    assert.deepEqual(
      broken.status.conditions?.map(({ type }) => type),
      ['IOError'],
    );
    await node.cluster.advance(HEALTH_MS);
    const healed = await node.drive();
    assert.equal(healed.status.status, 'Ready');
    assert.deepEqual(healed.status.conditions ?? [], []);
  });

  test('weakness 26: a drive that is to be removed or repaired is not called lost', async () => {
    await using node = await NodeTest.start();
    const drive = await node.drive();
    await node.process.manager.stop();
    await node.drives.replace({ ...drive, status: { ...drive.status, status: 'Repairing' } });
    node.os.unplug('sdb');
    await node.restart();
    const after = await node.drive();
    assert.notEqual(after.status.status, 'Lost');
    assert.match(after.status.conditions?.[0]?.message ?? '', /Repair failed: its device is not there/);
  });

  test('a drive that cannot be mounted says why, and is mounted as soon as it can', async () => {
    await using node = await NodeTest.start();
    node.os.reboot();
    node.os.fail({ operation: 'mount', code: 'EINVAL', times: 2 });
    await node.restart();
    const drive = await node.drive();
    assert.equal(drive.status.status, 'Error');
    assert.match(drive.status.conditions?.[0]?.message ?? '', /mount error/);
    await node.cluster.advance(HEALTH_MS);
    assert.equal((await node.drive()).status.status, 'Ready');
  });

  test('two devices with one file system are an error, and neither is written to', async () => {
    await using node = await NodeTest.start();
    node.os.reboot();
    const copy = node.os.plug('sdc');
    copy.contents = node.os.disk('sdb').contents;
    await node.restart();
    const drive = await node.drive();
    assert.equal(drive.status.status, 'Error');
    assert.equal(drive.status.conditions?.[0]?.type, 'MultipleMatches');
    assert.deepEqual(
      (await node.os.mounts()).filter(({ fsType }) => fsType === 'xfs'),
      [],
    );
  });

  test('a grown device grows its drive', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    const before = (await node.drive()).status;
    node.os.resize('sdb', 15 * GIB);
    await node.cluster.settled();
    const after = (await node.drive()).status;
    assert.equal(after.totalCapacity - before.totalCapacity, 5 * GIB);
    assert.equal(after.freeCapacity - before.freeCapacity, 5 * GIB);
    await node.assertConsistent();
  });

  // The growth itself happens once: after it nothing on the machine tells that the drive has more than it says.
  for (const operation of ['statFileSystem', 'list', 'quotaSupport', 'limitations'] as const)
    test(`a grown device grows its drive, also when \`${operation}\` fails right after the growth`, async () => {
      await using node = await NodeTest.start();
      await node.create('pvc-1');
      const before = (await node.drive()).status;
      await node.cluster.advance(HEALTH_MS);
      const growth = node.os.hold('grow');
      node.os.resize('sdb', 15 * GIB);
      await growth.entered;
      // For longer than what was seen of the devices before the growth is taken for true.
      node.os.fail({ operation, code: 'EBUSY', times: 1000 });
      growth.open();
      await node.cluster.settled();
      await node.cluster.advance(HEALTH_MS);
      node.os.heal();
      await node.cluster.advance(2 * HEALTH_MS);
      assert.equal((await node.drive()).status.totalCapacity - before.totalCapacity, 5 * GIB);
      await node.assertConsistent();
    });

  test('weakness 7: what a drive of DirectPV has lost in its books is given back when its node measures', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    node.os.write(`${STAGING}/pvc-1/file`, 1000);
    const before = await node.drive();
    const { totalCapacity } = before.status;
    const { annotations: _none, ...metadata } = before.metadata ?? {};
    await node.process.manager.stop();
    // Total with the file system's own blocks; two expansions of which one is forgotten.
    const status = {
      ...before.status,
      totalCapacity: 10 * GIB,
      freeCapacity: 2 * GIB,
      allocatedCapacity: 8 * GIB,
    };
    await node.drives.replace({ ...before, metadata, status });
    await node.restart();
    await node.cluster.advance(1000);
    assert.equal((await node.drive()).status.totalCapacity, totalCapacity);
    await node.assertConsistent();
  });

  test('weakness 24: one bad device keeps neither the others nor the process from starting', async () => {
    await using node = await NodeTest.start(['sdb', 'sdc']);
    node.os.reboot();
    node.os.disk('sdb').isBroken = true;
    await node.restart();
    assert.equal((await node.drive('sdb')).status.status, 'Error');
    assert.equal((await node.drive('sdc')).status.status, 'Ready');
  });

  test('weakness 28: ready means that the drives have been looked at', async () => {
    await using node = await NodeTest.start();
    assert.equal(node.process.isReady(), true);
    const gate = node.os.hold('devices');
    await node.process.manager.stop();
    assert.equal(node.process.isReady(), false);
    const restarted = node.restart();
    await gate.entered;
    assert.equal(node.process.isReady(), false);
    gate.open();
    await restarted;
    assert.equal(node.process.isReady(), true);
  });

  test('weakness 29: what stays wrong is told once', async () => {
    await using node = await NodeTest.start();
    node.os.unplug('sdb');
    await node.cluster.settled();
    for (let look = 0; look < 5; look++) await node.cluster.advance(HEALTH_MS);
    assert.equal((await eventsOf(node, 'DeviceNotFoundError')).length, 1);
  });
});

describe('deletion', () => {
  test('unmounts, removes, gives back, and is gone', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    node.os.write(`${STAGING}/pvc-1/file`, 100);
    await node.unstage('pvc-1');
    await node.delete('pvc-1');
    assert.deepEqual(await volumeNames(node), []);
    assert.deepEqual(await filesOf(node), []);
    assert.equal(node.os.disk('sdb').limits.size, 0);
    const { status, metadata } = await node.drive();
    assert.equal(status.freeCapacity, status.totalCapacity);
    assert.deepEqual(metadata?.finalizers, [FINALIZERS.dataProtection]);
  });

  test('weakness 11: the bytes come back when the data is gone, not before', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    await node.unstage('pvc-1');
    const gate = node.os.hold('removeTree');
    await node.delete('pvc-1');
    assert.equal((await node.drive()).status.allocatedCapacity, GIB);
    assert.deepEqual(await filesOf(node), ['pvc-1.deleted']);
    gate.open();
    await node.cluster.settled();
    assert.equal((await node.drive()).status.allocatedCapacity, 0);
    assert.deepEqual(await filesOf(node), []);
  });

  test('weakness 11: a restart in the middle loses nothing, and leftovers are swept at the start', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    await node.unstage('pvc-1');
    const mountPath = await mountPathOf(node);
    const leftover = { mountPath, path: `${mountPath}/pvc-0.deleted`, projectId: 77 };
    await node.os.makeDirectory(leftover.path);
    await node.os.setQuota(leftover, GIB);
    const gate = node.os.hold('removeTree');
    await node.delete('pvc-1');
    await gate.entered;
    node.process.faults.crashAfterWrites(0);
    node.os.fail({ operation: 'removeTree', code: 'EINTR' });
    gate.open();
    await node.restart();
    await node.cluster.settled();
    assert.deepEqual(await filesOf(node), []);
    assert.deepEqual(await volumeNames(node), []);
    assert.equal(
      node.os.disk('sdb').limits.size,
      0,
      'the next volume of that project begins without a limit',
    );
    await node.assertConsistent();
    assert.equal((await node.drive()).status.allocatedCapacity, 0);
  });

  test('a directory that cannot be removed keeps its bytes, and is tried again', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    await node.unstage('pvc-1');
    node.os.fail({ operation: 'removeTree', code: 'EBUSY', times: 3 });
    await node.delete('pvc-1');
    assert.equal((await node.drive()).status.allocatedCapacity, GIB);
    await node.cluster.advance(HEALTH_MS);
    assert.deepEqual(await volumeNames(node), []);
    assert.equal((await node.drive()).status.allocatedCapacity, 0);
  });

  test('weakness 12: a drive that is gone does not keep its volumes', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    const drive = await node.drive();
    await node.drives.replace({ ...drive, metadata: { ...drive.metadata, finalizers: [] } });
    await node.drives.delete(drive.status.fsuuid);
    await node.cluster.settled();
    await node.volumes.delete('pvc-1');
    const volume = await node.volumes.get('pvc-1');
    await node.volumes.replace({
      ...volume,
      metadata: { ...volume.metadata, finalizers: [FINALIZERS.purgeProtection] },
    });
    await node.cluster.settled();
    assert.deepEqual(await volumeNames(node), []);
  });

  test('weakness 12: a volume that somebody still needs waits for that, and nothing spins', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    await node.volumes.delete('pvc-1');
    await node.cluster.settled();
    const calls = node.os.calls.length;
    await node.cluster.advance(1000);
    assert.equal(node.os.calls.length, calls);
    assert.equal((await node.drive()).status.allocatedCapacity, GIB);
  });

  test('weakness 12: an empty drive that was deleted by hand goes', async () => {
    await using node = await NodeTest.start();
    const { fsuuid } = (await node.drive()).status;
    const path = await mountPathOf(node);
    await node.drives.delete(fsuuid);
    await node.cluster.settled();
    await assert.rejects(node.drives.get(fsuuid));
    assert.equal(
      (await node.os.mounts()).some(({ mountPoint }) => mountPoint === path),
      false,
    );
  });

  test('a volume of a lost drive goes, and its data when the drive is back', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    await node.unstage('pvc-1');
    node.os.unplug('sdb');
    await node.cluster.settled();
    await node.delete('pvc-1');
    assert.deepEqual(await volumeNames(node), []);
    await node.assertConsistent();
    assert.deepEqual(await filesOf(node), ['pvc-1']);
    node.os.plug('sdb');
    await node.cluster.settled();
    assert.deepEqual(await filesOf(node), []);
    assert.equal((await node.drive()).metadata?.annotations?.['directpv.min.io/pending-purges'], undefined);
  });

  test('bytes come back once, whatever fails in between', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.create('pvc-2', 2 * GIB);
    node.process.faults.fail({
      method: 'PUT',
      path: /directpvdrives/,
      answer: 'lost',
      afterwards: true,
      times: 1,
    });
    node.process.faults.conflict({ method: 'PUT', path: /directpvvolumes\/pvc-1/ });
    const deleted = node.delete('pvc-1');
    await node.cluster.advance(1000);
    await deleted;
    await node.cluster.advance(HEALTH_MS);
    assert.deepEqual(await volumeNames(node), ['pvc-2']);
    await node.assertConsistent();
  });

  test('weakness 16: what a failed write has not done is not in the cache either', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    node.process.faults.fail({
      method: 'PUT',
      path: /directpvdrives/,
      answer: { code: 403, reason: 'Forbidden' },
      times: 1,
    });
    await node.delete('pvc-1');
    const cached = await node.process.manager.objects(DirectPVDrive).list();
    assert.deepEqual(
      cached.map(({ status }) => status.allocatedCapacity),
      [GIB],
    );
    assert.ok(cached.every((drive) => Object.isFrozen(drive.status)));
    await node.cluster.advance(HEALTH_MS);
    assert.deepEqual(await volumeNames(node), []);
    await node.assertConsistent();
  });
});

describe('remove', () => {
  test('an empty drive is unmounted and forgotten; what is on it stays', async () => {
    await using node = await NodeTest.start();
    const drive = await node.drive();
    const path = await mountPathOf(node);
    await removeDrives(node.cluster.client, [drive]);
    await node.cluster.settled();
    await assert.rejects(node.drives.get(drive.status.fsuuid));
    assert.equal(
      (await node.os.mounts()).some(({ mountPoint }) => mountPoint === path),
      false,
    );
    assert.equal(await node.os.entryType(path), undefined);
    assert.equal(node.os.disk('sdb').contents?.fsuuid, drive.status.fsuuid);
  });

  test('while something uses it, nothing is done to it', async () => {
    await using node = await NodeTest.start();
    const drive = await node.drive();
    await node.os.makeDirectory('/somewhere', { recursive: true });
    await node.os.bindMount(await mountPathOf(node), '/somewhere');
    await removeDrives(node.cluster.client, [drive]);
    await node.cluster.settled();
    assert.equal((await node.drive()).status.status, 'Removed');
    await node.os.unmount('/somewhere');
    await node.cluster.advance(HEALTH_MS);
    await assert.rejects(node.drives.get(drive.status.fsuuid));
  });
});

async function prepareMove(node: NodeTest, ...names: readonly string[]): Promise<readonly [string, string]> {
  for (const name of names) {
    await node.create(name, GIB, 'sdb');
    await node.stage(name);
    node.os.write(`${STAGING}/${name}/file`, 1000);
  }
  for await (const drive of node.drives.items())
    await node.drives.replace({ ...drive, spec: { unschedulable: true } });
  await node.cluster.settled();
  return [(await node.drive('sdb')).status.fsuuid, (await node.drive('sdc')).status.fsuuid];
}

async function assertMoved(node: NodeTest, volume: DirectPVVolume, to: string): Promise<void> {
  assert.equal(volume.status.fsuuid, to);
  assert.equal(volume.metadata?.labels?.[LABELS.drive], to);
  assert.equal(volume.metadata.labels[LABELS.driveName], 'sdc');
  assert.deepEqual((await node.drive('sdb')).metadata?.finalizers, [FINALIZERS.dataProtection]);
  assert.deepEqual(volumesOfDrive(await node.drive('sdc')), [volume.metadata.name]);
  assert.equal((await node.drive('sdc')).status.status, 'Ready');
  await node.assertConsistent();
}

describe('move', () => {
  test('volumes go to another drive with their data, and their old drive has its bytes back', async () => {
    await using node = await NodeTest.start(['sdb', 'sdc']);
    const [from, to] = await prepareMove(node, 'pvc-1');
    await moveVolumes(node.cluster.client, from, to);
    await node.cluster.settled();
    await assertMoved(node, await node.volumes.get('pvc-1'), to);
    assert.deepEqual(await filesOf(node, 'sdb'), []);
    assert.deepEqual(await node.os.list(`${STAGING}/pvc-1`), ['file']);
    node.os.write(`${STAGING}/pvc-1/more`, 1);
    assert.deepEqual(await node.os.list(`/var/lib/directpv/mnt/${to}/pvc-1`), ['file', 'more']);
  });

  test('weakness 8: a claim id moves with its volume', async () => {
    await using node = await NodeTest.start(['sdb', 'sdc']);
    const claim = '2a91a4a3-9c24-4a5e-a3ad-3c0b6c5b3cbe';
    for await (const drive of node.drives.items())
      await node.drives.replace({
        ...drive,
        spec: { unschedulable: drive.metadata?.labels?.[LABELS.driveName] !== 'sdb' },
      });
    await node.cluster.settled();
    await node.csi.createVolume({
      name: 'pvc-1',
      capacityRange: { requiredBytes: GIB },
      volumeCapabilities: [{ mount: { fsType: 'xfs' }, accessMode: { mode: 'SINGLE_NODE_WRITER' } }],
      parameters: { [LABELS.volumeClaimId]: claim },
    });
    await node.cluster.settled();
    const [from, to] = await prepareMove(node);
    await moveVolumes(node.cluster.client, from, to);
    await node.cluster.settled();
    const key = `${LABELS.volumeClaimId}-${claim}`;
    assert.equal((await node.drive('sdb')).metadata?.labels?.[key], undefined);
    assert.equal((await node.drive('sdc')).metadata?.labels?.[key], 'true');
  });

  test('weakness 19: conflicts and failures in between end with the volume whole on the new drive', async () => {
    await using node = await NodeTest.start(['sdb', 'sdc']);
    const [from, to] = await prepareMove(node, 'pvc-1');
    node.os.fail({ operation: 'copyTree', code: 'ENOSPC' });
    node.process.faults.conflict({ method: 'PUT', path: /directpvvolumes\/pvc-1/ });
    node.process.faults.conflict({ method: 'PUT', path: /directpvdrives/ });
    await moveVolumes(node.cluster.client, from, to);
    await node.cluster.advance(HEALTH_MS);
    await node.cluster.advance(HEALTH_MS);
    await assertMoved(node, await node.volumes.get('pvc-1'), to);
    assert.deepEqual(await node.os.list(`${STAGING}/pvc-1`), ['file']);
  });

  test('a crash in the middle of the copy leaves the volume on its drive; the next process moves it', async () => {
    await using node = await NodeTest.start(['sdb', 'sdc']);
    const [from, to] = await prepareMove(node, 'pvc-1');
    const gate = node.os.hold('copyTree');
    await moveVolumes(node.cluster.client, from, to);
    await gate.entered;
    node.process.faults.crashAfterWrites(0);
    gate.open();
    assert.equal((await node.volumes.get('pvc-1')).status.fsuuid, from);
    await node.restart();
    await assertMoved(node, await node.volumes.get('pvc-1'), to);
    assert.deepEqual(await node.os.list(`${STAGING}/pvc-1`), ['file']);
  });

  test('the volumes of a dead drive begin empty on the new one, and that is said', async () => {
    await using node = await NodeTest.start(['sdb', 'sdc']);
    const [from, to] = await prepareMove(node, 'pvc-1');
    node.os.unplug('sdb');
    await node.cluster.settled();
    await moveVolumes(node.cluster.client, from, to);
    await node.cluster.settled();
    assert.equal((await node.volumes.get('pvc-1')).status.fsuuid, to);
    assert.deepEqual(await node.os.list(`${STAGING}/pvc-1`), []);
    const [note = ''] = await eventsOf(node, 'VolumeMoved');
    assert.match(note, /without its data/);
    await node.assertConsistent();
  });

  test('a volume that a pod got meanwhile waits for the pod', async () => {
    await using node = await NodeTest.start(['sdb', 'sdc']);
    const [from, to] = await prepareMove(node, 'pvc-1', 'pvc-2');
    const gate = node.os.hold('copyTree');
    await moveVolumes(node.cluster.client, from, to);
    await gate.entered;
    await node.publish('pvc-2', 'pod-1');
    gate.open();
    await node.cluster.settled();
    assert.equal((await node.volumes.get('pvc-1')).status.fsuuid, to);
    assert.equal((await node.volumes.get('pvc-2')).status.fsuuid, from);
    assert.equal((await node.drive('sdc')).status.status, 'Moving');
    await node.unpublish('pvc-2', 'pod-1');
    await node.cluster.advance(HEALTH_MS);
    assert.equal((await node.volumes.get('pvc-2')).status.fsuuid, to);
    assert.equal((await node.drive('sdc')).status.status, 'Ready');
    await node.assertConsistent();
  });
});

test('a cache that is behind does not bring a moved volume back to its old drive', async () => {
  await using node = await NodeTest.start(['sdb', 'sdc']);
  const [, to] = await prepareMove(node, 'pvc-1');
  using _behind = node.process.faults.holdWatches({ path: /directpvvolumes/ });
  const volume = await node.volumes.get('pvc-1');
  await node.volumes.replace({ ...volume, status: { ...volume.status, fsuuid: to } });
  await node.os.makeDirectory(`/var/lib/directpv/mnt/${to}/pvc-1`);
  await node.os.unmount(`${STAGING}/pvc-1`);
  await node.os.bindMount(`/var/lib/directpv/mnt/${to}/pvc-1`, `${STAGING}/pvc-1`);
  node.os.resize('sdb', 10 * GIB);
  await node.cluster.settled();
  node.os.write(`${STAGING}/pvc-1/new`, 1);
  assert.deepEqual(await node.os.list(`/var/lib/directpv/mnt/${to}/pvc-1`), ['new']);
});

describe('repair', () => {
  test('unmounts, mends, mounts, and shows staged volumes again', async () => {
    await using node = await NodeTest.start();
    await node.create('pvc-1');
    await node.stage('pvc-1');
    await repairDrives(node.cluster.client, [await node.drive()]);
    await node.cluster.settled();
    const drive = await node.drive();
    assert.equal(drive.status.status, 'Ready');
    assert.equal(drive.metadata?.annotations?.['directpv.min.io/repair'], undefined);
    assert.deepEqual(
      node.os.calls.filter((call) => call.startsWith('repair')),
      ['repair sdb'],
    );
    node.os.write(`${STAGING}/pvc-1/file`, 1);
  });

  test('a repair that fails is over, too, and says why', async () => {
    await using node = await NodeTest.start();
    node.os.fail({ operation: 'repair', code: 'EUCLEAN' });
    await repairDrives(node.cluster.client, [await node.drive()]);
    await node.cluster.settled();
    const { status } = await node.drive();
    assert.equal(status.status, 'Error');
    assert.match(status.conditions?.[0]?.message ?? '', /Repair failed: EUCLEAN/);
    // What is wrong inside does not keep it from being mounted again.
    await node.cluster.advance(HEALTH_MS);
    assert.equal((await node.drive()).status.status, 'Ready');
  });
});

test('weaknesses 14, 15, 17: however often an object changes, its last state counts, once', async () => {
  await using node = await NodeTest.start();
  await node.create('pvc-1');
  await node.stage('pvc-1');
  const before = node.os.calls.filter((call) => call.startsWith('removeTree')).length;
  await node.unstage('pvc-1');
  for (let change = 0; change < 20; change++)
    await node.volumes.patch('pvc-1', { metadata: { annotations: { change: String(change) } } });
  await node.delete('pvc-1');
  const removals = node.os.calls.filter((call) => call.startsWith('removeTree')).length - before;
  assert.equal(removals, 1);
  assert.equal(await node.os.entryType(targetOf('none')), undefined);
});
