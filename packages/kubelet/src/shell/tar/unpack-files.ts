import { chmod, type FileHandle, mkdir, symlink, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { FileError, isWithin, type Resolved } from '../container-files.ts';
import { openForWriting } from '../file-programs.ts';
import { absolute, type ProgramCall } from '../program.ts';
import { BLOCK, decodeTarHeader, paddingOf, type TarEntry, TarError } from './tar-header.ts';

const MAX_NAME_BYTES = 4096;

/** Reads blocks out of bytes that come in pieces of any size. */
class BlockReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Exactly so many bytes. Undefined at the end of the stream. */
  async read(size: number): Promise<Buffer | undefined> {
    while (this.#rest.byteLength < size) {
      const next = await this.#source.next();
      if (next.done === true) return undefined;
      this.#rest = Buffer.concat([this.#rest, next.value]);
    }
    const bytes = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(size);
    return bytes;
  }

  /** Hands on so many bytes as they come. */
  async copy(size: number, write: (bytes: Uint8Array) => Promise<unknown>): Promise<void> {
    for (let left = size; left > 0; ) {
      if (this.#rest.byteLength === 0) {
        const next = await this.#source.next();
        if (next.done === true) throw new TarError('Unexpected EOF in archive');
        this.#rest = Buffer.from(next.value);
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.byteLength);
      left -= piece.byteLength;
      await write(piece);
    }
  }

  /** What comes after the end of the archive, so that who sends it does not wait. */
  async drain(): Promise<void> {
    while ((await this.#source.next()).done !== true);
  }
}

/** Writes the files of an archive that comes from stdin. */
export async function unpackFiles(call: ProgramCall): Promise<void> {
  const reader = new BlockReader(call.stdin);
  let longName: string | undefined;
  for (let block = await reader.read(BLOCK); block !== undefined; block = await reader.read(BLOCK)) {
    const entry = decodeTarHeader(block);
    if (entry === undefined) break;
    if (entry.type === 'long-name' || entry.type === 'extended') {
      const text = await readText(reader, entry);
      longName = entry.type === 'long-name' ? text : (extendedPath(text) ?? longName);
      continue;
    }
    await unpack(call, { ...entry, path: longName ?? entry.path }, reader);
    longName = undefined;
  }
  await reader.drain();
}

async function readText(reader: BlockReader, { size }: TarEntry): Promise<string> {
  if (size > MAX_NAME_BYTES) throw new TarError('a name is too long');
  const bytes = await reader.read(size + paddingOf(size));
  return bytes?.subarray(0, size).toString().replace(/\0+$/, '') ?? '';
}

/** The path in a record such as `30 path=some/where`. */
function extendedPath(text: string): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1];
}

async function unpack(call: ProgramCall, entry: TarEntry, reader: BlockReader): Promise<void> {
  const found = await prepared(call, entry.path);
  if (found.isReadOnly) throw new FileError(`${entry.path}: Cannot open: Read-only file system`);
  if (entry.type === 'directory') {
    if (found.stats === undefined) await mkdir(found.hostPath, { mode: entry.mode & 0o777 });
  } else if (entry.type === 'link') {
    // Links are never followed by the operating system. But others may look into the folder, and race with this.
    if (!isWithin(resolve(dirname(found.hostPath), entry.target), found.base))
      throw new FileError(`${entry.path}: Cannot create symlink to ${entry.target}: Operation not permitted`);
    if (found.stats !== undefined) await unlink(found.hostPath);
    await symlink(entry.target, found.hostPath);
  } else if (entry.type === 'file') {
    await using file: FileHandle = await openForWriting(found, false);
    await reader.copy(entry.size, (bytes) => file.write(bytes));
    await chmod(found.hostPath, entry.mode & 0o777);
    await reader.read(paddingOf(entry.size));
    return;
  }
  await reader.copy(entry.size + paddingOf(entry.size), async () => {});
}

/** The place of an entry, with all folders on the way to it. A link there is replaced, never followed. */
async function prepared(call: ProgramCall, path: string): Promise<Resolved> {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw new TarError(`${path}: Member name contains '..'`);
  let at = absolute(call.directory, '.');
  for (const name of names.slice(0, -1)) {
    at = `${at}/${name}`;
    const found = await call.files.resolve(at);
    if (found.stats === undefined) {
      if (found.isReadOnly) throw new FileError(`${path}: Cannot mkdir: Read-only file system`);
      await mkdir(found.hostPath, { mode: 0o755 });
    }
  }
  const last = await call.files.resolve(`${at}/${names.at(-1) ?? '.'}`, false);
  if (last.stats?.isSymbolicLink() !== true) return last;
  await unlink(last.hostPath);
  return { ...last, stats: undefined };
}
