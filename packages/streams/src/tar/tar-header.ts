// The header of one file in a tar archive, in the form of POSIX 1003.1-1988 (ustar), which every tar writes and reads.
import { WindlassError } from '@windlass/base';

export type TarEntryType =
  | 'file'
  | 'directory'
  /** A symbolic link. */
  | 'link'
  /** Another name of a file that came before. */
  | 'hard-link'
  /** GNU: the path of the next entry, which does not fit into its header. */
  | 'long-name'
  /** GNU: the target of the next entry. */
  | 'long-target'
  /** POSIX 2001: fields of the next entry. */
  | 'extended'
  /** POSIX 2001: fields of all entries that follow. */
  | 'global'
  | 'other';

export interface TarEntry {
  readonly path: string;
  readonly type: TarEntryType;
  readonly size: number;
  readonly mode: number;
  /** Seconds since 1970. */
  readonly modifiedAt: number;
  /** Where a link points to. */
  readonly target: string;
}

export const BLOCK = 512;

/** These bytes are no archive, or cannot be one. */
export class TarError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'TAR' });
  }
}

const CODES = {
  file: '0',
  'hard-link': '1',
  link: '2',
  directory: '5',
  'long-name': 'L',
  'long-target': 'K',
  extended: 'x',
  global: 'g',
  other: '?',
} as const satisfies Readonly<Record<TarEntryType, string>>;

const TYPES: ReadonlyMap<string, TarEntryType> = new Map<string, TarEntryType>([
  ['0', 'file'],
  ['\0', 'file'],
  ['7', 'file'],
  ['1', 'hard-link'],
  ['2', 'link'],
  ['5', 'directory'],
  ['L', 'long-name'],
  ['K', 'long-target'],
  ['x', 'extended'],
  ['g', 'global'],
]);

const NAME_BYTES = 100;
/** What eleven octal digits can say. Larger sizes are written in base 256, as GNU tar does. */
const MAX_OCTAL_SIZE = 8 ** 11 - 1;
const BASE_256 = 0x80;

/** One or more blocks. A path or a target of more than 100 bytes stands in an entry of its own before it. */
export function encodeTarHeader(entry: TarEntry): Buffer {
  return Buffer.concat([
    ...longText(entry, 'long-target', entry.target),
    ...longText(entry, 'long-name', entry.path),
    headerBlock(entry, entry.path),
  ]);
}

function longText(entry: TarEntry, type: 'long-name' | 'long-target', text: string): Buffer[] {
  const bytes = Buffer.from(`${text}\0`);
  if (bytes.byteLength <= NAME_BYTES + 1) return [];
  const header: TarEntry = { ...entry, type, size: bytes.byteLength, target: '' };
  return [headerBlock(header, '././@LongLink'), padded(bytes)];
}

function headerBlock(entry: TarEntry, path: string): Buffer {
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number): void =>
    void block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  block.set(Buffer.from(path).subarray(0, NAME_BYTES), 0);
  octal(entry.mode & 0o7777, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  if (entry.size <= MAX_OCTAL_SIZE) octal(entry.size, 124, 12);
  else {
    block.writeUInt8(BASE_256, 124);
    block.writeBigUInt64BE(BigInt(entry.size), 128);
  }
  octal(Math.max(0, Math.floor(entry.modifiedAt)), 136, 12);
  block.write('        ', 148, 'latin1');
  block.write(CODES[entry.type], 156, 'latin1');
  block.set(Buffer.from(entry.target).subarray(0, NAME_BYTES), 157);
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
  const size = block[124] === BASE_256 ? Number(block.readBigUInt64BE(128)) : number(124, 12);
  const prefix = text(257, 6) === 'ustar' && text(263, 2) === '00' ? text(345, 155) : '';
  const name = text(0, NAME_BYTES);
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    type: TYPES.get(String.fromCharCode(block[156] ?? 0)) ?? 'other',
    size: checkedSize(size),
    mode: number(100, 8),
    modifiedAt: number(136, 12),
    target: text(157, NAME_BYTES),
  };
}

/** @throws TarError for what no file can have */
export function checkedSize(size: number): number {
  if (Number.isSafeInteger(size) && size >= 0) return size;
  throw new TarError('an entry has an impossible size');
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
