import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Clock,
  InvalidArgumentError,
  type Logger,
  realClock,
  silentLogger,
  sleep,
  toError,
} from '@windlass/base';
import { loadConfig } from '@windlass/client';
import type { ClusterProvider, FleetSink, MemberOptions } from './provider.ts';

/** A folder of kubeconfigs, and what else is said of each cluster. */
export interface KubeconfigFolderOptions {
  readonly folder: string;
  /** How often it is looked at. @default 5000 */
  readonly everyMs?: number;
  /** What else is said of each cluster: namespaces, what is cached. @default nothing */
  readonly options?: Omit<MemberOptions, 'client' | 'config' | 'transport'>;
  /** @default the machine's */
  readonly clock?: Clock;
  /** @default none */
  readonly logger?: Logger;
}

const EVERY_MS = 5000;
const FILE = /^(?<name>[^.].*?)(?:\.(?:kubeconfig|conf|yaml|yml))?$/;
/** As Kubernetes mounts secrets: the real files are behind links that begin so. */
const HIDDEN = '.';

/**
 * A cluster for each kubeconfig in a folder, by the name of the file without its end, reached by its current context.
 * Whoever may write there says which programs are run for credentials, as with every kubeconfig.
 */
export function kubeconfigFolder(given: KubeconfigFolderOptions): ClusterProvider {
  const { folder, everyMs = EVERY_MS, options = {}, clock = realClock, logger = silentLogger } = given;
  if (!(everyMs > 0)) throw new InvalidArgumentError('everyMs', everyMs, 'a number above 0');
  return {
    name: folder,
    async run(sink, signal) {
      let known = new Set<string>();
      for (;;) {
        known = await look(known);
        sink.ready();
        await sleep(clock, everyMs, signal).catch(() => {});
        if (signal.aborted) return;
      }

      async function look(before: ReadonlySet<string>): Promise<Set<string>> {
        const files = await filesIn(folder, logger);
        // A folder that cannot be read says nothing about what was in it.
        if (files === undefined) return new Set(before);
        const there = new Set(files.keys());
        for (const name of before) if (!there.has(name)) sink.remove(name);
        for (const [name, file] of files) await tell(sink, name, join(folder, file));
        return there;
      }
    },
  };

  async function tell(sink: FleetSink, name: string, path: string): Promise<void> {
    try {
      const version = createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
      sink.set(name, version, { ...options, config: await loadConfig({ path }) });
    } catch (thrown) {
      // A file that is being written is whole the next time. What it was holds until then.
      logger.warn('a kubeconfig cannot be used', { cluster: name, path, error: toError(thrown) });
    }
  }
}

/** Names of clusters, with their files; undefined when the folder cannot be read. */
async function filesIn(folder: string, logger: Logger): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const files = new Map<string, string>();
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(HIDDEN) || entry.isDirectory()) continue;
      const name = FILE.exec(entry.name)?.groups?.['name'] ?? entry.name;
      if (files.has(name))
        logger.warn('two kubeconfigs are of one name; the first counts', {
          cluster: name,
          ignored: entry.name,
        });
      else files.set(name, entry.name);
    }
    return files;
  } catch (thrown) {
    logger.warn('the folder of kubeconfigs cannot be read; what was in it is kept', {
      folder,
      error: toError(thrown),
    });
    return undefined;
  }
}
