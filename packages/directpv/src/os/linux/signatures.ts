import type { DeviceContents } from '../block-device.ts';
import { has, hex, type ReadAt, latin as text, textIn, uuidIn } from './bytes.ts';
import { xfsSuperblock } from './xfs-superblock.ts';

interface Signature {
  readonly fsType: string;
  readonly offset: number;
  /** At the offset: these bytes. */
  readonly magic: Buffer;
  /** From the start of the device, where the label and UUID are. */
  readonly uuidAt?: number;
  readonly labelAt?: readonly [offset: number, length: number];
}

/** What is known by bytes at one place. Facts of the formats, all of them public. */
const SIGNATURES: readonly Signature[] = [
  { fsType: 'crypto_LUKS', offset: 0, magic: hex('4c554b53babe') },
  { fsType: 'btrfs', offset: 0x10040, magic: text('_BHRfS_M'), uuidAt: 0x10020, labelAt: [0x1012b, 256] },
  { fsType: 'swap', offset: 4086, magic: text('SWAPSPACE2'), uuidAt: 1036, labelAt: [1052, 16] },
  { fsType: 'swap', offset: 4086, magic: text('SWAP-SPACE') },
  { fsType: 'swap', offset: 65526, magic: text('SWAPSPACE2'), uuidAt: 1036, labelAt: [1052, 16] },
  { fsType: 'linux_raid_member', offset: 0, magic: hex('fc4e2ba9'), uuidAt: 16 },
  { fsType: 'linux_raid_member', offset: 4096, magic: hex('fc4e2ba9'), uuidAt: 4112 },
  { fsType: 'bcache', offset: 4120, magic: hex('c68573f64e1a45ca8265f57f48ba6d81'), uuidAt: 4136 },
  { fsType: 'bcachefs', offset: 4120, magic: hex('c68573f666ce90a9d96a60cf803df7ef') },
  { fsType: 'ceph_bluestore', offset: 0, magic: text('bluestore block device\n') },
  { fsType: 'ntfs', offset: 3, magic: text('NTFS    ') },
  { fsType: 'exfat', offset: 3, magic: text('EXFAT   ') },
  { fsType: 'vfat', offset: 54, magic: text('FAT12   ') },
  { fsType: 'vfat', offset: 54, magic: text('FAT16   ') },
  { fsType: 'vfat', offset: 82, magic: text('FAT32   ') },
  { fsType: 'squashfs', offset: 0, magic: text('hsqs') },
  { fsType: 'f2fs', offset: 1024, magic: hex('1020f5f2'), uuidAt: 1132 },
  { fsType: 'erofs', offset: 1024, magic: hex('e2e1f5e0'), uuidAt: 1072 },
  { fsType: 'jfs', offset: 32768, magic: text('JFS1') },
  { fsType: 'nilfs2', offset: 1030, magic: hex('3434') },
  { fsType: 'gfs2', offset: 65536, magic: hex('01161970') },
  { fsType: 'reiserfs', offset: 65588, magic: text('ReIsEr') },
  { fsType: 'iso9660', offset: 0x8001, magic: text('CD001') },
  { fsType: 'ocfs2', offset: 8192, magic: text('OCFSV2') },
  { fsType: 'VMFS_volume_member', offset: 1024 * 1024, magic: hex('0dd001c0') },
];

const HEAD_BYTES = 1024 * 1024 + 512;
const SECTOR = 512;

/**
 * What a device holds, from its first megabyte and its end; undefined when nothing known is there. Containers come
 * before file systems, because their members may show what is inside.
 */
export async function probeContents(size: number, read: ReadAt): Promise<DeviceContents | undefined> {
  const head = await read(0, Math.min(HEAD_BYTES, size));
  return (
    lvm(head) ??
    (await raidAtEnd(size, read)) ??
    zfs(head) ??
    xfsSuperblock(head) ??
    ext(head) ??
    bySignature(head) ??
    (await partitionTable(head, size, read))
  );
}

