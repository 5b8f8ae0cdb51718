// A drive with a volume's data, on a real device to which all kinds of things happen: each step leaves it whole again.
import assert from 'node:assert/strict';
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { until } from '@windlass/base/testing/until';
import { type DirectPVDrive, linuxOperatingSystem, repairDrives } from '@windlass/directpv';
import { run } from '../real/harness/needs.ts';
import { LoopMachine } from './machine.ts';
import { MIB, NodeProcess } from './node-process.ts';

const SIZE = 700 * MIB;
const DATA = 'what a pod has written';
let machine: LoopMachine;
let node: NodeProcess;
let fsuuid = '';

before(async () => {
  machine = await LoopMachine.make();
  await machine.plug('a', SIZE);
  node = await NodeProcess.start({
    folder: machine.folder,
    healthCheckMs: 500,
    os: () =>
      linuxOperatingSystem({
        quota: 'preferred',
        loopDevices: machine.names,
        includes: () => false,
        pollMs: 200,
      }),
  });
  await until('the device is shown', async () => (await node.devices()).length === 1);
  assert.deepEqual([...(await node.init([name()])).values()], [undefined]);
  ({ fsuuid } = (await node.driveOn(name())).status);
  await node.untilCreated('pvc-1', 100 * MIB, fsuuid);
  await node.stage('pvc-1');
  const target = await node.publish('pvc-1', 'pod-1');
  await writeFile(join(target, 'data.txt'), DATA, { flush: true });
  await node.unpublish('pvc-1', 'pod-1');
  await node.unstage('pvc-1');
});

after(async () => {
  await node?.stopProcess();
  await machine?.[Symbol.asyncDispose]();
});

const name = (): string => machine.name('a');
const device = (): string => `/dev/${name()}`;
const mountPath = (): string => join(node.root, 'mnt', fsuuid);
const zero = (bytes: number): Promise<unknown> =>
  run('dd', ['if=/dev/zero', `of=${device()}`, 'bs=512', `count=${bytes / 512}`, 'conv=notrunc,fsync']);

/** The machine is switched off, something happens to the disk, and it is switched on. */
async function whileOff(happens: () => Promise<unknown>): Promise<void> {
  await node.stopProcess();
  await run('umount', [mountPath()]).catch(() => {});
  await happens();
  await node.startProcess();
}

const messages = ({ status }: DirectPVDrive): string =>
  (status.conditions ?? []).map(({ message }) => message).join('\n');

async function untilStatus(status: string, says?: RegExp): Promise<void> {
  await node.untilDrive(fsuuid, `the drive is ${status}`, (drive) => {
    return drive.status.status === status && (says === undefined || says.test(messages(drive)));
  });
}

/** Neither offered nor formatted, whatever a file for `init` says. */
async function requireDenied(says: RegExp): Promise<void> {
  await until('the device is denied', async () => says.test((await node.devices())[0]?.deniedReason ?? ''));
  for (const force of [false, true])
    assert.match((await node.init([name()], force)).get(name()) ?? '', /not permitted|state changed/);
}

async function repair(): Promise<number> {
  const started = performance.now();
  await repairDrives(node.client, [await node.drives.get(fsuuid)]);
  await untilStatus('Ready');
  return performance.now() - started;
}

async function requireData(): Promise<void> {
  await node.stage('pvc-1');
  const target = await node.publish('pvc-1', 'pod-1');
  assert.equal(await readFile(join(target, 'data.txt'), 'utf8'), DATA);
  await node.unpublish('pvc-1', 'pod-1');
  await node.unstage('pvc-1');
  const { status } = await node.drives.get(fsuuid);
  assert.deepEqual(
    (status.conditions ?? []).map(({ type }) => type).filter((type) => type !== 'QuotaNotEnforced'),
    [],
  );
}

