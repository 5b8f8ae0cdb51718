import { createWriteStream } from 'node:fs';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { StoreSnapshot } from '@windlass/apiserver';
import { type Clock, realClock, VERSION } from '@windlass/base';
import { type BackupFile, type BackupHeader, backupBytes, readBackup } from './backup-file.ts';
import { BackupFailedError } from './errors.ts';
import { snapshotSource } from './snapshot-source.ts';

/** How a backup is made. */
export interface BackupOptions {
  /** @default the machine's clock */
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

/**
 * Writes a backup of the cluster in a data directory, whether it runs or not: all objects at one moment, and the
 * authority and keys by which clients know it. What is on drives is not in it. The file is for its owner only, and is
 * there whole or not at all.
 */
export async function backupCluster(
  dataDir: string,
  file: string,
  { clock = realClock, signal }: BackupOptions = {},
): Promise<BackupHeader> {
  const target = resolve(file);
  if ((await stat(target).catch(() => undefined)) !== undefined)
    throw new BackupFailedError(`${target} is there already; choose another name`);
  const draft = `${target}.new`;
  const source = await snapshotSource(resolve(dataDir), clock, signal);
  const files = await filesOf(resolve(dataDir));
  let header: BackupHeader | undefined;
  const take = async ({ revision, count, chunks }: StoreSnapshot): Promise<void> => {
    const createdAt = new Date(clock.now()).toISOString();
    header = { revision, objects: count, createdAt, version: VERSION };
    const bytes = Readable.from(backupBytes(header, files, chunks));
    const output = createWriteStream(draft, { mode: 0o600, flush: true });
    await pipeline(bytes, createGzip(), output, signal === undefined ? {} : { signal });
  };
  try {
    await source(take);
    // An answer that was cut off, or a disk that lies, is told now and not when the backup is needed.
    for await (const _entry of readBackup(draft));
    await rename(draft, target);
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  if (header === undefined) throw new BackupFailedError('the store gave no snapshot');
  return header;
}

/** The authorities, the key of service accounts, and the certificates that they have issued. */
async function filesOf(dataDir: string): Promise<BackupFile[]> {
  const names = (await readdir(join(dataDir, 'pki')).catch(() => [])).filter((name) =>
    /^[a-z-]+\.(crt|key)$/.test(name),
  );
  return Promise.all(
    names.sort().map(async (name) => ({
      path: `pki/${name}`,
      mode: name.endsWith('.key') ? 0o600 : 0o644,
      text: await readFile(join(dataDir, 'pki', name), 'utf8'),
    })),
  );
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder);
  await handle.sync();
}
