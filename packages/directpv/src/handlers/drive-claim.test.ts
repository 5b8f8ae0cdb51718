import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Served } from '@windlass/apimachinery';
import type { BlockDevice, DeviceContents } from '../os/index.ts';
import { type DirectPVDrive, type RecordedDevice, withRecordedDevice } from '../resources/index.ts';
import { servedDrive } from '../testing/index.ts';
import { claimOn, deniedBy, lostBy } from './drive-claim.ts';
import { denials } from './known-drives.ts';

const GIB = 1024 ** 3;
const OURS = '11111111-2222-3333-4444-555555555555';
const OTHER = '99999999-2222-3333-4444-555555555555';

function device(facts: Partial<BlockDevice> = {}): BlockDevice {
  return {
    name: 'sdb',
    majorMinor: '8:16',
    path: '/dev/sdb',
    size: 10 * GIB,
    make: '',
    hidden: false,
    removable: false,
    readOnly: false,
    partitioned: false,
    holders: [],
    mountPoints: [],
    swapOn: false,
    cdrom: false,
    dmName: '',
    udevData: {},
    ...facts,
  };
}

const xfs = (fsuuid: string, more: Partial<DeviceContents> = {}): DeviceContents => ({
  fsType: 'xfs',
  fsuuid,
  label: 'DIRECTPV',
  ...more,
});
const has = (fsType: string): DeviceContents => ({ fsType, fsuuid: '', label: '' });

function drive(recorded?: Partial<RecordedDevice>): Served<DirectPVDrive> {
  const built = servedDrive({ fsuuid: OURS, totalCapacity: 9 * GIB, status: 'Lost' });
  return recorded === undefined
    ? built
    : withRecordedDevice(built, { name: 'sdb', size: 10 * GIB, groupBytes: 2 * GIB, ...recorded });
}

const DISK = { serial: 'S1', wwid: 'naa.1' };
const rows: readonly [what: string, BlockDevice, Served<DirectPVDrive>, state: string | undefined][] = [
  [
    'an empty device, by another serial number',
    device({ identity: { serial: 'S2' } }),
    drive(DISK),
    undefined,
  ],
  [
    'an empty device of the serial number',
    device({ identity: { serial: 'S1' } }),
    drive(DISK),
    'unrecognised',
  ],
  ['the same under another name', device({ name: 'sdx', identity: DISK }), drive(DISK), 'unrecognised'],
  ['the same, and smaller', device({ size: GIB, identity: DISK }), drive(DISK), 'unrecognised'],
  ['another namespace of one NVMe', device({ identity: { ...DISK, wwid: 'naa.2' } }), drive(DISK), undefined],
  ['copies of the superblock', device({ traces: [xfs(OURS)] }), drive(), 'damaged'],
  ['copies of another superblock', device({ name: 'sdc', traces: [xfs(OTHER)] }), drive(), undefined],
  [
    'a first superblock that says another',
    device({ contents: xfs(OTHER), traces: [xfs(OURS)] }),
    drive(),
    'damaged',
  ],
  ['swap over the drive', device({ contents: has('swap'), traces: [xfs(OURS)] }), drive(), 'overwritten'],
  [
    'ext4 on the device of the drive',
    device({ contents: has('ext4'), identity: DISK }),
    drive(DISK),
    'overwritten',
  ],
  ['another UUID', device({ contents: xfs(OTHER, { madeAs: OURS }) }), drive(), 'relabelled'],
  ['a read error, by serial number', device({ problem: 'EIO', identity: DISK }), drive(DISK), 'unreadable'],
  ['a read error, by name alone', device({ problem: 'EIO' }), drive({}), 'unreadable'],
  [
    'the disk of a partition whose table is gone',
    device({ identity: DISK }),
    drive({ ...DISK, partition: 'p1' }),
    'unrecognised',
  ],
  [
    'a partition of the disk',
    device({ name: 'sdb1', identity: { ...DISK, partition: 'p1' } }),
    drive(DISK),
    'unrecognised',
  ],
  [
    'another partition of the disk',
    device({ name: 'sdb2', identity: { ...DISK, partition: 'p2' } }),
    drive({ ...DISK, partition: 'p1' }),
    undefined,
  ],
  [
    'a partition that is known by its UUID alone',
    device({ name: 'vdc1', identity: { partition: 'p1' } }),
    drive({ partition: 'p1' }),
    'unrecognised',
  ],
  [
    'a loop device of the file',
    device({ name: 'loop9', identity: { backing: '/a.img' } }),
    drive({ backing: '/a.img' }),
    'unrecognised',
  ],
  ['the name alone, and no superblock where one would be', device(), drive({}), undefined],
  ['the name, of a drive that DirectPV recorded', device(), drive(), 'similar'],
  ['the name, but too small', device({ size: GIB }), drive(), undefined],
  ['the name, with something known on it', device({ contents: has('ext4') }), drive(), undefined],
  ['another name', device({ name: 'sdc' }), drive(), undefined],
];
for (const [what, found, owner, state] of rows)
  test(`a lost drive and ${what}: ${state ?? 'nothing to do with it'}`, () => {
    const claim = claimOn(found, owner);
    assert.equal(claim?.state, state);
    const reasons = denials(found, { own: [owner], others: [] }, [found]).join('; ');
    if (claim === undefined) return assert.equal(reasons, '');
    for (const text of [deniedBy(claim), reasons]) assert.match(text, new RegExp(`drive ${OURS}`));
    if (state !== 'unreadable') assert.match(deniedBy(claim), /repair/);
    assert.match(lostBy(claim), new RegExp(`Device ${found.name}`));
    return assert.match(lostBy(claim), state === 'unreadable' ? /EIO/ : /repair|xfs_admin/);
  });

test('a drive that is where it should be lays no claim to other devices', () => {
  const [sound, copy] = [device({ name: 'sda', contents: xfs(OURS) }), device({ traces: [xfs(OURS)] })];
  assert.deepEqual(denials(copy, { own: [drive()], others: [] }, [sound, copy]), []);
  assert.deepEqual(denials(sound, { own: [drive()], others: [] }, [sound, copy]), ['Used by DirectPV']);
});

test('a disk of another node is its drive here, too, sound or not; its records of devices mean its own', () => {
  const foreign = drive(DISK);
  const known = { own: [], others: [foreign] };
  const sound = device({ contents: xfs(OURS) });
  assert.deepEqual(denials(sound, known, [sound]), [`Used by DirectPV as drive ${OURS} of node node-1`]);
  const damaged = device({ traces: [xfs(OURS)] });
  assert.match(
    denials(damaged, known, [damaged]).join(),
    /of another node, whose first superblock is damaged/,
  );
  const alike = device({ identity: DISK });
  assert.deepEqual(denials(alike, known, [alike]), []);
});
