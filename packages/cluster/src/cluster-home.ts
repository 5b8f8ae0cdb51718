import { join, resolve } from 'node:path';
import { type Clock, type Logger, toError, writeWhole } from '@windlass/base';
import { DataDirClaim } from './data-dir/claim.ts';
import { IN_MEMORY } from './data-dir/entries.ts';
import { type ClusterAccess, kubeconfigEntries, kubeconfigText } from './kubeconfig/kubeconfig.ts';
import { mergeIntoKubeconfig, takeOutOfKubeconfig } from './kubeconfig/merged-kubeconfig.ts';

export interface ClusterHomeOptions {
  readonly dataDir: string;
  readonly name: string | undefined;
  readonly inMemory: boolean;
  readonly mergeKubeconfig: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The data directory of a cluster while it runs. */
export class ClusterHome {
  readonly dataDir: string;
  readonly #options: ClusterHomeOptions;
  readonly #claim: DataDirClaim;

  private constructor(dataDir: string, options: ClusterHomeOptions, claim: DataDirClaim) {
    this.dataDir = dataDir;
    this.#options = options;
    this.#claim = claim;
  }

  /** @throws DataDirInUseError */
  static async open(options: ClusterHomeOptions): Promise<ClusterHome> {
    const dataDir = resolve(options.dataDir);
    return new ClusterHome(dataDir, options, await DataDirClaim.take(dataDir, options));
  }

  /** Drives of a cluster in memory are its own: those of one that keeps its objects have that one's volumes. */
  get nodesDir(): string {
    return this.#options.inMemory ? join(this.dataDir, IN_MEMORY, 'nodes') : join(this.dataDir, 'nodes');
  }

  /** Writes the kubeconfig, and merges it where that was asked for, now or before. Resolves with its path. */
  async publish(access: Omit<ClusterAccess, 'name'>): Promise<string> {
    const { name, clock, logger, mergeKubeconfig } = this.#options;
    const entries = kubeconfigEntries({ name, ...access });
    const path = join(this.dataDir, 'kubeconfig');
    await writeWhole(path, kubeconfigText(entries), 0o600);
    await this.#claim.update({ server: access.server });
    const mergedInto = mergeKubeconfig ?? this.#claim.record.mergedInto;
    if (mergedInto === undefined) return path;
    try {
      await mergeIntoKubeconfig(mergedInto, entries, this.dataDir, { clock });
      await this.#claim.update({ mergedInto });
    } catch (error) {
      if (mergeKubeconfig !== undefined) throw error;
      // Nobody asks for it at this start, and the cluster works without.
      logger.warn('the kubeconfig that the cluster was merged into is not up to date', {
        error: toError(error),
      });
    }
    return path;
  }

  /** Every part serves. */
  async noteReady(): Promise<void> {
    await this.#claim.update({ isReady: true });
  }

  /** Everything has stopped. Never rejects: what stays behind is told, and the next start removes it. */
  async leave(): Promise<void> {
    const { clock, logger, inMemory } = this.#options;
    const { mergedInto } = this.#claim.record;
    try {
      if (inMemory && mergedInto !== undefined)
        await takeOutOfKubeconfig(mergedInto, this.dataDir, { clock });
      await this.#claim.release();
    } catch (error) {
      logger.warn('the data directory could not be tidied up; the next start, or windlass reset, does it', {
        dataDir: this.dataDir,
        error: toError(error),
      });
    }
  }
}
