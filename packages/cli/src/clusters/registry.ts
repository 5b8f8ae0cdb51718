import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, makeDirectory, realClock } from '@windlass/base';
import { type FoundCluster, findCluster } from '@windlass/cluster';
import { registryFolder } from './user-folders.ts';

/** What is not there is remembered so long. */
const FORGET_MS = 60_000;

/**
 * The data directories in which this user has started clusters: one small file each, so that clusters that start at the
 * same time do not write the same one. What is true of a cluster stands in its data directory only.
 */
export class Registry {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string = registryFolder(), clock: Clock = realClock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Rejects where the folder cannot be written. */
  async add(dataDir: string): Promise<void> {
    await makeDirectory(this.#folder, { mode: 0o700 });
    // So that it does not grow where nobody ever looks.
    await this.clusters();
    await writeFile(this.#file(dataDir), `${dataDir}\n`, { mode: 0o600 });
  }

  /** All that are still there, by name, then by data directory. Those that are gone are forgotten. */
  async clusters(): Promise<FoundCluster[]> {
    const files = await readdir(this.#folder).catch(() => []);
    const found = await Promise.all(files.map((file) => this.#find(join(this.#folder, file))));
    return found.filter((cluster) => cluster !== undefined).toSorted(byName);
  }

  async #find(file: string): Promise<FoundCluster | undefined> {
    const dataDir = (await readFile(file, 'utf8').catch(() => '')).trim();
    // Another user's, for example: it is there, and not for us.
    const cluster = dataDir === '' ? undefined : await findCluster(dataDir).catch(() => 'hidden' as const);
    if (cluster === undefined) await this.#forget(file).catch(() => undefined);
    return cluster === 'hidden' ? undefined : cluster;
  }

  /** Not at once: a cluster is noted before it is there. */
  async #forget(file: string): Promise<void> {
    const { mtimeMs } = await stat(file);
    if (this.#clock.now() - mtimeMs > FORGET_MS) await rm(file, { force: true });
  }

  #file(dataDir: string): string {
    return join(this.#folder, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
  }
}

function byName(a: FoundCluster, b: FoundCluster): number {
  return compare(a.record.name ?? '', b.record.name ?? '') || compare(a.dataDir, b.dataDir);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
