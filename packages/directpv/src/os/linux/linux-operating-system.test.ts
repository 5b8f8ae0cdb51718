import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, test } from 'node:test';
import { CommandError, systemCode } from '../errors.ts';
import type { OperatingSystem } from '../operating-system.ts';
import type { RunProgram } from '../run-program.ts';
import { differences, parseUevent } from './device-changes.ts';
import { parseDeviceStatistics } from './device-statistics.ts';
import { type LinuxOperatingSystemOptions, linuxOperatingSystem } from './linux-operating-system.ts';
import { parseMountInfo } from './mount-info.ts';
import { probeContents } from './signatures.ts';
import { parseQuota } from './xfs-quota.ts';

const MIB = 1024 ** 2;
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** A machine of plain files: what the kernel would show is written, what programs would do is noted. */
class Machine {
  readonly root: string;
  readonly ran: string[] = [];
  fails: (call: string) => Error | undefined = () => undefined;
  answer = '';

  private constructor(root: string) {
    this.root = root;
  }

  static async make(): Promise<Machine> {
    const root = await mkdtemp(join(tmpdir(), 'windlass-linux-'));
    cleanUps.push(() => rm(root, { recursive: true, force: true }));
    const machine = new Machine(root);
    await machine.write('proc/self/mountinfo', '');
    await mkdir(join(root, 'sys/class/block'), { recursive: true });
    return machine;
  }

  async write(path: string, content: string | Buffer): Promise<void> {
    await mkdir(dirname(join(this.root, path)), { recursive: true });
    await writeFile(join(this.root, path), content);
  }

  async device(name: string, majorMinor: string, content: Buffer, attributes = {}): Promise<void> {
    const facts: Record<string, string> = {
      dev: majorMinor,
      uevent: `DEVNAME=${name}`,
      size: String(600 * 2048),
      ro: '0',
      ...attributes,
    };
    for (const [file, value] of Object.entries(facts))
      await this.write(`sys/class/block/${name}/${file}`, `${value}\n`);
    await this.write(`dev/${name}`, content);
    // A device has as many bytes as it says; one that ends before is broken.
    await truncate(join(this.root, 'dev', name), Number(facts['size']) * 512);
  }

  os(options: LinuxOperatingSystemOptions = {}): OperatingSystem {
    const run: RunProgram = async (program, args) => {
      const call = [program, ...args].join(' ').replaceAll(this.root, '');
      this.ran.push(call);
      const error = this.fails(call);
      if (error !== undefined) throw error;
      return this.answer;
    };
    const at = (name: string): string => join(this.root, name);
    const paths = { sys: at('sys'), proc: at('proc'), dev: at('dev'), udev: at('run/udev/data') };
    return linuxOperatingSystem({ run, paths, ...options });
  }
}

const FSUUID = 'd79dff9e-2884-46f2-8919-dada2eecb12d';
const EMPTY = Buffer.alloc(4096);

function xfs(): Buffer {
  const block = Buffer.alloc(4096);
  block.write('XFSB', 0, 'latin1');
  block.writeUInt32BE(4096, 4);
  block.writeBigUInt64BE(150_000n, 8);
  Buffer.from(FSUUID.replaceAll('-', ''), 'hex').copy(block, 32);
  block.write('DIRECTPV', 108, 'latin1');
  block.writeBigUInt64BE(140_000n, 144);
  return block;
}

function withBytes(offset: number, bytes: Buffer | string, size = 2 * MIB): Buffer {
  const device = Buffer.alloc(size);
  (typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes).copy(device, offset);
  return device;
}

function contentsOf(device: Buffer): ReturnType<typeof probeContents> {
  return probeContents(device.length, async (offset, length) => device.subarray(offset, offset + length));
}

test('an XFS superblock says whose it is and how much it has', async () => {
  assert.deepEqual(await contentsOf(xfs()), {
    fsType: 'xfs',
    fsuuid: FSUUID,
    label: 'DIRECTPV',
    totalBytes: 150_000 * 4096,
    freeBytes: 140_000 * 4096,
  });
});

const le = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
};
const lvm = Buffer.alloc(512);
lvm.write('LABELONE', 0);
lvm.write('LVM2 001', 24);

