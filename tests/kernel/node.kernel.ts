// A node's whole life on real devices: each step stands on the one before.
import assert from 'node:assert/strict';
import { access, readdir, readFile, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { until } from '@windlass/base/testing/until';
import {
  FINALIZERS,
  LABELS,
  linuxOperatingSystem,
  removeDrives,
  repairDrives,
  systemCode,
} from '@windlass/directpv';
import { run } from '../real/harness/needs.ts';
import { LoopMachine, loopsIn, mountsOf } from './machine.ts';
import { MIB, NodeProcess } from './node-process.ts';

const SIZE = 700 * MIB;
let machine: LoopMachine;
let node: NodeProcess;

before(async () => {
  machine = await LoopMachine.make();
  await machine.plug('a', SIZE);
  await machine.plug('b', SIZE);
  await machine.plug('ext4', SIZE);
  await run('mkfs.ext4', ['-q', `/dev/${machine.name('ext4')}`]);
  node = await NodeProcess.start({
    folder: machine.folder,
    healthCheckMs: 500,
    // Only this test's devices, whatever the machine has besides.
    os: () =>
      linuxOperatingSystem({
        quota: 'preferred',
        loopDevices: machine.names,
        includes: () => false,
        pollMs: 200,
      }),
  });
});

after(async () => {
  await node?.stopProcess();
  await machine?.[Symbol.asyncDispose]();
});

/** What is said of a drive or volume, but for quotas that this kernel may not have. */
const faults = ({
  conditions = [],
}: {
  readonly conditions?: readonly { readonly type?: string }[];
}): string[] => conditions.map(({ type = '' }) => type).filter((type) => type !== 'QuotaNotEnforced');

/** What volumes may have on a drive that has one of them, by what the kernel says. */
async function usableOn(fsuuid: string): Promise<number> {
  const path = join(node.root, 'mnt', fsuuid);
  const { bavail, bsize } = await statfs(path);
  const { stdout } = await run('du', ['-s', '--block-size=1', join(path, 'pvc-1')]);
  return bavail * bsize + Number.parseInt(stdout, 10);
}

const withCode = (code: string) => (error: unknown) => systemCode(error) === code;

test('discover: devices are shown with what is on them', async () => {
  await until('the devices are shown', async () => (await node.devices()).length === 3);
  const found = new Map((await node.devices()).map((device) => [device.name, device]));
  assert.equal(found.get(machine.name('a'))?.size, SIZE);
  assert.equal(found.get(machine.name('a'))?.fsType, undefined);
  assert.equal(found.get(machine.name('a'))?.deniedReason, undefined);
  assert.equal(found.get(machine.name('ext4'))?.fsType, 'ext4');
});

test('init: empty devices become drives, a foreign file system stays', async () => {
  const names = ['a', 'b', 'ext4'].map((disk) => machine.name(disk));
  const results = await node.init(names);
  assert.equal(results.get(machine.name('a')), undefined);
  assert.equal(results.get(machine.name('b')), undefined);
  assert.match(results.get(machine.name('ext4')) ?? '', /ext4/);
  await run('e2fsck', ['-n', `/dev/${machine.name('ext4')}`]);
  const drive = await node.driveOn(machine.name('a'));
  const { fsuuid, totalCapacity, freeCapacity } = drive.status;
  assert.equal(totalCapacity, freeCapacity);
  assert.ok(totalCapacity < SIZE && totalCapacity > 0.8 * SIZE, `${totalCapacity} of ${SIZE}`);
  const path = join(node.root, 'mnt', fsuuid);
  assert.deepEqual((await readdir(path)).toSorted(), ['.FSUUID.'.concat(fsuuid), '.directpv']);
  assert.match(await readFile(join(path, '.directpv/meta.info'), 'utf8'), new RegExp(`FSUUID=${fsuuid}`));
  const { stdout } = await run('blkid', ['-o', 'export', `/dev/${machine.name('a')}`]);
  assert.match(stdout, /LABEL=DIRECTPV/);
  assert.match(stdout, new RegExp(`UUID=${fsuuid}`));
  const again = await node.init([machine.name('a')], true);
  assert.match(again.get(machine.name('a')) ?? '', /Mounted|changed/);
});

test('provision: a volume is a directory of a drive, for two pods, one of which cannot write', async () => {
  for await (const drive of node.drives.items())
    if (drive.metadata?.labels?.[LABELS.driveName] !== machine.name('a'))
      await node.drives.patch(drive.metadata.name, { spec: { unschedulable: true } });
  const { fsuuid } = (await node.driveOn(machine.name('a'))).status;
  await node.untilCreated('pvc-1', 100 * MIB, fsuuid);
  await node.stage('pvc-1');
  const first = await node.publish('pvc-1', 'pod-1');
  const second = await node.publish('pvc-1', 'pod-2', true);
  await writeFile(join(first, 'data.txt'), 'from the first pod');
  assert.equal(await readFile(join(second, 'data.txt'), 'utf8'), 'from the first pod');
  await assert.rejects(writeFile(join(second, 'other.txt'), 'x'), withCode('EROFS'));
  assert.deepEqual(await readdir(join(node.root, 'mnt', fsuuid, 'pvc-1')), ['data.txt']);
});

test('limits: what this kernel does not keep is said of the drive and of the volume', async () => {
  const keepsQuotas = await access('/proc/fs/xfs/xqmstat').then(
    () => true,
    () => false,
  );
  const said = keepsQuotas ? [] : ['QuotaNotEnforced'];
  const types = ({ conditions = [] }: { readonly conditions?: readonly { readonly type?: string }[] }) =>
    conditions.map(({ type }) => type);
  await until('both say so', async () => {
    const { status } = await node.volumes.get('pvc-1');
    const drive = await node.drives.get(status.fsuuid);
    return [drive.status, status].every((one) => types(one).join() === said.join());
  });
});

test('stats: what is there is measured, since this kernel may keep no books', async () => {
  await writeFile(join(node.target('pod-1'), 'large'), Buffer.alloc(5 * MIB, 1), { flush: true });
  const volumePath = node.target('pod-1');
  const { usage, volumeCondition } = await node.csi.nodeGetVolumeStats({ volumeId: 'pvc-1', volumePath });
  const [bytes, inodes] = usage;
  assert.equal(bytes?.total, 100 * MIB);
  assert.ok((bytes?.used ?? 0) >= 5 * MIB && (bytes?.used ?? 0) < 6 * MIB, `${bytes?.used} bytes`);
  assert.equal(inodes?.used, 3);
  assert.equal(volumeCondition?.abnormal, false);
});

test('restart: another process finds everything as it was', async () => {
  const before = await mountsOf(machine.folder);
  await node.restart();
  assert.deepEqual(await mountsOf(machine.folder), before);
  await node.stage('pvc-1');
  await node.publish('pvc-1', 'pod-1');
  assert.deepEqual(await mountsOf(machine.folder), before);
  assert.equal(await readFile(join(node.target('pod-1'), 'data.txt'), 'utf8'), 'from the first pod');
});

test('expand: the volume and its drive agree', async () => {
  const capacityRange = { requiredBytes: 200 * MIB };
  await node.csi.controllerExpandVolume({ volumeId: 'pvc-1', capacityRange });
  const volumePath = node.target('pod-1');
  const { capacityBytes } = await node.csi.nodeExpandVolume({ volumeId: 'pvc-1', volumePath, capacityRange });
  assert.equal(capacityBytes, 200 * MIB);
  assert.equal((await node.driveOn(machine.name('a'))).status.allocatedCapacity, 200 * MIB);
});

test('grow: a larger device makes a larger drive, while it is used', async () => {
  const { fsuuid, totalCapacity: wasTold } = (await node.driveOn(machine.name('a'))).status;
  const hadBytes = await usableOn(fsuuid);
  // Somebody who writes during a measurement makes it smaller, and so little is not counted upwards again: the drive
  // may say less than it has, whatever the moment was. Here it does.
  await node.drives.patch(fsuuid, { status: { totalCapacity: wasTold - 5 * MIB } });
  await machine.grow('a', SIZE + 100 * MIB);
  await node.untilDrive(
    fsuuid,
    'the drive has grown',
    ({ status }) => status.totalCapacity > wasTold + 80 * MIB,
  );
  const hasBytes = await usableOn(fsuuid);
  assert.ok(
    hasBytes - hadBytes > 80 * MIB && hasBytes - hadBytes <= 100 * MIB,
    `${hasBytes} after ${hadBytes}`,
  );
  await node.untilDrive(fsuuid, `it says what it has, ${hasBytes} bytes`, ({ status }) => {
    const missing = hasBytes - status.totalCapacity;
    return missing > -MIB && missing < 16 * MIB && status.freeCapacity === status.totalCapacity - 200 * MIB;
  });
  assert.equal(await readFile(join(node.target('pod-1'), 'data.txt'), 'utf8'), 'from the first pod');
});

test('shut down: an I/O error is told, and over once nobody has the drive', async () => {
  const { fsuuid } = (await node.driveOn(machine.name('b'))).status;
  await run('xfs_io', ['-x', '-c', 'shutdown', join(node.root, 'mnt', fsuuid)]);
  let hasBeenError = false;
  await node.untilDrive(fsuuid, 'the drive has been in error, and is ready again', ({ status }) => {
    hasBeenError ||= status.conditions?.some(({ type }) => type === 'IOError') ?? false;
    return hasBeenError && status.status === 'Ready' && faults(status).length === 0;
  });
  await readdir(join(node.root, 'mnt', fsuuid));
});

test('move: the volume goes to the other drive with its data, and back come the bytes', async () => {
  for (const pod of ['pod-1', 'pod-2']) await node.unpublish('pvc-1', pod);
  await assert.rejects(stat(node.target('pod-1')), withCode('ENOENT'));
  const [from, to] = [await node.driveOn(machine.name('a')), await node.driveOn(machine.name('b'))];
  await node.move(from.status.fsuuid, to.status.fsuuid);
  assert.equal((await node.volumes.get('pvc-1')).status.fsuuid, to.status.fsuuid);
  assert.deepEqual(
    (await readdir(join(node.root, 'mnt', from.status.fsuuid))).filter((name) => name.startsWith('pvc')),
    [],
  );
  const target = await node.publish('pvc-1', 'pod-1');
  assert.equal(await readFile(join(target, 'data.txt'), 'utf8'), 'from the first pod');
  assert.equal((await stat(join(target, 'large'))).size, 5 * MIB);
  await node.unpublish('pvc-1', 'pod-1');
});

test('repair: unmounted, looked over, mounted; the staged volume is shown again', async () => {
  const drive = await node.driveOn(machine.name('b'));
  await repairDrives(node.client, [drive]);
  await node.untilDrive(drive.status.fsuuid, 'it is repaired', ({ status }) => status.status === 'Ready');
  const target = await node.publish('pvc-1', 'pod-1');
  assert.equal(await readFile(join(target, 'data.txt'), 'utf8'), 'from the first pod');
  await node.unpublish('pvc-1', 'pod-1');
});

test('pull: the drive is lost; the same disk under another name is found, with its volume', async () => {
  const { fsuuid } = (await node.driveOn(machine.name('b'))).status;
  await machine.pull('b');
  await node.untilDrive(fsuuid, 'the drive is lost', ({ status }) => status.status === 'Lost');
  await until('the volume says so', async () =>
    ((await node.volumes.get('pvc-1')).status.conditions ?? []).some(({ type }) => type === 'Lost'),
  );
  await machine.attach('b');
  // The process knows devices by the names that it was started with.
  await node.restart();
  await node.untilDrive(fsuuid, 'the drive is found', ({ status }) => status.status === 'Ready');
  await until(
    'the volume says so',
    async () => faults((await node.volumes.get('pvc-1')).status).length === 0,
  );
  const target = await node.publish('pvc-1', 'pod-1');
  assert.equal(await readFile(join(target, 'data.txt'), 'utf8'), 'from the first pod');
  await node.unpublish('pvc-1', 'pod-1');
});

test('delete: nothing of the volume is left, neither data nor mounts nor bytes', async () => {
  const { fsuuid } = (await node.volumes.get('pvc-1')).status;
  await node.unstage('pvc-1');
  await node.csi.deleteVolume({ volumeId: 'pvc-1' });
  await until('the volume is gone', async () => (await node.volumes.list()).items.length === 0);
  const { status, metadata } = await node.drives.get(fsuuid);
  assert.equal(status.allocatedCapacity, 0);
  assert.equal(status.freeCapacity, status.totalCapacity);
  assert.deepEqual(metadata?.finalizers, [FINALIZERS.dataProtection]);
  const left = await readdir(join(node.root, 'mnt', fsuuid));
  assert.deepEqual(
    left.filter((name) => name.startsWith('pvc')),
    [],
  );
});

test('remove: drives are unmounted and forgotten, and can be made again by force', async () => {
  const drives: Awaited<ReturnType<NodeProcess['driveOn']>>[] = [];
  for await (const drive of node.drives.items()) drives.push(drive);
  await removeDrives(node.client, drives);
  await until('the drives are gone', async () => (await node.drives.list()).items.length === 0);
  assert.deepEqual(
    (await mountsOf(machine.folder)).filter(({ source }) => source.startsWith('/dev/loop')),
    [],
  );
  const device = machine.name('a');
  await until('the device is free', async () => {
    const found = (await node.devices()).find(({ name }) => name === device);
    return found?.fsType === 'xfs' && found.deniedReason === undefined;
  });
  assert.match((await node.init([device])).get(device) ?? '', /holds xfs/);
  assert.equal((await node.init([device], true)).get(device), undefined);
  await removeDrives(node.client, [await node.driveOn(device)]);
  await until('the drive is gone', async () => (await node.drives.list()).items.length === 0);
});

test('at the end nothing is mounted, and every device can be detached', async () => {
  await node.stopProcess();
  const left = (await mountsOf(machine.folder)).map(({ mountPoint }) => mountPoint);
  // The empty file system for suspended volumes stays, as it does on a node.
  assert.deepEqual(left, [join(node.root, 'tmp')]);
  assert.equal((await loopsIn(machine.folder)).length, 3);
  await machine[Symbol.asyncDispose]();
  assert.deepEqual(await loopsIn(machine.folder), []);
});
