import type { Stats } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { BLOCK, encodeTarHeader, paddingOf, type TarEntry } from '@windlass/streams/tar';
import { CopyError } from './copy-error.ts';
import type { CopyCount } from './copy-options.ts';

/**
 * An archive of a file or a folder of this machine, with all that is in it, under another name. Links are packed as
 * links and never followed.
 */
export async function* packTree(
  path: string,
  name: string,
  count: CopyCount,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* packAny(path, name, count);
  yield Buffer.alloc(2 * BLOCK);
}

async function* packAny(path: string, name: string, count: CopyCount): AsyncGenerator<Uint8Array> {
  const stats = await lstat(path);
  const entry = {
    path: name,
    size: 0,
    mode: stats.mode & 0o7777,
    modifiedAt: stats.mtimeMs / 1000,
    target: '',
  };
  if (stats.isDirectory()) {
    yield encodeTarHeader({ ...entry, type: 'directory', path: `${name}/` });
    for (const child of (await readdir(path)).sort())
      yield* packAny(join(path, child), `${name}/${child}`, count);
  } else if (stats.isSymbolicLink())
    yield encodeTarHeader({ ...entry, type: 'link', target: await readlink(path) });
  else if (stats.isFile()) yield* packFile(path, { ...entry, type: 'file', size: stats.size }, count);
  else count.skip(path, `it is ${kindOf(stats)}`);
}

async function* packFile(path: string, entry: TarEntry, count: CopyCount): AsyncGenerator<Uint8Array> {
  count.begin(path);
  yield encodeTarHeader(entry);
  if (entry.size === 0) return;
  let left = entry.size;
  await using file = await open(path);
  // What is appended meanwhile is left out: the header has said the size.
  for await (const chunk of file.createReadStream({ autoClose: false, end: entry.size - 1 })) {
    // A stream of a file without an encoding gives bytes.
    const bytes = chunk as Buffer;
    left -= bytes.byteLength;
    yield bytes;
    count.add(path, bytes.byteLength);
  }
  if (left > 0)
    throw new CopyError(`${path} became shorter while it was copied; copy it again`, { code: 'COPY_FAILED' });
  yield Buffer.alloc(paddingOf(entry.size));
}

function kindOf(stats: Stats): string {
  if (stats.isSocket()) return 'a socket';
  return stats.isFIFO() ? 'a named pipe' : 'a device';
}
