// The two servers that are compared, each as something to be asked and to be looked at.
import { type RealClusterOptions, startRealCluster } from '../../tests/real/harness/real-cluster.ts';
import { type AccessFiles, accessFiles } from '../lib/access-files.ts';
import { clusterPids } from '../lib/cluster-pids.ts';
import { residentMegabytes, startOwnServer } from '../lib/own-server.ts';

export interface TestedServer extends AsyncDisposable {
  readonly access: AccessFiles;
  /** All its processes. */
  readonly pids: readonly number[];
  /** From nothing to serving, certificates included on both sides. */
  readonly readyMs: number;
}

export type Start = () => Promise<TestedServer>;

/** The memory that all processes of a server hold, in megabytes. */
export function residentOf({ pids }: TestedServer): number {
  return pids.reduce((sum, pid) => sum + residentMegabytes(pid), 0);
}

export const startOurs =
  (installed: string): Start =>
  async () => {
    const server = await startOwnServer(installed);
    return tested(server, server.kubeconfigPath, server.readyMs, [server.pid]);
  };

/**
 * As everybody runs them, where the real lane does not: with a watch cache for ConfigMaps, which makes lists and watches
 * of them two to three times as cheap, and with an etcd that syncs before it answers, as we do.
 */
const PEER_OPTIONS: RealClusterOptions = {
  apiServerArgs: ['--watch-cache-sizes=configmaps#100'],
  etcdArgs: ['--unsafe-no-fsync=false'],
};

export const startPeer: Start = async () => {
  const started = performance.now();
  const cluster = await startRealCluster(PEER_OPTIONS);
  return tested(cluster, cluster.kubeconfigPath, performance.now() - started, clusterPids(cluster));
};

async function tested(
  server: AsyncDisposable,
  kubeconfigPath: string,
  readyMs: number,
  pids: readonly number[],
): Promise<TestedServer> {
  const access = await accessFiles(kubeconfigPath);
  return {
    access,
    pids,
    readyMs,
    async [Symbol.asyncDispose]() {
      await access[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
