// `windlass up` beside the real kube-apiserver, etcd and kube-controller-manager: from nothing to ready, memory at
// rest, and how long 1,000 pods take until they run. The real ones have no nodes here, so the last has no peer.
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { createClient, loadConfig } from '@windlass/client';
import { startRealControllerManager } from '../tests/real/harness/controller-manager.ts';
import { MissingNeedError } from '../tests/real/harness/needs.ts';
import { type RealCluster, startRealCluster } from '../tests/real/harness/real-cluster.ts';
import { installOurs } from './lib/as-installed.ts';
import type { Bench, Figures, Prepared, Suite } from './lib/bench.ts';
import { clusterPids } from './lib/cluster-pids.ts';
import { residentMegabytes, startOwnServer } from './lib/own-server.ts';

const PEER = 'kube-apiserver + etcd + kube-controller-manager';
const PODS = 1000;
const QUICK_PODS = 20;
/** Each has room for 110 pods. */
const NODES = 10;
/** What both do after they are ready has settled by then. */
const REST_MS = 30_000;
const QUICK_REST_MS = 1000;

const rest = (quick: boolean): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, quick ? QUICK_REST_MS : REST_MS);
  });

interface Measured {
  readonly readyMs: number;
  readonly megabytes: () => number;
}

/** Starts everything, lets the caller look, and stops it. */
async function withPeer<T>(look: (measured: Measured) => Promise<T>): Promise<T> {
  const started = performance.now();
  await using cluster: RealCluster = await startRealCluster();
  await using manager = await startRealControllerManager(cluster);
  const readyMs = performance.now() - started;
  const megabytes = (): number =>
    [...clusterPids(cluster), manager.pid].reduce((sum, pid) => sum + residentMegabytes(pid), 0);
  return await look({ readyMs, megabytes });
}

async function withOurs<T>(installed: string, look: (measured: Measured) => Promise<T>): Promise<T> {
  await using server = await startOwnServer(installed, { command: 'up' });
  return await look({ readyMs: server.readyMs, megabytes: () => residentMegabytes(server.pid) });
}

const ready = (measured: Measured): Promise<Figures> => Promise.resolve({ ready: measured.readyMs });

const memory =
  (quick: boolean) =>
  async ({ megabytes }: Measured): Promise<Figures> => {
    await rest(quick);
    return { resident: megabytes() };
  };

function sideBySide(installed: string, hasPeer: boolean): readonly Bench[] {
  return [
    {
      name: 'up/ready',
      unit: 'ms',
      better: 'lower',
      bar: { kind: 'ratio', atLeast: 3 },
      ours: { name: 'windlass up', measure: () => withOurs(installed, ready) },
      ...(hasPeer && { peer: { name: PEER, measure: () => withPeer(ready) } }),
    },
    {
      name: 'up/memory',
      unit: 'MB',
      better: 'lower',
      bar: { kind: 'ratio', atLeast: 2 },
      ours: { name: 'windlass up', measure: ({ quick }) => withOurs(installed, memory(quick)) },
      ...(hasPeer && { peer: { name: PEER, measure: ({ quick }) => withPeer(memory(quick)) } }),
    },
  ];
}

/** From the creation of one deployment until all its pods are ready. */
async function podsRunning(installed: string, pods: number): Promise<Figures> {
  await using server = await startOwnServer(installed, { command: 'up', flags: ['--nodes', String(NODES)] });
  const client = createClient({ config: await loadConfig({ path: server.kubeconfigPath }) });
  try {
    const deployments = client.resource(Deployment).namespace('default');
    const labels = { app: 'bench' };
    const started = performance.now();
    const { metadata } = await deployments.create({
      metadata: { name: 'bench' },
      spec: {
        replicas: pods,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
      },
    });
    const from = metadata.resourceVersion;
    const watch = deployments.watch(from === undefined ? {} : { resourceVersion: from });
    for await (const event of watch)
      if (event.type !== 'BOOKMARK' && event.object.status?.readyReplicas === pods) break;
    return { seconds: (performance.now() - started) / 1000 };
  } finally {
    await client.close();
  }
}

export const up: Suite = {
  name: 'up',
  async prepare({ log }): Promise<Prepared> {
    const skips: string[] = [];
    let hasPeer = true;
    try {
      // Builds what is not built yet, so that no measurement includes it.
      await using cluster = await startRealCluster({ log });
      await using _manager = await startRealControllerManager(cluster, { log });
    } catch (error) {
      if (!(error instanceof MissingNeedError)) throw error;
      hasPeer = false;
      skips.push(`up has no peer: ${error.message}`);
    }
    const installed = await installOurs(log);
    return {
      benches: [
        ...sideBySide(installed, hasPeer),
        {
          name: 'up/pods-running',
          unit: `seconds until ${PODS} pods run`,
          better: 'lower',
          ours: {
            name: 'windlass up',
            measure: ({ quick }) => podsRunning(installed, quick ? QUICK_PODS : PODS),
          },
        },
      ],
      skips,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  },
};
