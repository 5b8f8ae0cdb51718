import { chmod, type FileHandle, mkdir, symlink, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { TarError, type TarMember, tarMembers } from '@windlass/streams/tar';
import { FileError, isWithin, type Resolved } from '../container-files.ts';
import { openForWriting } from '../file-programs.ts';
import { absolute, type ProgramCall } from '../program.ts';

/** Writes the files of an archive that comes from stdin. */
export async function unpackFiles(call: ProgramCall): Promise<void> {
  for await (const member of tarMembers(call.stdin)) await unpack(call, member);
}

async function unpack(call: ProgramCall, { entry, content }: TarMember): Promise<void> {
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
    for await (const bytes of content) await file.writeFile(bytes);
    await chmod(found.hostPath, entry.mode & 0o777);
  }
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
