import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlockDevice } from './block-device.ts';
import { deniedReasons, isFreeToFormat } from './denied-reason.ts';
import { deviceId, majorMinorOfId } from './device-id.ts';
import { FakeDisk } from './fake-disk.ts';

const device = (more: Partial<BlockDevice> = {}): BlockDevice => ({
  ...new FakeDisk('sdb', '8:16', {}).device([]),
  ...more,
});
const denied = (more: Partial<BlockDevice>): string => deniedReasons(device(more), () => false).join('; ');

test('an id names the device, and changes with everything that may change', () => {
  const id = deviceId(device(), 'node-1');
  assert.equal(majorMinorOfId(id), '8:16');
  assert.equal(deviceId(device(), 'node-1'), id);
  assert.equal(deviceId(device({ busy: true, make: 'other' }), 'node-1'), id);
  const others: Partial<BlockDevice>[] = [
    { size: 1 },
    { mountPoints: ['/x'] },
    { holders: ['dm-0'] },
    { partitioned: true },
    { swapOn: true },
    { udevData: { 'E:ID_FS_TYPE': 'xfs' } },
    { name: 'sdc' },
  ];
  for (const other of others) assert.notEqual(deviceId(device(other), 'node-1'), id);
  assert.notEqual(deviceId(device(), 'node-2'), id);
});

test('what is no id has no device', () => {
  for (const id of ['', '8:16', '8:16$', 'sdb$x', '$x']) assert.equal(majorMinorOfId(id), undefined);
});

const DENIED: readonly [Partial<BlockDevice>, string][] = [
  [{}, ''],
  [{ removable: true }, ''],
  [{ size: 512 * 1024 ** 2 - 1 }, 'Too small'],
  [{ hidden: true, readOnly: true }, 'Hidden; Read only'],
  [{ partitioned: true, busy: true }, 'Partitioned'],
  [{ holders: ['dm-0'], busy: true }, 'Held by other device'],
  [{ mountPoints: ['/x'], busy: true }, 'Mounted'],
  [{ swapOn: true }, 'Swap'],
  [{ cdrom: true }, 'CDROM'],
  [{ busy: true }, 'In use'],
  [{ contents: { fsType: 'LVM2_member', fsuuid: '', label: '' } }, 'Part of LVM2_member'],
  [{ contents: { fsType: 'ext4', fsuuid: '', label: '' } }, ''],
  [{ problem: 'EIO' }, 'internal error; EIO'],
];
for (const [facts, reason] of DENIED)
  test(`${JSON.stringify(facts)} is denied for: ${reason || 'nothing'}`, () => {
    assert.equal(denied(facts), reason);
  });

test('a drive of ours is not formatted again', () => {
  const contents = { fsType: 'xfs', fsuuid: 'u1', label: 'DIRECTPV' };
  assert.deepEqual(
    deniedReasons(device({ contents }), (fsuuid) => fsuuid === 'u1'),
    ['Used by DirectPV'],
  );
  assert.deepEqual(
    deniedReasons(device({ contents }), () => false),
    [],
  );
});

test('a table without partitions takes nothing away, a file system does', () => {
  assert.equal(isFreeToFormat(device()), true);
  assert.equal(isFreeToFormat(device({ contents: { fsType: 'gpt', fsuuid: '', label: '' } })), true);
  assert.equal(isFreeToFormat(device({ contents: { fsType: 'ext4', fsuuid: '', label: '' } })), false);
});
