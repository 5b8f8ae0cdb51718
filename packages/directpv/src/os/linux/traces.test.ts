import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deniedReasons, isFreeToFormat } from '../denied-reason.ts';
import type { ReadAt } from './bytes.ts';
import { probeContents } from './signatures.ts';
import { findTraces, type TraceOptions } from './traces.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
const FSUUID = 'd79dff9e-2884-46f2-8919-dada2eecb12d';
const MADE_AS = '0f8fad5b-d9cb-469f-a165-70867728950e';

interface SuperblockOptions {
  readonly groupBlocks: number;
  readonly groups?: number;
  readonly fsuuid?: string;
  readonly madeAs?: string;
}

const uuid = (text: string): Buffer => Buffer.from(text.replaceAll('-', ''), 'hex');

function superblock({ groupBlocks, groups = 4, fsuuid = FSUUID, madeAs }: SuperblockOptions): Buffer {
  const block = Buffer.alloc(512);
  block.write('XFSB', 0, 'latin1');
  block.writeUInt32BE(4096, 4);
  block.writeBigUInt64BE(BigInt(groupBlocks * groups), 8);
  uuid(fsuuid).copy(block, 32);
  block.writeUInt32BE(groupBlocks, 84);
  block.writeUInt32BE(groups, 88);
  block.writeUInt16BE(0xb4a5, 100);
  block.write('DIRECTPV', 108, 'latin1');
  if (madeAs !== undefined) {
    block.writeUInt32BE(0x4, 216);
    uuid(madeAs).copy(block, 248);
  }
  return block;
}

/** A device of any size, all zeros but for these parts. */
class Sparse {
  readonly size: number;
  reads = 0;
  readonly #parts: readonly (readonly [offset: number, bytes: Buffer])[];

  constructor(size: number, ...parts: readonly (readonly [number, Buffer])[]) {
    this.size = size;
    this.#parts = parts;
  }

  readonly read: ReadAt = async (offset, length) => {
    this.reads++;
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, this.size - offset)));
    for (const [at, bytes] of this.#parts) {
      const start = Math.max(at, offset);
      const end = Math.min(at + bytes.length, offset + buffer.length);
      if (start < end) bytes.copy(buffer, start - offset, start - at, end - at);
    }
    return buffer;
  };

  async traces(options: TraceOptions = {}): Promise<string[]> {
    return (await findTraces(this.size, this.read, options)).map(({ fsType, fsuuid }) =>
      fsuuid === '' ? fsType : `${fsType} ${fsuuid}`,
    );
  }
}

const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const bytes = (value: string): Buffer => Buffer.from(value, 'hex');
const groupsOf = (size: number, groups: number): number => Math.ceil(size / 4096 / groups);

/** The copies that mkfs.xfs makes, without the first superblock. */
function copies(groupBlocks: number, groups = 4, fsuuid = FSUUID): (readonly [number, Buffer])[] {
  const block = superblock({ groupBlocks, groups, fsuuid });
  return Array.from({ length: groups - 1 }, (_, index) => [(index + 1) * groupBlocks * 4096, block] as const);
}

function groupHeader(sector: number): readonly [number, Buffer] {
  const header = Buffer.alloc(sector);
  header.write('XAGF', 0, 'latin1');
  header.writeUInt32BE(45_000, 12);
  uuid(FSUUID).copy(header, 64);
  return [sector, header];
}

function ext4Copy(): Buffer {
  const block = Buffer.alloc(512);
  block.writeUInt32LE(2, 24);
  block.writeUInt16LE(0xef53, 56);
  block.writeUInt16LE(1, 90);
  uuid(FSUUID).copy(block, 104);
  return block;
}

function gptAtEnd(size: number, isUsed: boolean): (readonly [number, Buffer])[] {
  const header = Buffer.alloc(512);
  header.write('EFI PART', 0, 'latin1');
  header.writeBigUInt64LE(BigInt(size / 512 - 33), 72);
  return [
    [size - 512, header],
    [size - 33 * 512, Buffer.alloc(128, isUsed ? 7 : 0)],
  ];
}