const CONTENTS: readonly [string, Buffer, string][] = [
  [
    'ext4 by its features',
    Buffer.concat([withBytes(1080, Buffer.from('53ef', 'hex'), 1120), le(0x2c2), Buffer.alloc(2 * MIB)]),
    'ext4',
  ],
  ['ext2', withBytes(1080, Buffer.from('53ef', 'hex')), 'ext2'],
  ['btrfs', withBytes(0x10040, '_BHRfS_M'), 'btrfs'],
  ['swap', withBytes(4086, 'SWAPSPACE2'), 'swap'],
  ['swap with large pages', withBytes(65_526, 'SWAPSPACE2'), 'swap'],
  ['LUKS', withBytes(0, Buffer.from('4c554b53babe', 'hex')), 'crypto_LUKS'],
  ['LVM in the second sector', withBytes(512, lvm), 'LVM2_member'],
  ['RAID 1.2', withBytes(4096, le(0xa92b4efc)), 'linux_raid_member'],
  ['RAID 1.1', withBytes(0, le(0xa92b4efc)), 'linux_raid_member'],
  ['RAID 1.0 at the end', withBytes(2 * MIB - 8192, le(0xa92b4efc)), 'linux_raid_member'],
  ['RAID 0.90 at the end', withBytes(2 * MIB - 65_536, le(0xa92b4efc)), 'linux_raid_member'],
  ['a ZFS pool', withBytes(130 * 1024, Buffer.from('0cb1ba0000000000', 'hex')), 'zfs_member'],
  ['bcache', withBytes(4120, Buffer.from('c68573f64e1a45ca8265f57f48ba6d81', 'hex')), 'bcache'],
  ['Ceph', withBytes(0, 'bluestore block device\n'), 'ceph_bluestore'],
  ['NTFS', withBytes(3, 'NTFS    '), 'ntfs'],
  ['FAT', withBytes(82, 'FAT32   '), 'vfat'],
  ['a GPT', withBytes(512, 'EFI PART'), 'gpt'],
  ['a GPT on 4 KiB sectors', withBytes(4096, 'EFI PART'), 'gpt'],
  ['a GPT whose first copy is gone', withBytes(2 * MIB - 512, 'EFI PART'), 'gpt'],
  [
    'a DOS table',
    withBytes(450, Buffer.concat([Buffer.from([0x83]), Buffer.alloc(59), Buffer.from('55aa', 'hex')])),
    'dos',
  ],
];
for (const [what, device, fsType] of CONTENTS)
  test(`${what} is recognised`, async () => {
    assert.equal((await contentsOf(device))?.fsType, fsType);
  });

test('a RAID member that shows the file system inside is a RAID member', async () => {
  const device = withBytes(0, xfs());
  le(0xa92b4efc).copy(device, 2 * MIB - 65_536);
  assert.equal((await contentsOf(device))?.fsType, 'linux_raid_member');
});

test('nothing is found on zeros, on noise, and on a device of a few bytes', async () => {
  assert.equal(await contentsOf(Buffer.alloc(2 * MIB)), undefined);
  assert.equal(await contentsOf(Buffer.alloc(100)), undefined);
  assert.equal(await contentsOf(Buffer.alloc(2 * MIB, 0x5a)), undefined);
});

test('the mount table: escapes, optional fields, a removed root, lines that are none', () => {
  const [first, second, ...more] = parseMountInfo(
    [
      '36 35 98:0 /mnt1 /a\\040b\\134c rw,noatime master:1 propagate_from:2 - xfs /dev/sd\\011b rw,prjquota',
      'nonsense',
      '37 35 98:0 /pvc-1//deleted /x ro,nosuid - xfs /dev/sdb rw',
      '',
    ].join('\n'),
  );
  assert.equal(first?.mountPoint, '/a b\\c');
  assert.equal(first.source, '/dev/sd\tb');
  assert.deepEqual(first.superOptions, ['rw', 'prjquota']);
  assert.equal(first.readOnly, false);
  assert.deepEqual([second?.root, second?.readOnly, second?.mountId], ['/pvc-1', true, 37]);
  assert.deepEqual(more, []);
});

