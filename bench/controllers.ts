// Our controller manager beside the real kube-controller-manager, in turns on one real kube-apiserver, with the
// same controllers, as many workers for each, and no limit on requests; and our server and controllers in one
// process beside the real pair. What nodes do is the same for all: a stand-in calls each pod ready at once.
import { CONTROLLERS } from '@windlass/controllers';
import { startRealControllerManager } from '../tests/real/harness/controller-manager.ts';
import { MissingNeedError } from '../tests/real/harness/needs.ts';
import { type RealCluster, startRealCluster } from '../tests/real/harness/real-cluster.ts';
import { cleanUp, type Deployed, deploy } from './controllers/deploy.ts';
import { fill, keepAlive } from './controllers/fill.ts';
import { installOurs } from './lib/as-installed.ts';
import type { Bench, Figures, MeasureOptions, Prepared, Side, Suite } from './lib/bench.ts';
import { startOwnManager } from './lib/own-manager.ts';
import { residentMegabytes, startOwnServer } from './lib/own-server.ts';
import { processorSeconds } from './lib/processor-time.ts';

const PEER = 'kube-controller-manager';
const PAIR = 'kube-apiserver + etcd + kube-controller-manager';

/** Ours have the names of the originals. */
const NAMES = CONTROLLERS.map(({ name }) => name);

interface Load {
  readonly name: string;
  readonly deployments: number;
  readonly replicas: number;
}

const LOADS: readonly Load[] = [
  { name: '50x20', deployments: 50, replicas: 20 },
  { name: '1x5000', deployments: 1, replicas: 5000 },
];
const QUICK_SHARE = 50;

const AT_REST = { nodes: 1000, pods: 20_000, settleMs: 30_000, lookMs: 30_000 };
const QUICK_AT_REST = { nodes: 20, pods: 200, settleMs: 2000, lookMs: 2000 };

/** A manager at work, and its process. */
type Start = (cluster: RealCluster) => Promise<AsyncDisposable & { readonly pid: number }>;

const startPeer: Start = (cluster) =>
  startRealControllerManager(cluster, {
    controllers: NAMES,
    args: ['--kube-api-qps=100000', '--kube-api-burst=100000'],
  });

const startOurs =
  (installed: string): Start =>
  ({ kubeconfigPath, caFile }) =>
    startOwnManager(installed, { kubeconfigPath, controllers: NAMES, rootCaFile: caFile });

const smaller = ({ deployments, replicas }: Load, quick: boolean): Omit<Load, 'name'> =>
  quick
    ? { deployments: Math.max(1, deployments / 10), replicas: Math.max(4, replicas / QUICK_SHARE) }
    : { deployments, replicas };

interface Deployment extends Deployed {
  /** Seconds of processor time that the manager took. */
  readonly cpu: number;
}

/** One run gives several figures, and is made once for all of them. */
function shared(
  run: (options: MeasureOptions) => Promise<Deployment>,
): (what: keyof Deployment) => Side['measure'] {
  const left = { exist: [] as number[], run: [] as number[], cpu: [] as number[] };
  return (what) => async (options) => {
    if (left[what].length === 0) {
      const figures = await run(options);
      for (const each of ['exist', 'run', 'cpu'] as const) left[each].push(figures[each]);
    }
    return { [what]: left[what].shift() ?? Number.NaN };
  };
}

function deployBenches(load: Load, cluster: RealCluster, ours: Start): readonly Bench[] {
  const { kubeconfigPath } = cluster;
  const by = (start: Start) =>
    shared(async ({ quick }) => {
      await using manager = await start(cluster);
      try {
        const deployed = await deploy({ kubeconfigPath, ...smaller(load, quick) });
        return { ...deployed, cpu: processorSeconds(manager.pid) };
      } finally {
        await manager[Symbol.asyncDispose]();
        await cleanUp(kubeconfigPath);
      }
    });
  const [mine, theirs] = [by(ours), by(startPeer)];
  const bench = (what: keyof Deployment, unit: string, bar?: Bench['bar']): Bench => ({
    name: `controllers/${what}-${load.name}`,
    unit,
    better: 'lower',
    ...(bar !== undefined && { bar }),
    ours: { name: 'windlass', measure: mine(what) },
    peer: { name: PEER, measure: theirs(what) },
  });
  return [
    bench('exist', 'seconds until every pod exists', { kind: 'ratio', atLeast: 1 }),
    bench('run', 'seconds until every pod is available', { kind: 'ratio', atLeast: 1 }),
    bench('cpu', 'seconds of processor time', { kind: 'ratio', atLeast: 1 }),
  ];
}

