import type { DeviceContents } from '../block-device.ts';
import { has, latin, textIn, uuidIn } from './bytes.ts';

const BYTES = 264;
const MAGIC = latin('XFSB');
/** The file system has another UUID than the one that its blocks carry. */
const HAS_META_UUID = 0x4;
const VERSION_5 = 5;

/** What a superblock of XFS says: the first one, or its copy in another allocation group. Big-endian throughout. */
export function xfsSuperblock(block: Buffer, at = 0): DeviceContents | undefined {
  if (block.length < at + 152 || !has(block, at, MAGIC)) return undefined;
  const blockSize = block.readUInt32BE(at + 4);
  const groupBytes = block.readUInt32BE(at + 84) * blockSize;
  const madeAs = metaUuid(block, at);
  return {
    fsType: 'xfs',
    fsuuid: uuidIn(block, at + 32),
    label: textIn(block, at + 108, 12),
    totalBytes: Number(block.readBigUInt64BE(at + 8)) * blockSize,
    freeBytes: Number(block.readBigUInt64BE(at + 144)) * blockSize,
    ...(groupBytes > 0 && { groupBytes }),
    ...(madeAs !== undefined && { madeAs }),
  };
}

function metaUuid(block: Buffer, at: number): string | undefined {
  if (block.length < at + BYTES) return undefined;
  const isFifth = (block.readUInt16BE(at + 100) & 0xf) === VERSION_5;
  const hasOne = (block.readUInt32BE(at + 216) & HAS_META_UUID) !== 0;
  return isFifth && hasOne ? uuidIn(block, at + 248) : undefined;
}

/**
 * The copy of a superblock that belongs where it was found: at the start of a group, by its own account. Others are in
 * files, such as images of machines.
 */
export function xfsCopy(block: Buffer, offset: number, at = 0): DeviceContents | undefined {
  const found = xfsSuperblock(block, at);
  if (found?.groupBytes === undefined || offset % found.groupBytes !== 0) return undefined;
  return isPlausible(block, at) ? found : undefined;
}

function isPlausible(block: Buffer, at: number): boolean {
  const blockSize = block.readUInt32BE(at + 4);
  const [groupBlocks, groups] = [block.readUInt32BE(at + 84), block.readUInt32BE(at + 88)];
  const blocks = Number(block.readBigUInt64BE(at + 8));
  const isPowerOfTwo = Number.isInteger(Math.log2(blockSize));
  return isPowerOfTwo && blockSize >= 512 && blockSize <= 65_536 && blocks <= groups * groupBlocks;
}

/**
 * The header of the first group's free space stands in the sector after the superblock, and names the file system, too.
 * It survives who writes one sector of zeros.
 */
export function xfsGroupHeader(head: Buffer): { contents: DeviceContents; groupBlocks: number } | undefined {
  for (const sector of [512, 1024, 2048, 4096]) {
    if (head.length < sector + 80 || !has(head, sector, latin('XAGF'))) continue;
    // Of the first group, or it is no header of this device.
    if (head.readUInt32BE(sector + 8) !== 0) continue;
    return {
      contents: { fsType: 'xfs', fsuuid: uuidIn(head, sector + 64), label: '' },
      groupBlocks: head.readUInt32BE(sector + 12),
    };
  }
  return undefined;
}
