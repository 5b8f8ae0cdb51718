import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Logger, realClock, systemRandom, toError } from '@windlass/base';
import { createClient } from '@windlass/client';
import type { RunningCluster } from '@windlass/cluster';
import type { RunningConsole } from '@windlass/console';
import { ClusterTries } from './tries.ts';

/** In the data directory, while the console is served: for `windlass why`. Who may read it may look. */
export const CONSOLE_FILE = 'console.url';

/** Serves the console of a cluster in this process. */
export async function openConsole(
  cluster: RunningCluster,
  dataDir: string,
  logger: Logger,
): Promise<RunningConsole> {
  const { inside } = cluster;
  // Loaded when it is needed: the command has a second to start.
  const { pageAssets, startConsole } = await import('@windlass/console');
  const client = createClient({
    transport: cluster.transport(),
    clock: realClock,
    fieldManager: 'windlass-console',
    logger,
  });
  const page = await startConsole({
    assets: pageAssets,
    title: 'windlass up',
    server: cluster.server,
    client,
    controllers: () => inside.controllers(),
    peek: (kind, key) => inside.peek(kind, key),
    oldestVersion: () => inside.oldestVersion,
    tries: new ClusterTries(client, inside),
    clock: realClock,
    random: systemRandom,
    logger,
  });
  const file = join(dataDir, CONSOLE_FILE);
  await writeFile(file, `${page.url}\n`, { mode: 0o600 }).catch((error: unknown) => {
    logger.warn('windlass why will not find the console', { file, error: toError(error) });
  });
  return {
    url: page.url,
    async [Symbol.asyncDispose]() {
      await rm(file, { force: true });
      await page[Symbol.asyncDispose]();
      await client.close();
    },
  };
}
