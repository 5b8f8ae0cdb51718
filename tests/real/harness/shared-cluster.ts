// One cluster for a whole `npm run test:real`, handed to each test file by an environment variable.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { type RealCluster, type RealClusterAccess, startRealCluster } from './real-cluster.ts';

const ACCESS_VARIABLE = 'WINDLASS_REAL_CLUSTER';

/** The variables that let another process find the cluster; `WINDLASS_REAL_KUBECONFIG` is for people. */
export async function sharedEnvironment(cluster: RealCluster): Promise<Record<string, string>> {
  const file = join(dirname(cluster.kubeconfigPath), 'access.json');
  // JSON drops the functions of the cluster and keeps what RealClusterAccess names.
  await writeFile(file, JSON.stringify(cluster), { mode: 0o600 });
  return { [ACCESS_VARIABLE]: file, WINDLASS_REAL_KUBECONFIG: cluster.kubeconfigPath };
}

let own: Promise<RealCluster> | undefined;

/**
 * The cluster of this run. Other files use it at the same time: work in a namespace of your own, and ask
 * `startRealCluster` for another cluster before you kill, pause or compact one. A file that is run by
 * itself, with `node --test`, starts one that ends with it.
 */
export async function sharedRealCluster(): Promise<RealClusterAccess> {
  const file = process.env[ACCESS_VARIABLE];
  if (file !== undefined) return JSON.parse(readFileSync(file, 'utf8')) as RealClusterAccess; // as written above
  if (own === undefined) {
    own = startRealCluster({ log: (line) => console.error(line) });
    const started = own;
    after(async () => (await started).stop());
  }
  return own;
}