test('the first superblock is zeroed', async (context) => {
  await whileOff(() => zero(512));
  await untilStatus('Lost', /first superblock of its file system is damaged: run "kubectl directpv repair/);
  await requireDenied(new RegExp(`Holds drive ${fsuuid}, whose first superblock is damaged; repair`));
  context.diagnostic(`repaired in ${Math.round(await repair())} ms`);
  await requireData();
});

test('the first superblock is zeroed, with changes in the journal that are nowhere else', async () => {
  await whileOff(async () => {
    await run('mount', [device(), mountPath()]);
    await writeFile(join(mountPath(), 'pvc-1', 'late.txt'), 'in the journal');
    // The journal is written, the rest is not: as when the power fails.
    await run('xfs_io', ['-x', '-c', 'shutdown -f', mountPath()]);
    await run('umount', [mountPath()]);
    await zero(512);
  });
  await untilStatus('Lost', /superblock/);
  await repair();
  await requireData();
  await stat(join(mountPath(), 'pvc-1', 'late.txt'));
});

test('swap is made over the drive', async () => {
  await whileOff(() => run('mkswap', ['-f', device()]));
  await untilStatus('Lost', /swap was written over its beginning/);
  await requireDenied(new RegExp(`Holds drive ${fsuuid}`));
  await repairDrives(node.client, [await node.drives.get(fsuuid)]);
  await untilStatus('Error', /Repair failed: swap was written over .* remove that with wipefs first/);
  await whileOff(() => run('wipefs', ['--all', device()]));
  await untilStatus('Lost', /superblock/);
  await repair();
  await requireData();
});

test('the file system is given another UUID', async () => {
  await whileOff(() => run('xfs_admin', ['-U', 'generate', device()]));
  await untilStatus('Lost', /was given UUID .*xfs_admin -U/);
  await requireDenied(new RegExp(`Holds drive ${fsuuid} under another UUID`));
  await whileOff(() => run('xfs_admin', ['-U', fsuuid, device()]));
  await untilStatus('Ready');
  await requireData();
});

test('the device is smaller than before', async () => {
  await whileOff(() => machine.grow('a', SIZE - 100 * MIB));
  await untilStatus('Error', /device loop\d+ has \d+ bytes, but its file system has \d+/);
  await requireDenied(/Used by DirectPV/);
  await whileOff(() => machine.grow('a', SIZE));
  await untilStatus('Ready');
  await requireData();
});

test('the same disk comes back under another name, damaged', async () => {
  await whileOff(async () => {
    await zero(512);
    await machine.pull('a');
    // Somebody else takes its name.
    await machine.plug('b', SIZE);
    await machine.attach('a');
  });
  await untilStatus('Lost', new RegExp(`Device ${name()} holds the drive`));
  const devices = new Map((await node.devices()).map((one) => [one.name, one.deniedReason]));
  assert.match(devices.get(name()) ?? '', new RegExp(fsuuid));
  assert.equal(devices.get(machine.name('b')), undefined);
  await repair();
  await requireData();
  await whileOff(() => machine.pull('b'));
});

test('the metadata file is zeroed, and then names another drive', async () => {
  const file = join(mountPath(), '.directpv', 'meta.info');
  const during = async (text: string): Promise<void> => {
    await run('mount', [device(), mountPath()]);
    await writeFile(file, text, { flush: true });
    await run('umount', [mountPath()]);
  };
  await whileOff(() => during('\0'.repeat(64)));
  await untilStatus('Ready');
  assert.match(await readFile(file, 'utf8'), new RegExp(`FSUUID=${fsuuid}`));
  await whileOff(() => during('FSUUID=99999999-2222-3333-4444-555555555555\n'));
  await untilStatus('Error', /meta\.info says 99999999/);
  await requireDenied(/Used by DirectPV/);
  await whileOff(() => during(`FSUUID=${fsuuid}\n`));
  await untilStatus('Ready');
  await requireData();
});

test('the first megabyte is zeroed: the volume is in lost+found, and no empty one takes its place', async () => {
  await whileOff(() => zero(MIB));
  await untilStatus('Lost', /superblock/);
  await requireDenied(new RegExp(fsuuid));
  await repair();
  await assert.rejects(node.stage('pvc-1'), /look for its data in lost\+found/);
  const found = await readdir(join(mountPath(), 'lost+found'));
  for (const entry of found) {
    const names = await readdir(join(mountPath(), 'lost+found', entry)).catch((): string[] => []);
    if (names.includes('data.txt'))
      await rename(join(mountPath(), 'lost+found', entry), join(mountPath(), 'pvc-1'));
  }
  await requireData();
});

test('capacity: the size of the device is not what volumes can have, whoever writes it', async () => {
  const { allocatedCapacity } = (await node.drives.get(fsuuid)).status;
  const { totalBytes, freeBytes } = await linuxOperatingSystem().statFileSystem(mountPath());
  await node.drives.patch(fsuuid, {
    status: { totalCapacity: SIZE, freeCapacity: SIZE - allocatedCapacity },
  });
  await assert.rejects(node.create('pvc-raw', SIZE - allocatedCapacity - MIB), /no drive found/);
  await node.untilDrive(fsuuid, 'the drive has what its file system has', ({ status }) => {
    return (
      status.totalCapacity < totalBytes &&
      status.totalCapacity <= freeBytes + allocatedCapacity &&
      status.totalCapacity > 0.8 * SIZE &&
      status.freeCapacity === status.totalCapacity - allocatedCapacity
    );
  });
  // The largest volume that is promised fits.
  const { freeCapacity } = (await node.drives.get(fsuuid)).status;
  await node.create('pvc-rest', freeCapacity);
  await node.stage('pvc-rest');
  const target = await node.publish('pvc-rest', 'pod-2');
  await run('fallocate', ['--length', String(freeCapacity - MIB), join(target, 'all')]);
  await node.unpublish('pvc-rest', 'pod-2');
  await node.unstage('pvc-rest');
});

test('capacity: a drive that has less than was promised says so, and gets no volumes', async () => {
  const volume = await node.volumes.get('pvc-rest');
  await node.csi.deleteVolume({ volumeId: volume.metadata.name });
  await until('it is gone', async () => (await node.volumes.list()).items.length === 1);
  const { freeBytes } = await linuxOperatingSystem().statFileSystem(mountPath());
  await run('fallocate', ['--length', String(freeBytes - 30 * MIB), join(mountPath(), 'stranger')]);
  await node.untilDrive(fsuuid, 'the drive is overcommitted', ({ status }) => {
    const types = (status.conditions ?? []).map(({ type }) => type);
    return types.includes('Overcommitted') && status.freeCapacity === 0;
  });
  await assert.rejects(node.create('pvc-more', MIB), /no drive found/);
  await run('rm', [join(mountPath(), 'stranger')]);
  await node.restart();
  await untilStatus('Ready');
  await node.untilDrive(fsuuid, 'that is over', ({ status }) => status.freeCapacity > 400 * MIB);
  await requireData();
});

test('nothing is left of the drive but its device: that is not free either, until the drive is removed', async () => {
  await whileOff(() => run('blkdiscard', ['--force', device()]));
  await untilStatus('Lost', /is the one that the drive was on, but nothing of its file system was found/);
  await requireDenied(new RegExp(`Is the device of drive ${fsuuid}`));
  await repairDrives(node.client, [await node.drives.get(fsuuid)]);
  await untilStatus('Error', /Repair failed/);
});

test('what other formats keep elsewhere is seen, too', async () => {
  const disk = await machine.plug('c', SIZE);
  const os = linuxOperatingSystem({ loopDevices: [disk], includes: () => false });
  const path = `/dev/${disk}`;
  const traces = async (): Promise<string[]> => {
    await run('dd', ['if=/dev/zero', `of=${path}`, 'bs=1M', 'count=1', 'conv=notrunc,fsync']);
    return ((await os.examine(disk)).traces ?? []).map(({ fsType }) => fsType);
  };
  assert.deepEqual(await traces(), []);
  await run('mkfs.ext4', ['-q', '-F', path]);
  assert.deepEqual(await traces(), ['ext4']);
  await run('mkfs.xfs', ['-q', '-f', '-d', 'agsize=90m', path]);
  assert.deepEqual(await traces(), ['xfs']);
});