test('weakness 24: a device that cannot be read has a problem, and the others are seen', async () => {
  const machine = await Machine.make();
  await machine.device('sda', '8:0', EMPTY);
  await machine.device('sdb', '8:16', xfs());
  await rm(join(machine.root, 'dev/sda'));
  await mkdir(join(machine.root, 'sys/class/block/sdc/size'), { recursive: true });
  const devices = await machine.os().devices();
  assert.deepEqual(
    devices.map((device) => [device.name, device.problem === undefined, device.contents?.fsuuid]),
    [
      ['sda', false, undefined],
      ['sdb', true, FSUUID],
      ['sdc', false, undefined],
    ],
  );
  assert.match(devices[0]?.problem ?? '', /ENOENT/);
});

test('without udev there are devices, and with it they have a maker', async () => {
  const machine = await Machine.make();
  await machine.device('sdb', '8:16', EMPTY, { 'device/model': 'QEMU HARDDISK  ' });
  assert.equal((await machine.os().devices())[0]?.make, 'QEMU HARDDISK');
  await machine.write('run/udev/data/b8:16', 'S:disk/by-id/x\nE:ID_VENDOR=ATA\nE:ID_MODEL=Fast_One\nW:1\n');
  const [device] = await machine.os().devices();
  assert.equal(device?.make, 'ATA Fast_One');
  assert.deepEqual(device.udevData, { 'E:ID_VENDOR': 'ATA', 'E:ID_MODEL': 'Fast_One' });
});

test('what uses a device is seen: partitions, holders, mounts here and on the host, swap, CD', async () => {
  const machine = await Machine.make();
  await machine.device('sda', '8:0', EMPTY, { 'sda1/partition': '1' });
  await machine.device('sdb', '8:16', EMPTY, { 'holders/dm-0/x': '' });
  await machine.device('sdc', '8:32', EMPTY);
  await machine.device('sdd', '8:48', EMPTY, { ro: '1', removable: '1' });
  await machine.device('sde', '8:64', EMPTY);
  await machine.device('sr0', '11:0', EMPTY);
  await machine.write('proc/self/mountinfo', '36 35 8:32 / /here rw - xfs /dev/sdc rw\n');
  await machine.write('proc/1/mountinfo', '36 35 8:32 / /host rw - xfs /dev/sdc rw\n');
  await machine.write('proc/swaps', 'Filename Type Size\n/dev/sde partition 5\n');
  await machine.write('proc/sys/dev/cdrom/info', 'CD-ROM information\n\ndrive name:\t\tsr0\n');
  const found = new Map((await machine.os().devices()).map((device) => [device.name, device]));
  assert.equal(found.get('sda')?.partitioned, true);
  assert.deepEqual(found.get('sdb')?.holders, ['dm-0']);
  assert.deepEqual(found.get('sdc')?.mountPoints, ['/here', '/host']);
  assert.deepEqual([found.get('sdd')?.readOnly, found.get('sdd')?.removable], [true, true]);
  assert.equal(found.get('sde')?.swapOn, true);
  assert.equal(found.get('sr0')?.cdrom, true);
});

test('loop devices count only where they are allowed, and memory never', async () => {
  const machine = await Machine.make();
  for (const [index, name] of ['loop1', 'loop10', 'zram0', 'ram1', 'sdb'].entries())
    await machine.device(name, `7:${index}`, EMPTY);
  const names = async (options: LinuxOperatingSystemOptions): Promise<string[]> =>
    (await machine.os(options).devices()).map((device) => device.name);
  assert.deepEqual(await names({}), ['sdb']);
  assert.deepEqual(await names({ loopDevices: 'all' }), ['loop1', 'loop10', 'sdb']);
  assert.deepEqual(await names({ loopDevices: ['loop1'], includes: () => false }), ['loop1']);
});

test('a device without a medium is not there', async () => {
  const machine = await Machine.make();
  await machine.device('loop1', '7:1', EMPTY, { size: '0' });
  assert.deepEqual(await machine.os({ loopDevices: 'all' }).devices(), []);
});

async function machineWithDrive(): Promise<{ machine: Machine; target: string }> {
  const machine = await Machine.make();
  await machine.device('sdb', '8:16', xfs());
  return { machine, target: join(machine.root, 'mnt') };
}

