// The header of one file in a tar archive, in the form of POSIX 1003.1-1988 (ustar), which every tar writes and reads.
import { WindlassError } from '@windlass/base';

export interface TarEntry {
  readonly path: string;
  readonly type: 'file' | 'directory' | 'link' | 'long-name' | 'extended' | 'other';
  readonly size: number;
  readonly mode: number;
  /** Seconds since 1970. */
  readonly modifiedAt: number;
  /** Where a link points to. */
  readonly target: string;
}

export const BLOCK = 512;

/** These bytes are no archive. */
export class TarError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'TAR' });
  }
}

const TYPES: Readonly<Record<string, TarEntry['type']>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '2': 'link',
  '5': 'directory',
  L: 'long-name',
  x: 'extended',
  g: 'extended',
};
const CODES = { file: '0', directory: '5', link: '2', 'long-name': 'L', extended: 'x', other: '?' } as const;
const MAX_SIZE = 8 * 1024 ** 3;

/** One or more blocks. A path of more than 100 bytes stands in an entry of its own before it. */
export function encodeTarHeader(entry: TarEntry): Buffer {
  const path = Buffer.from(entry.path);
  if (path.byteLength <= 100) return headerBlock(entry, path);
  const name = Buffer.concat([path, Buffer.alloc(1)]);
  const long = headerBlock(
    { ...entry, type: 'long-name', size: name.byteLength },
    Buffer.from('././@LongLink'),
  );
  return Buffer.concat([long, padded(name), headerBlock(entry, path.subarray(0, 100))]);
}

function headerBlock(entry: TarEntry, path: Buffer): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.set(path, 0);
  const octal = (value: number, at: number, length: number): void =>
    void block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  octal(entry.mode & 0o7777, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(entry.size, 124, 12);
  octal(Math.max(0, Math.floor(entry.modifiedAt)), 136, 12);
  block.write('        ', 148, 'latin1');
  block.write(CODES[entry.type], 156, 'latin1');
  block.set(Buffer.from(entry.target).subarray(0, 100), 157);
  block.write('ustar\u000000', 257, 'latin1');
  octal(checksum(block), 148, 7);
  return block;
}

/**
 * Undefined for a block of zeros, of which two end an archive.
 * @throws TarError when it is no header
 */
export function decodeTarHeader(block: Buffer): TarEntry | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  const text = (at: number, length: number): string => {
    const field = block.subarray(at, at + length);
    const end = field.indexOf(0);
    return field.toString('utf8', 0, end === -1 ? length : end);
  };
  const number = (at: number, length: number): number => Number.parseInt(text(at, length).trim() || '0', 8);
  const sum = number(148, 8);
  const cleared = Buffer.from(block);
  cleared.fill(' ', 148, 156);
  if (sum !== checksum(cleared)) throw new TarError('This does not look like a tar archive');
  const size = number(124, 12);
  if (!(size >= 0 && size <= MAX_SIZE)) throw new TarError('an entry has an impossible size');
  const prefix = text(257, 5) === 'ustar' ? text(345, 155) : '';
  const name = text(0, 100);
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    type: TYPES[String.fromCharCode(block[156] ?? 0)] ?? 'other',
    size,
    mode: number(100, 8),
    modifiedAt: number(136, 12),
    target: text(157, 100),
  };
}

function checksum(block: Buffer): number {
  return block.reduce((sum, byte) => sum + byte, 0);
}

/** With zeros up to the next block. */
export function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(paddingOf(bytes.byteLength))]);
}

export function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}
