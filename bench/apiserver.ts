// Our API server beside kube-apiserver and etcd: the same client and the same load on both.
import { MissingNeedError } from '../tests/real/harness/needs.ts';
import { type RealCluster, startRealCluster } from '../tests/real/harness/real-cluster.ts';
import { installOurs } from './lib/as-installed.ts';
import type { Bench, Figures, Prepared, Suite } from './lib/bench.ts';
import { figuresOfScript } from './lib/child.ts';
import { clusterPids } from './lib/cluster-pids.ts';
import { type OwnServer, residentMegabytes, startOwnServer } from './lib/own-server.ts';

const LOAD = new URL('./ours/apiserver.ts', import.meta.url);
const IN_PROCESS = new URL('./ours/apiserver-in-process.ts', import.meta.url);
const PEER = 'kube-apiserver + etcd';
const LISTED = 20_000;
const QUICK = 50;

interface Servers {
  readonly ours: OwnServer;
  readonly peer: RealCluster | undefined;
}

interface Row {
  readonly what: 'create' | 'list' | 'fan-out';
  readonly count: number;
  readonly unit: string;
  readonly better: Bench['better'];
  readonly atLeast: number;
}

const rows: readonly Row[] = [
  { what: 'create', count: 5000, unit: 'creates a second', better: 'higher', atLeast: 5 },
  { what: 'list', count: LISTED, unit: 'ms', better: 'lower', atLeast: 3 },
  { what: 'fan-out', count: 500, unit: 'events a second', better: 'higher', atLeast: 3 },
];

function loadBench({ what, count, unit, better, atLeast }: Row, servers: Servers): Bench {
  const against =
    (kubeconfig: string) =>
    async ({ quick }: { readonly quick: boolean }): Promise<Figures> => {
      const size = String(quick ? QUICK : count);
      if (what === 'list') await figuresOfScript(LOAD, ['fill', size, kubeconfig]);
      return figuresOfScript(LOAD, [what, size, kubeconfig]);
    };
  const { ours, peer } = servers;
  return {
    name: `apiserver/${what}`,
    unit,
    better,
    bar: { kind: 'ratio', atLeast },
    ours: { name: 'windlass', measure: against(ours.kubeconfigPath) },
    ...(peer !== undefined && { peer: { name: PEER, measure: against(peer.kubeconfigPath) } }),
  };
}

/** From nothing to serving, certificates included on both sides. */
function readyBench(installed: string, hasPeer: boolean): Bench {
  return {
    name: 'apiserver/ready',
    unit: 'ms',
    better: 'lower',
    bar: { kind: 'ratio', atLeast: 5 },
    ours: {
      name: 'windlass',
      async measure() {
        await using server = await startOwnServer(installed);
        return { ready: server.readyMs };
      },
    },
    ...(hasPeer && {
      peer: {
        name: PEER,
        async measure() {
          const started = performance.now();
          await using _cluster = await startRealCluster();
          return { ready: performance.now() - started };
        },
      },
    }),
  };
}

/** The same server without sockets. Nobody else can be called so, hence no peer. */
const inProcess: readonly Bench[] = [
  { what: 'write', backend: 'sqlite', name: 'in-process-durable-writes' },
  { what: 'write', backend: 'memory', name: 'in-process-writes' },
  { what: 'read', backend: 'sqlite', name: 'in-process-reads' },
].map(({ what, backend, name }) => ({
  name: `apiserver/${name}`,
  unit: `${what}s a second`,
  better: 'higher',
  ours: {
    name: 'windlass',
    measure: ({ quick }) => figuresOfScript(IN_PROCESS, [what, backend, String(quick ? QUICK : 10_000)]),
  },
}));

/** Fresh servers that hold 20,000 objects, and have listed them. */
function memoryBench(installed: string, hasPeer: boolean): Bench {
  const fillAndList = async (kubeconfig: string, quick: boolean): Promise<void> => {
    for (const what of ['fill', 'list'])
      await figuresOfScript(LOAD, [what, String(quick ? QUICK : LISTED), kubeconfig]);
  };
  return {
    name: 'apiserver/memory',
    unit: 'MB',
    better: 'lower',
    bar: { kind: 'ratio', atLeast: 1.67 },
    ours: {
      name: 'windlass',
      async measure({ quick }) {
        await using server = await startOwnServer(installed);
        await fillAndList(server.kubeconfigPath, quick);
        return { resident: residentMegabytes(server.pid) };
      },
    },
    ...(hasPeer && {
      peer: {
        name: PEER,
        async measure({ quick }) {
          await using cluster = await startRealCluster();
          await fillAndList(cluster.kubeconfigPath, quick);
          return { resident: clusterPids(cluster).reduce((sum, pid) => sum + residentMegabytes(pid), 0) };
        },
      },
    }),
  };
}

export const apiserver: Suite = {
  name: 'apiserver',
  async prepare({ log }): Promise<Prepared> {
    const skips: string[] = [];
    let peer: RealCluster | undefined;
    try {
      peer = await startRealCluster({ log });
    } catch (error) {
      if (!(error instanceof MissingNeedError)) throw error;
      skips.push(`apiserver has no peer: ${error.message}`);
    }
    const installed = await installOurs(log);
    const ours = await startOwnServer(installed);
    const servers = { ours, peer };
    return {
      benches: [
        readyBench(installed, peer !== undefined),
        ...rows.map((row) => loadBench(row, servers)),
        memoryBench(installed, peer !== undefined),
        ...inProcess,
      ],
      skips,
      async [Symbol.asyncDispose]() {
        await ours[Symbol.asyncDispose]();
        await peer?.stop();
      },
    };
  },
};