test('programs get lists of arguments, and options are what DirectPV uses', async () => {
  const { machine, target } = await machineWithDrive();
  const os = machine.os();
  const [device] = await os.devices();
  assert.ok(device);
  await os.format(device, { fsuuid: FSUUID, label: 'DIRECTPV', force: true });
  await os.mount(device, target);
  await os.repair(device, { force: true, dryRun: true });
  assert.deepEqual(machine.ran, [
    `mkfs.xfs -i maxpct=50 -m uuid=${FSUUID} -L DIRECTPV -f /dev/sdb`,
    'mount -t xfs -o noatime,prjquota /dev/sdb /mnt',
    'xfs_repair -v -L -n /dev/sdb',
  ]);
});

test('what holds something is formatted only by force', async () => {
  const { machine } = await machineWithDrive();
  const os = machine.os();
  const [device] = await os.devices();
  assert.ok(device);
  await assert.rejects(os.format(device, { fsuuid: FSUUID, label: 'DIRECTPV', force: false }), {
    code: 'EEXIST',
    message: '/dev/sdb holds xfs'.replace('/dev', join(machine.root, 'dev')),
  });
  assert.deepEqual(machine.ran, []);
});

test('a bind mount is made read-only by a second step; where that fails nothing stays mounted', async () => {
  const { machine, target } = await machineWithDrive();
  const os = machine.os();
  await os.bindMount('/from', target, { readOnly: true, options: ['noexec'] });
  assert.deepEqual(machine.ran, ['mount --bind /from /mnt', 'mount -o remount,bind,ro,noexec /mnt']);
  machine.ran.length = 0;
  await machine.write('proc/self/mountinfo', `36 35 8:16 /v ${target} rw - xfs /dev/sdb rw\n`);
  machine.fails = (call) => (call.includes('remount') ? new Error('no') : undefined);
  await assert.rejects(os.bindMount('/from', target, { readOnly: true }), { message: 'no' });
  assert.equal(machine.ran.at(-1), 'umount /mnt');
});

test('something else at the target is not covered, and the same thing is not mounted twice', async () => {
  const { machine, target } = await machineWithDrive();
  const os = machine.os();
  const [device] = await os.devices();
  assert.ok(device);
  await mkdir(target);
  await machine.write('proc/self/mountinfo', `36 35 8:16 / ${target} rw - xfs /dev/sdb rw\n`);
  await os.mount(device, target);
  assert.deepEqual(machine.ran, []);
  await machine.write('proc/self/mountinfo', `36 35 8:99 / ${target} rw - xfs /dev/sdx rw\n`);
  await assert.rejects(os.mount(device, target), { code: 'EBUSY' });
});

test('a kernel without quotas is told of: refused where they are required, mounted where they are preferred', async () => {
  const { machine, target } = await machineWithDrive();
  await machine.write('proc/fs/xfs/stat', '');
  machine.fails = (call) => (call.includes('prjquota') ? new Error('bad option') : undefined);
  const [device] = await machine.os().devices();
  assert.ok(device);
  await assert.rejects(machine.os().mount(device, target), { code: 'QUOTA_UNSUPPORTED' });
  await machine.os({ quota: 'preferred' }).mount(device, target);
  assert.equal(machine.ran.at(-1), 'mount -t xfs -o noatime /dev/sdb /mnt');
  await machine.write('proc/fs/xfs/xqmstat', '');
  await assert.rejects(machine.os({ quota: 'preferred' }).mount(device, target), { message: 'bad option' });
});

