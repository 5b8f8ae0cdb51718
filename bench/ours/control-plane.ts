// API server and controllers in one process, as users install them: what `windlass up` is without scheduler and
// nodes, for which the benchmark has a stand-in. Prints the line of `windlass up --output json` when it serves.
//
// Usage: node control-plane.ts INSTALLED DATA-DIR
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as cluster from '@windlass/cluster';

const [installed = '', dataDir = ''] = process.argv.slice(2);
const installedCluster = pathToFileURL(join(installed, 'node_modules/windlass/cluster.js')).href;
const { startCluster } = (await import(installedCluster)) as typeof cluster;
const running = await startCluster({ dataDir, port: 0, controllers: ['*'] });
console.log(JSON.stringify({ event: 'ready', server: running.server, kubeconfig: running.kubeconfigPath }));
process.once('SIGTERM', () => void running.stop());
