import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram, type Log, MissingNeedError, run } from './needs.ts';
import { cacheFolder } from './paths.ts';

const APT_ENVIRONMENT = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };

/**
 * The path of an etcd: the machine's own, or Debian's `etcd-server` unpacked into the cache. Unpacking
 * needs no root, and unlike installing the package it starts no service that would stay behind.
 */
export async function ensureEtcd(log: Log): Promise<string> {
  const unpacked = cacheFolder('etcd-server', 'usr', 'bin');
  const present = await findProgram('etcd', [unpacked]);
  if (present !== undefined) return present;
  if ((await findProgram('apt-get')) === undefined || (await findProgram('dpkg-deb')) === undefined) {
    throw new MissingNeedError(
      'etcd is needed; put an etcd 3.4 or later on PATH (there is no apt here to fetch one)',
    );
  }
  log('etcd: fetching the Debian package etcd-server');
  await mkdir(cacheFolder(), { recursive: true });
  const folder = await mkdtemp(cacheFolder('etcd-download-'));
  try {
    await download(folder, log);
    const archive = (await readdir(folder)).find((name) => name.endsWith('.deb'));
    if (archive === undefined) throw new MissingNeedError('apt-get fetched no etcd-server package');
    await run('dpkg-deb', ['-x', join(folder, archive), join(folder, 'root')]);
    await rm(cacheFolder('etcd-server'), { recursive: true, force: true });
    await rename(join(folder, 'root'), cacheFolder('etcd-server'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return join(unpacked, 'etcd');
}

async function download(folder: string, log: Log): Promise<void> {
  const fetchPackage = () =>
    run('apt-get', ['download', 'etcd-server'], { cwd: folder, env: APT_ENVIRONMENT });
  try {
    await fetchPackage();
  } catch (cause) {
    if (process.getuid?.() !== 0) {
      const message = 'etcd is needed; run `apt-get install etcd-server` as root, or put an etcd on PATH';
      throw new MissingNeedError(message, { cause });
    }
    // A bare image has no package lists yet, and only root may bring them.
    log('etcd: running apt-get update');
    try {
      await run('apt-get', ['update', '-q'], { env: APT_ENVIRONMENT });
      await fetchPackage();
    } catch (error) {
      throw new MissingNeedError('etcd is needed, and apt-get cannot fetch the package "etcd-server"', {
        cause: error,
      });
    }
  }
}