test('a project is set once, its limit each time', async () => {
  const { machine, target } = await machineWithDrive();
  await mkdir(join(target, 'v1'), { recursive: true });
  await machine.write('proc/self/mountinfo', `36 35 8:16 / ${target} rw - xfs /dev/sdb rw,prjquota\n`);
  const os = machine.os();
  machine.answer = 'projid = 0\n';
  const project = { mountPath: target, path: join(target, 'v1'), projectId: 1_601_122_870 };
  await os.setQuota(project, 5 * MIB);
  machine.answer = 'projid = 1601122870\n';
  assert.deepEqual(await os.projects(target), new Map([['v1', 1_601_122_870]]));
  await os.setQuota(project, 6 * MIB);
  await os.clearQuota(project);
  assert.deepEqual(machine.ran, [
    'xfs_io -r -c lsproj /mnt/v1',
    'xfs_io -c chproj 1601122870 -c chattr +P /mnt/v1',
    `xfs_quota -x -c limit -p bsoft=${5 * MIB} bhard=${5 * MIB} 1601122870 /mnt`,
    'xfs_io -r -c lsproj /mnt/v1',
    'xfs_io -r -c lsproj /mnt/v1',
    `xfs_quota -x -c limit -p bsoft=${6 * MIB} bhard=${6 * MIB} 1601122870 /mnt`,
    'xfs_quota -x -c limit -p bsoft=0 bhard=0 1601122870 /mnt',
  ]);
});

test('the books of a project are read as xfs_quota prints them', () => {
  const line = '/dev/vdb   1024  8192  8192  00 [--------]   12  0  0  00 [--------] /mnt\n';
  assert.deepEqual(parseQuota(line, 7), { usedBytes: MIB, usedInodes: 12, limitBytes: 8 * MIB });
  assert.throws(() => parseQuota('', 7), { code: 'EPROTO' });
});

test('weakness 27: statistics with too few numbers are an error, not a wrong number', () => {
  const line = '  1 0 8 500 2 0 16 250 0 3 1500 0 0 0 0';
  assert.deepEqual(parseDeviceStatistics(line), {
    reads: 1,
    writes: 2,
    readBytes: 4096,
    writtenBytes: 8192,
    readSeconds: 0.5,
    writeSeconds: 0.25,
    waitSeconds: 1.5,
  });
  assert.throws(() => parseDeviceStatistics('1 0 8 500 2 0 16 250 0 3'), { code: 'EPROTO' });
});

test('events of the kernel, and differences where there are none', () => {
  assert.deepEqual(parseUevent('KERNEL[23370.73] add      /devices/virtual/block/loop0 (block)'), {
    action: 'add',
    name: 'loop0',
  });
  assert.equal(parseUevent('monitor will print the received events for:'), undefined);
  const before = new Map([
    ['a', '1'],
    ['b', '1'],
    ['c', '1'],
  ]);
  const after = new Map([
    ['b', '2'],
    ['c', '1'],
    ['d', '1'],
  ]);
  assert.deepEqual(differences(before, after), [
    { action: 'change', name: 'b' },
    { action: 'add', name: 'd' },
    { action: 'remove', name: 'a' },
  ]);
});

test('a path behind links is the one that the mount table has', async () => {
  const machine = await Machine.make();
  await mkdir(join(machine.root, 'real'));
  await symlink(join(machine.root, 'real'), join(machine.root, 'kubelet'));
  const os = machine.os();
  const wanted = await os.realPath(join(machine.root, 'real'));
  assert.equal(await os.realPath(join(machine.root, 'kubelet/pods/x')), join(wanted, 'pods/x'));
});

test('what a program says becomes the code of its error', async () => {
  const os = linuxOperatingSystem();
  const [name, missing] = ['/nowhere/windlass', '/nowhere/at/all'];
  await assert.rejects(
    os.copyTree(tmpdir(), missing),
    (error) => systemCode(error) === 'ENOENT',
    `${name} does not exist`,
  );
  const error = new CommandError({
    program: 'mount',
    args: ['/dev/sdb', '/mnt'],
    exitCode: 32,
    stderr: 'mount: /mnt: Input/output error\n',
    code: 'EIO',
    cause: undefined,
  });
  assert.equal(
    error.message,
    '"mount /dev/sdb /mnt" ended with 32 and said: mount: /mnt: Input/output error',
  );
});

test('a device that ends before it says is broken, and not empty', async () => {
  const machine = await Machine.make();
  await machine.device('sda', '8:0', EMPTY);
  await truncate(join(machine.root, 'dev/sda'), 300 * MIB);
  const [device] = await machine.os().devices();
  assert.match(
    device?.problem ?? '',
    /has 629145600 bytes, but nothing is to be read at \d+; it is not taken for empty/,
  );
});