const TEN = 10 * GIB;
const OURS = `xfs ${FSUUID}`;
const rows: readonly [what: string, Sparse, traces: string[]][] = [
  ['nothing at all', new Sparse(TEN), []],
  ['a disk of 700 MiB', new Sparse(700 * MIB, ...copies(groupsOf(700 * MIB, 4))), [OURS]],
  ['a disk of 10 GiB', new Sparse(TEN, ...copies(groupsOf(TEN, 4))), [OURS]],
  [
    'a disk of 8 TiB, whose groups are as large as can be',
    new Sparse(8 * 1024 * GIB, ...copies(2 ** 28 - 1, 9)),
    [OURS],
  ],
  ['a stripe of 32 groups', new Sparse(600 * GIB, ...copies(groupsOf(600 * GIB, 32), 32)), [OURS]],
  ['a machine of 48 processors', new Sparse(1000 * GIB, ...copies(groupsOf(1000 * GIB, 48), 48)), [OURS]],
  ['only the first sector is gone', new Sparse(TEN, groupHeader(512)), [OURS]],
  ['only the first sector of 4 KiB is gone', new Sparse(TEN, groupHeader(4096)), [OURS]],
  [
    'the image of a machine in a file',
    new Sparse(TEN, [groupsOf(TEN, 4) * 4096, superblock({ groupBlocks: 1000 })]),
    [],
  ],
  ['swap over an XFS', new Sparse(TEN, [4086, text('SWAPSPACE2')], ...copies(groupsOf(TEN, 4))), [OURS]],
  [
    'a superblock that says another than its copies',
    new Sparse(
      TEN,
      [0, superblock({ groupBlocks: groupsOf(TEN, 4), fsuuid: MADE_AS })],
      ...copies(groupsOf(TEN, 4)),
    ),
    [OURS],
  ],
  [
    'a sound XFS',
    new Sparse(TEN, [0, superblock({ groupBlocks: groupsOf(TEN, 4) })], ...copies(groupsOf(TEN, 4))),
    [],
  ],
  ['a second header of LUKS', new Sparse(TEN, [0x4000, bytes('534b554cbabe')]), ['crypto_LUKS']],
  ['a second header of LUKS far in', new Sparse(TEN, [4 * MIB, bytes('534b554cbabe')]), ['crypto_LUKS']],
  ['a copy of btrfs', new Sparse(TEN, [64 * MIB + 0x40, text('_BHRfS_M')]), ['btrfs']],
  ['a copy of ext4', new Sparse(TEN, [128 * MIB, ext4Copy()]), [`ext4 ${FSUUID}`]],
  ['a copy of FAT', new Sparse(TEN, [3072 + 82, text('FAT32   ')]), ['vfat']],
  ['a copy of NTFS', new Sparse(TEN, [TEN - 509, text('NTFS    ')]), ['ntfs']],
  [
    'ZFS, of whose labels the last are left',
    new Sparse(TEN, [TEN - 128 * 1024, bytes('0cb1ba0000000000')]),
    ['zfs_member'],
  ],
  ['a GPT at the end that names partitions', new Sparse(TEN, ...gptAtEnd(TEN, true)), ['gpt']],
  ['a GPT at the end that names none', new Sparse(TEN, ...gptAtEnd(TEN, false)), []],
];
for (const [what, device, traces] of rows)
  test(`${what}: ${traces.join(', ') || 'no traces'}`, async () => {
    assert.deepEqual(await device.traces(), traces);
    assert.ok(device.reads < 120, `${device.reads} reads`);
  });

test('a group that nobody would guess is found by its record, and by a thorough look', async () => {
  const device = new Sparse(TEN, ...copies(12_345, 200));
  assert.deepEqual(await device.traces(), []);
  assert.deepEqual(await device.traces({ groupBytes: [12_345 * 4096] }), [OURS]);
  assert.deepEqual(await device.traces({ isThorough: true }), [OURS]);
});

test('a file system that was given another UUID says which it was made with', async () => {
  const device = new Sparse(TEN, [0, superblock({ groupBlocks: groupsOf(TEN, 4), madeAs: MADE_AS })]);
  const contents = await probeContents(TEN, device.read);
  assert.deepEqual([contents?.fsuuid, contents?.madeAs], [FSUUID, MADE_AS]);
});

test('what cannot be read is no trace of nothing', async () => {
  const read: ReadAt = async (offset, length) => {
    if (offset > 0) throw Object.assign(new Error('EIO'), { code: 'EIO' });
    return Buffer.alloc(length);
  };
  await assert.rejects(findTraces(TEN, read), { code: 'EIO' });
});

test('a device with traces is not free to format; parts of something larger and lost tables are refused', () => {
  const device = {
    name: 'sdb',
    majorMinor: '8:16',
    path: '/dev/sdb',
    size: TEN,
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
  };
  const refusals = ['xfs', 'ext4', 'zfs_member', 'crypto_LUKS', 'gpt'].map((fsType) => {
    const found = { ...device, traces: [{ fsType, fsuuid: '', label: '' }] };
    assert.equal(isFreeToFormat(found), false, fsType);
    return deniedReasons(found, () => false).join();
  });
  assert.deepEqual(refusals, [
    '',
    '',
    'Part of zfs_member',
    'Part of crypto_LUKS',
    'Partition table is damaged: its copy at the end names partitions',
  ]);
});
