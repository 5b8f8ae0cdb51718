// The file of a backup: lines of JSON in gzip. The first says what it is, then come the files of the cluster and its
// objects, and the last has a checksum of all before it: a file that is cut off or changed anywhere shows.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { parseSnapshotLine, type SnapshotObject } from '@windlass/apiserver';
import { toError } from '@windlass/base';
import { BackupDamagedError } from './errors.ts';

const KIND = 'WindlassBackup';
const VERSION = 1;
const NEWLINE = 0x0a;

/** What a backup says of itself. */
export interface BackupHeader {
  /** Of the store, at which all objects are. */
  readonly revision: number;
  /** How many there are. */
  readonly objects: number;
  /** In RFC 3339. */
  readonly createdAt: string;
  /** Of Windlass. */
  readonly version: string;
}

/** A file of the data directory that belongs to the cluster. */
export interface BackupFile {
  /** From the data directory: `pki/ca.crt` */
  readonly path: string;
  readonly mode: number;
  readonly text: string;
}

export type BackupEntry =
  | { readonly type: 'header'; readonly header: BackupHeader }
  | { readonly type: 'file'; readonly file: BackupFile }
  | { readonly type: 'object'; readonly object: SnapshotObject };

/** The bytes of a backup, before they are compressed. */
export async function* backupBytes(
  header: BackupHeader,
  files: readonly BackupFile[],
  objectLines: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  const line = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
  const first = Buffer.concat([
    line({ kind: KIND, format: VERSION, ...header }),
    ...files.map((file) => line({ file })),
  ]);
  hash.update(first);
  yield first;
  for await (const chunk of objectLines) {
    hash.update(chunk);
    yield chunk;
  }
  yield line({ sha256: hash.digest('hex') });
}

/**
 * Reads a backup: the header, then the files, then the objects. Only when it ends without an error has it been whole.
 * @throws BackupDamagedError
 */
export async function* readBackup(path: string): AsyncGenerator<BackupEntry> {
  const damaged = (problem: string): BackupDamagedError => new BackupDamagedError(path, problem);
  const hash = createHash('sha256');
  let header: BackupHeader | undefined;
  let objects = 0;
  let checksum: string | undefined;
  for await (const line of linesOf(path)) {
    if (checksum !== undefined) throw damaged('something follows its end');
    const text = line.toString('utf8');
    if (header === undefined) {
      header = parseHeader(text) ?? fail(damaged('it does not begin as one'));
      yield { type: 'header', header };
    } else {
      checksum = parseEnd(text);
      if (checksum !== undefined) continue;
      const object = parseSnapshotLine(text);
      if (object !== undefined) {
        objects++;
        yield { type: 'object', object };
      } else
        yield { type: 'file', file: parseFile(text) ?? fail(damaged('it has a line that means nothing')) };
    }
    hash.update(line).update('\n');
  }
  if (header === undefined) throw damaged('it is empty');
  if (checksum === undefined) throw damaged('its end is missing');
  if (checksum !== hash.digest('hex')) throw damaged('it is not what was written: its checksum differs');
  if (objects !== header.objects)
    throw damaged(`it has ${objects} objects and should have ${header.objects}`);
}

/** By the line feeds alone: what else some take for the end of a line may stand within an object. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  const source = createReadStream(path);
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  let rest: Buffer[] = [];
  try {
    // A stream without an encoding has buffers.
    for await (const chunk of source.pipe(unpacked) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        yield Buffer.concat([...rest, chunk.subarray(from, at)]);
        rest = [];
        from = at + 1;
      }
      rest.push(chunk.subarray(from));
    }
  } catch (error) {
    // What the file system says is about the file, and what zlib says about what is in it.
    if (error instanceof Error && 'syscall' in error) throw error;
    throw new BackupDamagedError(path, toError(error).message, error);
  } finally {
    source.destroy();
  }
  if (Buffer.concat(rest).length > 0) throw new BackupDamagedError(path, 'its last line is cut off');
}

function fail(error: Error): never {
  throw error;
}

function parseHeader(text: string): BackupHeader | undefined {
  const { kind, format, revision, objects, createdAt, version } = fieldsOf(text);
  if (kind !== KIND || format !== VERSION) return undefined;
  if (typeof revision !== 'number' || typeof objects !== 'number') return undefined;
  if (typeof createdAt !== 'string' || typeof version !== 'string') return undefined;
  return { revision, objects, createdAt, version };
}

function parseFile(text: string): BackupFile | undefined {
  const { path, mode, text: content } = objectOf(fieldsOf(text)['file']);
  // Only what is written there: no path leads out of the folder.
  if (typeof path !== 'string' || !/^pki\/[a-z-]+\.(crt|key)$/.test(path)) return undefined;
  return typeof mode === 'number' && typeof content === 'string' ? { path, mode, text: content } : undefined;
}

function parseEnd(text: string): string | undefined {
  if (!text.startsWith('{"sha256":')) return undefined;
  const { sha256 } = fieldsOf(text);
  return typeof sha256 === 'string' ? sha256 : undefined;
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
