import { crc32 } from 'node:zlib';
import type { LogMeta } from './log-meta.ts';

/** Of one row of the log, over all that is in it. A deletion has no value. */
export function rowChecksum(revision: number, key: string, value: Uint8Array | string | null): number {
  const head = crc32(`${revision} ${value === null ? 'delete' : 'put'} ${key}`);
  return value === null ? head : crc32(value, head);
}

export function metaChecksum(meta: LogMeta): number {
  return crc32(`${meta.id} ${meta.revision} ${meta.compactedRevision} ${meta.rows} ${meta.sum}`);
}

// Sums of 32-bit checksums stay whole numbers that a double and an SQLite integer both hold.
const SUM_MODULUS = 2 ** 48;

export function addToSum(sum: number, checksum: number): number {
  return (sum + checksum) % SUM_MODULUS;
}

export function takeFromSum(sum: number, checksum: number): number {
  return (sum - checksum + SUM_MODULUS) % SUM_MODULUS;
}
