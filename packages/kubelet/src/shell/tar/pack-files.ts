import { open, readlink } from 'node:fs/promises';
import { BLOCK, encodeTarHeader, paddingOf, type TarEntry } from '@windlass/streams/tar';
import { FileError, type Resolved } from '../container-files.ts';
import { namesIn, READ } from '../file-programs.ts';
import { absolute, type ProgramCall } from '../program.ts';

/** Folders within folders: as deep as anybody goes. */
const MAX_DEPTH = 100;

/** Writes an archive of these paths, and all that is in them, to stdout. */
export async function packFiles(call: ProgramCall, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await call.files.resolve(absolute(call.directory, path), false);
    // As tar does, so that an archive never says where in a machine it is to go.
    await pack(call, found, path.replace(/^\/+/, ''), 0);
  }
  await call.stdout(Buffer.alloc(2 * BLOCK));
}

async function pack(call: ProgramCall, found: Resolved, name: string, depth: number): Promise<void> {
  const { stats, hostPath, path } = found;
  if (stats === undefined) throw new FileError(`${name}: Cannot stat: No such file or directory`);
  if (depth > MAX_DEPTH) throw new FileError(`${name}: File name too long`);
  const entry: TarEntry = {
    path: name,
    type: 'other',
    size: 0,
    mode: stats.mode,
    modifiedAt: stats.mtimeMs / 1000,
    target: '',
  };
  if (stats.isDirectory()) {
    await call.stdout(
      encodeTarHeader({ ...entry, type: 'directory', path: name.endsWith('/') ? name : `${name}/` }),
    );
    for (const child of await namesIn(call, found))
      await pack(
        call,
        await call.files.resolve(`${path}/${child}`, false),
        `${name.replace(/\/$/, '')}/${child}`,
        depth + 1,
      );
  } else if (stats.isSymbolicLink()) {
    await call.stdout(encodeTarHeader({ ...entry, type: 'link', target: await readlink(hostPath) }));
  } else if (stats.isFile()) await packFile(call, hostPath, { ...entry, type: 'file', size: stats.size });
}

async function packFile(call: ProgramCall, hostPath: string, entry: TarEntry): Promise<void> {
  await call.stdout(encodeTarHeader(entry));
  let left = entry.size;
  if (left > 0) {
    await using file = await open(hostPath, READ);
    for await (const chunk of file.createReadStream({ autoClose: false, end: entry.size - 1 })) {
      left -= chunk.byteLength;
      await call.stdout(chunk);
    }
  }
  // A file that became shorter meanwhile has still the size that was said.
  if (left > 0) await call.stdout(Buffer.alloc(left));
  const padding = paddingOf(entry.size);
  if (padding > 0) await call.stdout(Buffer.alloc(padding));
}
