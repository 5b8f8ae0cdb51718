import { constants } from 'node:fs';
import { chmod, copyFile, type FileHandle, lstat, mkdir, open, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TarEntry, type TarMember, tarMembers } from '@windlass/streams/tar';
import { CopyError } from './copy-error.ts';
import type { CopyCount } from './copy-options.ts';
import { linkProblem, memberPath } from './member-path.ts';

export interface UnpackOptions {
  /** The name of what was asked for, with which each path of the archive begins; `.` when they begin with none. */
  readonly root: string;
  /** Where that is to be. */
  readonly target: string;
  readonly count: CopyCount;
}

const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

/**
 * Writes the files of an archive that a container sent, which may be anybody's. Nothing is written outside of the
 * target, and not through a link: links are made when all files are there.
 */
export async function unpackTree(source: AsyncIterable<Uint8Array>, options: UnpackOptions): Promise<void> {
  const links: (() => Promise<void>)[] = [];
  const modes: (() => Promise<void>)[] = [];
  for await (const member of tarMembers(source)) {
    const { entry } = member;
    const names = memberPath(entry.path, options.root);
    const path = join(options.target, ...names);
    if (entry.type === 'link') {
      const problem = linkProblem(entry.target, names.length);
      if (problem === undefined) links.push(() => makeLink(entry.target, names, options));
      else options.count.skip(path, problem);
    } else if (entry.type === 'directory') {
      await makeFolders(options.target, [...names, '']);
      // A folder that nobody may write to is filled first.
      modes.push(() => chmod(path, entry.mode & 0o777));
    } else if (entry.type === 'file') {
      await makeFolders(options.target, names);
      await writeMember(path, member, options.count);
    } else if (entry.type === 'hard-link') await copyMember(entry, names, options);
    else options.count.skip(path, 'it is neither a file nor a folder');
  }
  for (const make of links) await make();
  for (const set of modes.reverse()) await set();
}

/** Makes the folders on the way to a path below the target. @throws CopyError when one of them is something else */
async function makeFolders(target: string, names: readonly string[]): Promise<void> {
  for (let count = 0; count < names.length; count++) await makeFolder(join(target, ...names.slice(0, count)));
}

async function makeFolder(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isDirectory() === true) return;
  if (stats !== undefined)
    throw new CopyError(`${path} is no folder, so nothing is copied into it; remove it first`, {
      code: 'COPY_REFUSED',
    });
  await mkdir(path, { mode: 0o755 });
}

async function writeMember(path: string, { entry, content }: TarMember, count: CopyCount): Promise<void> {
  await removeLink(path);
  count.begin(path);
  await using file: FileHandle = await open(path, WRITE, entry.mode & 0o777);
  for await (const bytes of content) {
    await file.writeFile(bytes);
    count.add(path, bytes.byteLength);
  }
  await file.chmod(entry.mode & 0o777);
}

/** A second name of a file becomes a file of its own. */
async function copyMember(
  entry: TarEntry,
  names: readonly string[],
  { root, target, count }: UnpackOptions,
): Promise<void> {
  const path = join(target, ...names);
  const source = memberPath(entry.target, root);
  const from = join(target, ...source);
  // Folders that are links would lead out, for what is read as for what is written.
  await makeFolders(target, source);
  await makeFolders(target, names);
  const stats = await lstat(from).catch(() => undefined);
  if (stats?.isFile() !== true || from === path) {
    count.skip(path, `it is another name of ${from}, which was not copied`);
    return;
  }
  await removeLink(path);
  count.begin(path);
  await copyFile(from, path);
  count.add(path, stats.size);
}

async function makeLink(to: string, names: readonly string[], { target }: UnpackOptions): Promise<void> {
  const path = join(target, ...names);
  await makeFolders(target, names);
  await removeLink(path);
  await symlink(to, path);
}

/** A link is replaced, never followed. What else is there is written over, or refused by the operating system. */
async function removeLink(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isSymbolicLink() === true) await unlink(path);
}
