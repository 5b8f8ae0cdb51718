import { execFile } from 'node:child_process';
import { open, stat, truncate } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { makeDirectory } from '@windlass/base';

const run = promisify(execFile);
/** What XFS keeps for itself, roughly: its log, and a share of the rest. */
const OWN_BYTES = 192 * 2 ** 20;
const OWN_SHARE = 0.03;
/** XFS counts in blocks. */
const BLOCK = 4096;
/** So many go on one command line, whose length is limited. */
const AT_ONCE = 200;

/** Files behind loop devices, one a drive. `loop7` */
export type LoopDevices = readonly string[];

/**
 * Makes the files that are not there yet, sparse, and attaches all of them; those of a process that was killed are
 * still attached, and taken as they are.
 */
export async function attachLoopDevices(folder: string, count: number, size: number): Promise<LoopDevices> {
  await makeDirectory(folder, { mode: 0o700 });
  const names: string[] = [];
  try {
    for (let index = 1; index <= count; index++) {
      const file = resolve(folder, `drive-${index}.img`);
      await makeFile(file, size);
      names.push((await attached(file)) ?? (await attach(file)));
    }
  } catch (error) {
    await detachLoopDevices(names);
    throw error;
  }
  return names;
}

/** One that is used still goes when it no longer is. One that is gone already is no reason to leave the others. */
export async function detachLoopDevices(names: LoopDevices): Promise<void> {
  await forMany(names, (some) => run('losetup', ['--detach', ...some.map((name) => `/dev/${name}`)]));
}

/** Each with what is mounted in it. One that is not mounted any more is no reason to leave the others. */
export async function unmountAll(mountPoints: readonly string[]): Promise<void> {
  await forMany(mountPoints, (some) => run('umount', ['--lazy', ...some]));
}

/** One program for many: to start one takes up to 100 ms on a busy machine, in which this process stands still. */
async function forMany(
  all: readonly string[],
  work: (some: readonly string[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE)
    await work(all.slice(from, from + AT_ONCE)).catch(() => undefined);
}

/** A file that is there keeps its size: what is on it is worth more than a flag. */
async function makeFile(file: string, size: number): Promise<void> {
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const handle = await open(file, 'wx', 0o600);
  await handle.close();
  const bytes = size * (1 + OWN_SHARE) + OWN_BYTES;
  await truncate(file, Math.ceil(bytes / BLOCK) * BLOCK);
}

async function attached(file: string): Promise<string | undefined> {
  const { stdout } = await run('losetup', ['--noheadings', '--output', 'NAME', '--associated', file]);
  const [device = ''] = stdout.trim().split('\n');
  return device === '' ? undefined : basename(device.trim());
}

async function attach(file: string): Promise<string> {
  const { stdout } = await run('losetup', ['--find', '--show', file]);
  return basename(stdout.trim());
}

/** Why loop devices cannot be had here; undefined when they can. */
export async function loopObstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux') return `${process.platform} has no loop devices`;
  if (process.getuid?.() !== 0) return 'they need root';
  for (const program of ['losetup', 'mkfs.xfs', 'mount'])
    if (!(await isInstalled(program))) return `there is no ${program}`;
  const free = await run('losetup', ['--find']).catch(() => undefined);
  if (free === undefined) return 'the kernel has no free loop device';
  return undefined;
}

async function isInstalled(program: string): Promise<boolean> {
  const folders = (process.env['PATH'] ?? '').split(':').concat('/usr/sbin', '/sbin');
  for (const folder of folders) {
    const found = await stat(join(folder, program)).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}