function restBenches(cluster: RealCluster, ours: Start): readonly Bench[] {
  const { kubeconfigPath } = cluster;
  let filled: Promise<void> | undefined;
  const by = (start: Start): ((what: 'memory' | 'cpu') => Side['measure']) => {
    const left = { memory: [] as number[], cpu: [] as number[] };
    return (what) =>
      async ({ quick }): Promise<Figures> => {
        if (left[what].length === 0) {
          const { nodes, pods, settleMs, lookMs } = quick ? QUICK_AT_REST : AT_REST;
          filled ??= fill(kubeconfigPath, nodes, pods);
          await filled;
          await using _alive = await keepAlive(kubeconfigPath, nodes);
          await using manager = await start(cluster);
          await pause(settleMs);
          const before = processorSeconds(manager.pid);
          await pause(lookMs);
          left.cpu.push(((processorSeconds(manager.pid) - before) / lookMs) * 100_000);
          left.memory.push(residentMegabytes(manager.pid));
        }
        return { [what]: left[what].shift() ?? Number.NaN };
      };
  };
  const [mine, theirs] = [by(ours), by(startPeer)];
  const bench = (what: 'memory' | 'cpu', unit: string, atLeast: number): Bench => ({
    name: `controllers/rest-${what}`,
    unit,
    better: 'lower',
    bar: { kind: 'ratio', atLeast },
    ours: { name: 'windlass', measure: mine(what) },
    peer: { name: PEER, measure: theirs(what) },
  });
  return [bench('memory', 'MB', 1.67), bench('cpu', '% of a processor', 1)];
}

/** Server and controllers in one process, on its disk; the pair has its etcd told not to wait for the disk. */
function embeddedBench(load: Load, cluster: RealCluster | undefined, installed: string): Bench {
  return {
    name: `controllers/embedded-${load.name}`,
    unit: 'seconds until every pod is available',
    better: 'lower',
    bar: { kind: 'ratio', atLeast: 3 },
    ours: {
      name: 'windlass, server and controllers in one process',
      async measure({ quick }) {
        await using server = await startOwnServer(installed, { command: 'controlled' });
        const { run } = await deploy({ kubeconfigPath: server.kubeconfigPath, ...smaller(load, quick) });
        return { run };
      },
    },
    ...(cluster !== undefined && {
      peer: {
        name: PAIR,
        async measure({ quick }) {
          const { kubeconfigPath } = cluster;
          await using manager = await startPeer(cluster);
          try {
            const { run } = await deploy({ kubeconfigPath, ...smaller(load, quick) });
            return { run };
          } finally {
            await manager[Symbol.asyncDispose]();
            await cleanUp(kubeconfigPath);
          }
        },
      },
    }),
  };
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

export const controllers: Suite = {
  name: 'controllers',
  async prepare({ log, quick }): Promise<Prepared> {
    const stack = new AsyncDisposableStack();
    const skips: string[] = [];
    const installed = await installOurs(log);
    let cluster: RealCluster | undefined;
    try {
      cluster = stack.use(await startRealCluster({ log }));
      // Builds it where it is not built yet, so that no measurement includes that.
      await using _manager = await startPeer(cluster);
    } catch (error) {
      if (!(error instanceof MissingNeedError)) throw error;
      skips.push(`controllers have no peer, and no real server: ${error.message}`);
    }
    const ours = startOurs(installed);
    const real = cluster;
    const loads = quick ? LOADS.slice(0, 1) : LOADS;
    const embedded = loads.map((load) => embeddedBench(load, real, installed));
    return {
      benches:
        real === undefined
          ? embedded
          : [
              ...loads.flatMap((load) => deployBenches(load, real, ours)),
              ...embedded,
              ...restBenches(real, ours),
            ],
      skips,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  },
};