function bySignature(head: Buffer): DeviceContents | undefined {
  const found = SIGNATURES.find(
    ({ offset, magic }) => head.length >= offset + magic.length && has(head, offset, magic),
  );
  if (found === undefined) return undefined;
  const { fsType, uuidAt, labelAt } = found;
  return {
    fsType,
    fsuuid: uuidAt === undefined ? '' : uuidIn(head, uuidAt),
    label: labelAt === undefined ? '' : textIn(head, ...labelAt),
  };
}

function ext(head: Buffer): DeviceContents | undefined {
  if (head.length < 2048 || head.readUInt16LE(1080) !== 0xef53) return undefined;
  const hasJournal = (head.readUInt32LE(1116) & 0x4) !== 0;
  // Extents, 64bit, flex_bg and other features that only the fourth has.
  const isFourth = (head.readUInt32LE(1120) & ~0x16) !== 0;
  return {
    fsType: isFourth ? 'ext4' : hasJournal ? 'ext3' : 'ext2',
    fsuuid: uuidIn(head, 1128),
    label: textIn(head, 1144, 16),
  };
}

/** The label may be in any of the first four sectors. */
function lvm(head: Buffer): DeviceContents | undefined {
  for (let sector = 0; sector < 4; sector++) {
    const at = sector * SECTOR;
    if (head.length >= at + SECTOR && has(head, at, text('LABELONE')) && has(head, at + 24, text('LVM2 001')))
      return { fsType: 'LVM2_member', fsuuid: textIn(head, at + 32, 32), label: '' };
  }
  return undefined;
}

/** Any uberblock of the first label. */
function zfs(head: Buffer): DeviceContents | undefined {
  for (let at = 128 * 1024; at + 8 <= Math.min(head.length, 256 * 1024); at += 1024)
    if (has(head, at, hex('0cb1ba0000000000')) || has(head, at, hex('0000000000bab10c')))
      return { fsType: 'zfs_member', fsuuid: '', label: '' };
  return undefined;
}

async function raidAtEnd(size: number, read: ReadAt): Promise<DeviceContents | undefined> {
  const member = { fsType: 'linux_raid_member', fsuuid: '', label: '' };
  if (size < 256 * 1024) return undefined;
  const end = await read(size - 128 * 1024, 128 * 1024);
  const start = size - 128 * 1024;
  const at = (offset: number, magic: Buffer): boolean => has(end, offset - start, magic);
  const newer = Math.floor((size - 8 * 1024) / 4096) * 4096;
  const older = Math.floor(size / 65_536) * 65_536 - 65_536;
  const magic = hex('fc4e2ba9');
  if (at(newer, magic) || at(older, magic) || at(older, hex('a92b4efc'))) return member;
  if (at(size - 1024, text('Intel Raid ISM Cfg Sig'))) return { ...member, fsType: 'isw_raid_member' };
  if (at(size - 512, hex('de11de11'))) return { ...member, fsType: 'ddf_raid_member' };
  if (at(size - 4096 + 60, hex('8374026d'))) return { ...member, fsType: 'drbd' };
  return undefined;
}

async function partitionTable(head: Buffer, size: number, read: ReadAt): Promise<DeviceContents | undefined> {
  const gpt = { fsType: 'gpt', fsuuid: '', label: '' };
  const magic = text('EFI PART');
  if ((head.length >= 520 && has(head, 512, magic)) || (head.length >= 4104 && has(head, 4096, magic)))
    return gpt;
  if (size >= 2 * SECTOR && has(await read(size - SECTOR, SECTOR), 0, magic)) return gpt;
  if (head.length < SECTOR || head.readUInt16LE(510) !== 0xaa55) return undefined;
  const isUsed = [446, 462, 478, 494].some((at) => head[at + 4] !== 0);
  return isUsed ? { fsType: 'dos', fsuuid: '', label: '' } : undefined;
}
