import type { Stats } from 'node:fs';
import { constants, mkdir, open, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import { FileError, type Resolved } from './container-files.ts';
import { absolute, complain, type Program, type ProgramCall, say } from './program.ts';

/** What a folder may show: more is cut. */
const MAX_ENTRIES = 10_000;

export const cat: Program = async (call) => {
  const paths = call.args.filter((arg) => !arg.startsWith('-') || arg === '-');
  let code = 0;
  for (const path of paths.length === 0 ? ['-'] : paths) {
    if (path === '-') {
      for await (const bytes of call.stdin) await call.stdout(bytes);
      continue;
    }
    code ||= await onFile(call, 'cat', path, async ({ hostPath, stats }) => {
      if (stats === undefined) throw new FileError('No such file or directory');
      if (stats.isDirectory()) throw new FileError('Is a directory');
      if (!stats.isFile()) throw new FileError('Permission denied');
      await using file = await open(hostPath, READ);
      for await (const bytes of file.createReadStream({ autoClose: false })) await call.stdout(bytes);
    });
  }
  return code;
};

export const ls: Program = async (call) => {
  const flags = call.args.filter((arg) => arg.startsWith('-')).join('');
  const paths = call.args.filter((arg) => !arg.startsWith('-'));
  let code = 0;
  for (const path of paths.length === 0 ? [call.directory] : paths)
    code ||= await onFile(call, 'ls', path, async (found) => {
      if (found.stats === undefined) throw new FileError('No such file or directory');
      const names = found.stats.isDirectory() ? await namesIn(call, found) : [path];
      const shown = names.filter((name) => flags.includes('a') || !name.startsWith('.'));
      if (shown.length > 0) await say(call, `${shown.join('\n')}\n`);
    });
  return code;
};

/** `test -d PATH`, and `-e`, `-f`, `-L`, `-s`: what a file is. */
export const testFile: Program = async (call) => {
  const [flag = '', path, ...rest] = call.args;
  const holds = FILE_TESTS[flag];
  if (holds === undefined || path === undefined || rest.length > 0)
    return complain(call, 'test: only -d, -e, -f, -L and -s with one path are simulated', 2);
  try {
    const { stats } = await call.files.resolve(absolute(call.directory, path), flag !== '-L');
    return stats !== undefined && holds(stats) ? 0 : 1;
  } catch {
    return 1;
  }
};

const FILE_TESTS: Readonly<Record<string, (stats: Stats) => boolean>> = {
  '-d': (stats) => stats.isDirectory(),
  '-e': () => true,
  '-f': (stats) => stats.isFile(),
  '-L': (stats) => stats.isSymbolicLink(),
  '-s': (stats) => stats.size > 0,
};

export const touch: Program = (call) =>
  onEach(call, 'touch', async (found) => {
    await (await openForWriting(found, true)).close();
  });

export const makeDirectory: Program = async (call) => {
  const hasParents = call.args.includes('-p');
  let code = 0;
  for (const path of call.args.filter((arg) => !arg.startsWith('-'))) {
    const names = path.split('/');
    // With `-p` each folder on the way is made too.
    for (let count = hasParents ? 1 : names.length; count <= names.length; count++) {
      const part = names.slice(0, count).join('/');
      if (part !== '') code ||= await onFile(call, 'mkdir', part, (found) => makeOne(found, hasParents));
    }
  }
  return code;
};

async function makeOne({ hostPath, stats, isReadOnly }: Resolved, isQuiet: boolean): Promise<void> {
  if (stats !== undefined) {
    if (isQuiet && stats.isDirectory()) return;
    throw new FileError('File exists');
  }
  if (isReadOnly) throw new FileError('Read-only file system');
  await mkdir(hostPath);
}

export const remove: Program = (call) =>
  onEach(
    call,
    'rm',
    async ({ hostPath, stats, isReadOnly }) => {
      const flags = call.args.filter((arg) => arg.startsWith('-')).join('');
      if (stats === undefined) {
        if (flags.includes('f')) return;
        throw new FileError('No such file or directory');
      }
      if (isReadOnly) throw new FileError('Read-only file system');
      if (!stats.isDirectory()) await unlink(hostPath);
      else if (/r/i.test(flags)) await rm(hostPath, { recursive: true });
      else throw new FileError('Is a directory');
    },
    false,
  );

export const removeDirectory: Program = (call) =>
  onEach(call, 'rmdir', async ({ hostPath, isReadOnly }) => {
    if (isReadOnly) throw new FileError('Read-only file system');
    await rmdir(hostPath);
  });

/** Never follows a link that came there meanwhile. */
export const READ: number = constants.O_RDONLY | constants.O_NOFOLLOW;

/** Never follows a link that came there meanwhile. */
export function openForWriting(
  { hostPath, stats, isReadOnly }: Resolved,
  isAppended: boolean,
): ReturnType<typeof open> {
  if (isReadOnly) throw new FileError('Read-only file system');
  if (stats !== undefined && !stats.isFile())
    throw new FileError(stats.isDirectory() ? 'Is a directory' : 'Permission denied');
  const mode = isAppended ? constants.O_APPEND : constants.O_TRUNC;
  return open(hostPath, constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | mode, 0o644);
}

export async function namesIn({ files }: ProgramCall, { hostPath, path }: Resolved): Promise<string[]> {
  const names = await readdir(hostPath);
  return [...new Set([...names, ...files.mountsIn(path)])].toSorted().slice(0, MAX_ENTRIES);
}

async function onEach(
  call: ProgramCall,
  program: string,
  act: (found: Resolved) => Promise<void>,
  follow = true,
): Promise<number> {
  let code = 0;
  for (const path of call.args.filter((arg) => !arg.startsWith('-')))
    code ||= await onFile(call, program, path, act, follow);
  return code;
}

/** Does something with a file. What goes wrong is said as the program would: `cat: x: No such file or directory`. */
async function onFile(
  call: ProgramCall,
  program: string,
  path: string,
  act: (found: Resolved) => Promise<void>,
  follow = true,
): Promise<number> {
  try {
    await act(await call.files.resolve(absolute(call.directory, path), follow));
    return 0;
  } catch (error) {
    return complain(call, `${program}: ${path}: ${fileProblem(error)}`);
  }
}

const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EPERM: 'Operation not permitted',
  EISDIR: 'Is a directory',
  ENOTDIR: 'Not a directory',
  ENOTEMPTY: 'Directory not empty',
  EEXIST: 'File exists',
  ENOSPC: 'No space left on device',
  EDQUOT: 'Disk quota exceeded',
  ELOOP: 'Too many levels of symbolic links',
  EROFS: 'Read-only file system',
};

/** @throws what is no problem of a file */
export function fileProblem(error: unknown): string {
  if (error instanceof FileError) return error.message;
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const known = MESSAGES[error.code];
    if (known !== undefined) return known;
  }
  throw error;
}
