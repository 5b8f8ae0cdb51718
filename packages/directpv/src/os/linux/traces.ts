import type { DeviceContents } from '../block-device.ts';
import { has, hex, latin, type ReadAt, uuidIn } from './bytes.ts';
import { groupCandidates } from './xfs-groups.ts';
import { xfsCopy, xfsGroupHeader, xfsSuperblock } from './xfs-superblock.ts';

export interface TraceOptions {
  /** How far apart superblocks of known file systems are. @default none are known */
  readonly groupBytes?: readonly number[];
  /** Whether to read on from the beginning where no likely place has anything. @default false */
  readonly isThorough?: boolean;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const HEAD_BYTES = MIB + 512;
/** As far as a thorough look reads, and how much at a time. A slow disk has that in ten seconds. */
const THOROUGH_BYTES = 1024 * MIB;
const PIECE_BYTES = 4 * MIB;
/** Groups begin at blocks, and blocks of less than this are not to be found among drives. */
const STEP = 4 * KIB;

/**
 * What is on a device besides what its beginning says: the copies that formats keep elsewhere, for when the beginning
 * is lost. Each file system once. A device with such traces is not empty, however empty it begins.
 */
export async function findTraces(
  size: number,
  read: ReadAt,
  options: TraceOptions = {},
): Promise<DeviceContents[]> {
  const head = await read(0, Math.min(HEAD_BYTES, size));
  const sound = xfsSuperblock(head);
  const found =
    sound === undefined
      ? [...(await xfsTraces(head, size, read, options)), ...(await foreignTraces(head, size, read))]
      : await otherCopy(sound, size, read);
  const unique = new Map(found.map((one) => [`${one.fsType} ${one.fsuuid}`, one]));
  return [...unique.values()];
}

/** A first superblock that says another thing than its copy has been written over. */
async function otherCopy(first: DeviceContents, size: number, read: ReadAt): Promise<DeviceContents[]> {
  const offset = first.groupBytes ?? 0;
  if (offset <= 0 || offset + 512 > size) return [];
  const copy = xfsCopy(await read(offset, 512), offset);
  return copy === undefined || copy.fsuuid === first.fsuuid ? [] : [copy];
}

async function xfsTraces(
  head: Buffer,
  size: number,
  read: ReadAt,
  { groupBytes = [], isThorough = false }: TraceOptions,
): Promise<DeviceContents[]> {
  const header = xfsGroupHeader(head);
  const found = header === undefined ? [] : [header.contents];
  for (const offset of groupCandidates(size, { known: groupBytes, blocks: header?.groupBlocks })) {
    const copy = xfsCopy(await read(offset, 512), offset);
    // It says more than the header of the group, and comes first: whoever repairs the drive finds it there.
    if (copy !== undefined) return [copy, ...found.filter(({ fsuuid }) => fsuuid !== copy.fsuuid)];
  }
  return found.length > 0 || !isThorough ? found : scan(size, read);
}

/** Every block, as far as there is time for: what was made with numbers of its own is found so, or by its record. */
async function scan(size: number, read: ReadAt): Promise<DeviceContents[]> {
  const end = Math.min(size, THOROUGH_BYTES);
  for (let start = 0; start < end; start += PIECE_BYTES) {
    const piece = await read(start, Math.min(PIECE_BYTES, end - start));
    for (let at = 0; at + 512 <= piece.length; at += STEP) {
      const copy = xfsCopy(piece, start + at, at);
      if (copy !== undefined) return [copy];
    }
  }
  return [];
}

interface Place {
  readonly fsType: string;
  readonly offset: (size: number) => number;
  /** From there on: these bytes. */
  readonly magic: Buffer;
  readonly at?: number;
  readonly uuidAt?: number;
}

const LUKS_COPIES = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
const at = (offset: number) => (): number => offset;

/** Where other formats keep their copies. Facts of the formats, all of them public. */
const PLACES: readonly Place[] = [
  ...LUKS_COPIES.map((kib) => ({ fsType: 'crypto_LUKS', offset: at(kib * KIB), magic: hex('534b554cbabe') })),
  { fsType: 'btrfs', offset: at(64 * MIB), at: 0x40, magic: latin('_BHRfS_M'), uuidAt: 0x20 },
  { fsType: 'btrfs', offset: at(256 * 1024 * MIB), at: 0x40, magic: latin('_BHRfS_M'), uuidAt: 0x20 },
  { fsType: 'vfat', offset: at(6 * 512), at: 82, magic: latin('FAT32   ') },
  { fsType: 'exfat', offset: at(12 * 512), at: 3, magic: latin('EXFAT   ') },
  { fsType: 'ntfs', offset: (size) => size - 512, at: 3, magic: latin('NTFS    ') },
  // Of the second group of blocks: it says so, after its magic.
  { fsType: 'ext4', offset: at(8193 * KIB), at: 56, magic: hex('53ef'), uuidAt: 104 },
  { fsType: 'ext4', offset: at(32_768 * 4 * KIB), at: 56, magic: hex('53ef'), uuidAt: 104 },
];

async function foreignTraces(head: Buffer, size: number, read: ReadAt): Promise<DeviceContents[]> {
  const found: DeviceContents[] = [];
  for (const { fsType, offset, magic, at: inside = 0, uuidAt } of PLACES) {
    const start = offset(size);
    if (start < 0 || start + 512 > size) continue;
    const block = start + 512 <= head.length ? head.subarray(start) : await read(start, 512);
    if (!has(block, inside, magic)) continue;
    if (fsType === 'ext4' && (block.readUInt16LE(90) !== 1 || block.readUInt32LE(24) > 6)) continue;
    found.push({ fsType, fsuuid: uuidAt === undefined ? '' : uuidIn(block, uuidAt), label: '' });
  }
  if (await hasZfsLabelAtEnd(size, read)) found.push({ fsType: 'zfs_member', fsuuid: '', label: '' });
  if (await hasGptAtEnd(head, size, read)) found.push({ fsType: 'gpt', fsuuid: '', label: '' });
  return found;
}

/** ZFS has two of its four labels at the end, each with its uberblocks in its second half. */
async function hasZfsLabelAtEnd(size: number, read: ReadAt): Promise<boolean> {
  const label = 256 * KIB;
  const end = Math.floor(size / label) * label;
  if (end < 4 * label) return false;
  const labels = await read(end - 2 * label, 2 * label);
  for (let offset = 0; offset + 8 <= labels.length; offset += KIB)
    if (offset % label >= label / 2)
      for (const magic of [hex('0cb1ba0000000000'), hex('0000000000bab10c')])
        if (has(labels, offset, magic)) return true;
  return false;
}

/** A table whose first copy is gone, and whose second names partitions: the kernel does not show them. */
async function hasGptAtEnd(head: Buffer, size: number, read: ReadAt): Promise<boolean> {
  const magic = latin('EFI PART');
  for (const sector of [512, 4096]) {
    if (size < 34 * sector || has(head, sector, magic)) continue;
    const header = await read(size - sector, 512);
    if (!has(header, 0, magic)) continue;
    const entries = Number(header.readBigUInt64LE(72)) * sector;
    if (entries <= 0 || entries + 512 > size) return true;
    const types = await read(entries, Math.min(128 * 128, size - entries));
    return types.some((byte) => byte !== 0);
  }
  return false;
}