test('a device is known by what stays: from udev, from the kernel, and a partition by its disk', async () => {
  const machine = await Machine.make();
  await machine.device('sda', '8:0', EMPTY, { 'device/wwid': 'naa.1', 'device/serial': ' S1 ' });
  await machine.device('sdb', '8:16', EMPTY, { 'device/serial': 'S2' });
  await machine.write('run/udev/data/b8:16', 'E:ID_SERIAL_SHORT=U2\nE:ID_WWN=0x2\n');
  await machine.device('dm-0', '253:0', EMPTY, { 'dm/uuid': 'LVM-x' });
  await machine.device('loop0', '7:0', EMPTY, { 'loop/backing_file': '/a.img' });
  // In sysfs a partition is a directory of its disk; by its name it is a link to there.
  for (const [file, value] of Object.entries({ dev: '8:1', partition: '1', size: String(600 * 2048) }))
    await machine.write(`sys/class/block/sda/sda1/${file}`, `${value}\n`);
  await symlink(join(machine.root, 'sys/class/block/sda/sda1'), join(machine.root, 'sys/class/block/sda1'));
  await machine.write('dev/sda1', EMPTY);
  const devices = await machine.os({ loopDevices: 'all' }).devices();
  assert.deepEqual(Object.fromEntries(devices.map(({ name, identity }) => [name, identity])), {
    'dm-0': { mapper: 'LVM-x' },
    loop0: { backing: '/a.img' },
    sda: { wwid: 'naa.1', serial: 'S1' },
    sda1: { wwid: 'naa.1', serial: 'S1', partition: '#1' },
    sdb: { wwid: '0x2', serial: 'U2' },
  });
});

test('a repair that asks for another run gets it, and not for ever', async () => {
  const machine = await Machine.make();
  await machine.device('sda', '8:0', EMPTY);
  const os = machine.os();
  const [device] = await os.devices();
  assert.ok(device);
  const said = (stderr: string): Error =>
    new CommandError({
      program: 'xfs_repair',
      args: [],
      exitCode: 1,
      stderr,
      code: 'COMMAND_FAILED',
      cause: 0,
    });
  let left = 1;
  machine.fails = () =>
    left-- > 0 ? said('metadata writeout failed, err=117.  Re-run xfs_repair.\n') : undefined;
  await os.repair(device);
  assert.equal(machine.ran.length, 2);
  left = Number.POSITIVE_INFINITY;
  await assert.rejects(os.repair(device), { code: 'COMMAND_FAILED' });
  assert.equal(machine.ran.length, 5);
  machine.fails = () =>
    said('ERROR: the journal must be replayed before\nre-running xfs_repair.  Mount it.\n');
  await assert.rejects(os.repair(device), { code: 'COMMAND_FAILED' });
  assert.equal(machine.ran.length, 6);
});

test('a disk that XFS would wait for for ever is told of', async () => {
  const machine = await Machine.make();
  const os = machine.os();
  const target = join(machine.root, 'mnt');
  await machine.write(
    'proc/self/mountinfo',
    `36 35 8:0 / ${target} rw shared:1 - xfs /dev/sda rw,prjquota\n`,
  );
  assert.deepEqual(await os.limitations(target), []);
  await machine.write('sys/fs/xfs/sda/error/metadata/EIO/max_retries', '-1\n');
  assert.match((await os.limitations(target)).join(), /XFS retries writes to a dying disk for ever/);
  await machine.write('sys/fs/xfs/sda/error/metadata/EIO/max_retries', '0\n');
  assert.deepEqual(await os.limitations(target), []);
});

test('a directory that goes while projects are listed is left out', async () => {
  const machine = await Machine.make();
  const mount = join(machine.root, 'mnt');
  for (const name of ['pvc-1', 'pvc-2']) await mkdir(join(mount, name), { recursive: true });
  machine.answer = 'projid = 7\n';
  machine.fails = (call) => {
    if (!call.includes('pvc-2')) return undefined;
    rmSync(join(mount, 'pvc-2'), { recursive: true });
    const stderr = '/mnt/pvc-2: No such file or directory';
    return new CommandError({ program: 'xfs_io', args: [], exitCode: 1, stderr, code: 'ENOENT', cause: 0 });
  };
  assert.deepEqual([...(await machine.os().projects(mount))], [['pvc-1', 7]]);
});
