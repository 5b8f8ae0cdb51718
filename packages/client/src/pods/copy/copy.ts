import { lstat, stat } from 'node:fs/promises';
import { basename, join, posix, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StatusError } from '@windlass/apimachinery';
import { abortError } from '@windlass/base';
import { collectBytes } from '@windlass/streams';
import { TarError } from '@windlass/streams/tar';
import type { ExecOptions } from '../command-options.ts';
import type { PodProcess } from '../pod-process.ts';
import { CopyError } from './copy-error.ts';
import { CopyCount, type CopyOptions, type CopyResult } from './copy-options.ts';
import { packTree } from './pack-tree.ts';
import { unpackTree } from './unpack-tree.ts';

/** Runs a command in the container. */
export type Run = (command: readonly string[], streams: ExecOptions) => Promise<PodProcess>;

/** More of what `tar` complains about is not shown. */
const MAX_COMPLAINT_BYTES = 2048;

/** From this machine into a container. */
export async function copyInto(
  run: Run,
  localPath: string,
  remotePath: string,
  options: CopyOptions,
): Promise<CopyResult> {
  // Refused before a command is run.
  await lstat(localPath);
  const isFolder = await isRemoteFolder(run, remotePath);
  const target = isFolder
    ? posix.join(remotePath, basename(resolve(localPath)))
    : posix.normalize(remotePath);
  const count = new CopyCount(options);
  const { dir, base } = posix.parse(target);
  await usingTar(
    run,
    ['-xmf', '-', '-C', dir === '' ? '.' : dir],
    { stdin: true, stdout: false },
    async (process) => {
      if (process.stdin === undefined) return;
      const { signal } = options;
      await pipeline(
        Readable.from(packTree(localPath, base, count)),
        process.stdin,
        signal === undefined ? {} : { signal },
      ).catch((error: unknown) => {
        throw signal?.aborted === true ? abortError(signal) : error;
      });
    },
  );
  return count.result();
}

/** From a container to this machine. */
export async function copyOutOf(
  run: Run,
  remotePath: string,
  localPath: string,
  options: CopyOptions,
): Promise<CopyResult> {
  const { dir, base } = posix.parse(posix.normalize(remotePath));
  // With a slash at its end, what a link leads to is copied, and not the link.
  const isContent = /\/\.?$/.test(remotePath) || base === '' || base === '.' || base === '..';
  const root = isContent ? '.' : base;
  const there = await stat(localPath).catch(() => undefined);
  const name = base === '.' || base === '..' ? '' : base;
  const target = resolve(there?.isDirectory() === true ? join(localPath, name) : localPath);
  const count = new CopyCount(options);
  const from = isContent ? ['-C', remotePath, '.'] : ['-C', dir === '' ? '.' : dir, `./${base}`];
  await usingTar(run, ['-cf', '-', ...from], {}, async (process) => {
    if (process.stdout === undefined) return;
    await unpackTree(process.stdout, { root, target, count });
  });
  return count.result();
}

async function isRemoteFolder(run: Run, path: string): Promise<boolean> {
  if (path.endsWith('/')) return true;
  await using process = await run(['test', '-d', path], { stderr: false });
  process.stdout?.resume();
  // A container without `test` is taken to have no such folder, as kubectl does.
  return await process.exited.then(
    ({ exitCode }) => exitCode === 0,
    (error: unknown) => {
      if (error instanceof StatusError) return false;
      throw error;
    },
  );
}

async function usingTar(
  run: Run,
  args: readonly string[],
  streams: ExecOptions,
  use: (process: PodProcess) => Promise<void>,
): Promise<void> {
  await using process = await run(['tar', ...args], streams);
  const complaint = collectBytes(process.stderr ?? Readable.from([]), MAX_COMPLAINT_BYTES);
  complaint.catch(() => {});
  const cut = await use(process).then(
    () => undefined,
    (error: unknown) => {
      // When no archive came, what the command says is the reason. Else it may not even come to an end.
      if (error instanceof TarError) return error;
      throw error;
    },
  );
  const problem = await problemOf(process, complaint);
  if (problem !== undefined) throw problem;
  if (cut === undefined) return;
  throw new CopyError(`the container sent no archive that can be read: ${cut.message}`, {
    code: 'COPY_REFUSED',
    cause: cut,
  });
}

async function problemOf(process: PodProcess, complaint: Promise<Buffer>): Promise<Error | undefined> {
  try {
    const { exitCode } = await process.exited;
    if (exitCode === 0) return undefined;
    const said = (await complaint).toString().trim();
    // A shell or a runtime that finds no such program.
    if (exitCode === 126 || exitCode === 127) return tarMissing(said);
    return new CopyError(
      `tar in the container failed with exit code ${exitCode}: ${said === '' ? 'it gave no reason' : said}`,
      {
        code: 'COPY_FAILED',
      },
    );
  } catch (error) {
    if (
      error instanceof StatusError &&
      /executable file not found|no such file or directory/i.test(error.message)
    )
      return tarMissing(error.message, error);
    throw error;
  }
}

function tarMissing(said: string, cause?: unknown): CopyError {
  return new CopyError(
    `the container has no program tar, which copying needs (${said}); use an image with tar, or a debug container`,
    { code: 'TAR_MISSING', cause },
  );
}
