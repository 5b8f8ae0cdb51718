// Our client beside @kubernetes/client-node: against the same server, and as a user's node_modules has it.
import { join } from 'node:path';
import { MissingNeedError } from '../tests/real/harness/needs.ts';
import { type RealCluster, startRealCluster } from '../tests/real/harness/real-cluster.ts';
import { installOurs } from './lib/as-installed.ts';
import type { Bar, Bench, Side, Suite } from './lib/bench.ts';
import { figuresOf, figuresOfScript } from './lib/child.ts';
import { folderSize } from './lib/folder-size.ts';
import { importTime } from './lib/import-time.ts';
import { installNpmPeer, type NpmPeer } from './lib/npm-peer.ts';
import { fillCluster } from './lib/pods.ts';

const PODS = 5000;
const QUICK_PODS = 100;
const PEER = '@kubernetes/client-node';
const OURS = new URL('./ours/client.ts', import.meta.url);

interface Row {
  readonly what: 'get' | 'list-cpu' | 'list-heap';
  readonly unit: string;
  readonly better: Bench['better'];
  readonly passes: number;
  readonly bar: Bar;
}

const rows: readonly Row[] = [
  { what: 'get', unit: 'GETs a second', better: 'higher', passes: 3, bar: atLeast(8) },
  { what: 'list-cpu', unit: 'ms of CPU', better: 'lower', passes: 5, bar: atLeast(2) },
  { what: 'list-heap', unit: 'MB', better: 'lower', passes: 2, bar: atLeast(1 / 0.6) },
];

function atLeast(ratio: number): Bar {
  return { kind: 'ratio', atLeast: Number(ratio.toFixed(2)) };
}

/** Against the server. For `get` the count is how many; for the lists, how many pods must come. */
function serverBench(row: Row, cluster: RealCluster, peer: NpmPeer | undefined, pods: number): Bench {
  const args = (quick: boolean, requests: number): string[] => [
    row.what,
    String(quick ? 1 : row.passes),
    String(row.what === 'get' ? (quick ? 20 : requests) : pods),
    cluster.kubeconfigPath,
  ];
  const theirs: Side | undefined = peer && {
    name: peer.name,
    measure: ({ quick }) =>
      figuresOf(process.execPath, ['--expose-gc', join(peer.folder, 'client.mjs'), ...args(quick, 300)]),
  };
  return {
    name: `client/${row.what}`,
    unit: row.unit,
    better: row.better,
    bar: row.bar,
    ours: { name: 'windlass', measure: ({ quick }) => figuresOfScript(OURS, args(quick, 2000)) },
    ...(theirs === undefined ? {} : { peer: theirs }),
  };
}

/** What it costs a program to have the client at all. */
function installBenches(installed: string, peer: NpmPeer): Bench[] {
  const side = (name: string, specifier: string, folder: string) => ({
    import: { name, measure: () => importTime(specifier, folder) },
    size: { name, measure: async () => ({ size: (await folderSize(join(folder, 'node_modules'))) / 1e6 }) },
  });
  const ours = side('windlass', 'windlass/client', installed);
  const theirs = side(peer.name, PEER, peer.folder);
  const common = { better: 'lower', bar: atLeast(10) } as const;
  return [
    { ...common, name: 'client/import', unit: 'ms', ours: ours.import, peer: theirs.import },
    { ...common, name: 'client/installed-size', unit: 'MB', ours: ours.size, peer: theirs.size },
  ];
}

export const client: Suite = {
  name: 'client',
  async prepare({ log, quick, isWanted }) {
    const skips: string[] = [];
    const orSkip = async <T>(what: string, work: Promise<T>): Promise<T | undefined> => {
      try {
        return await work;
      } catch (error) {
        if (!(error instanceof MissingNeedError)) throw error;
        skips.push(`${what}: ${error.message}`);
        return undefined;
      }
    };
    const peer = await orSkip('client has no peer', installNpmPeer('client-node', PEER, log));
    const needsServer = rows.some(({ what }) => isWanted(`client/${what}`));
    const needsInstall = ['client/import', 'client/installed-size'].some(isWanted);
    const benches: Bench[] = [];
    if (needsInstall && peer !== undefined) {
      benches.push(...installBenches(await installOurs(log), peer));
    }
    const cluster = needsServer
      ? await orSkip('client/get and client/list-*', filledCluster(log, quick))
      : undefined;
    if (cluster !== undefined) {
      benches.push(...rows.map((row) => serverBench(row, cluster, peer, podCount(quick))));
    }
    return { benches, skips, [Symbol.asyncDispose]: async () => cluster?.stop() };
  },
};

const podCount = (quick: boolean): number => (quick ? QUICK_PODS : PODS);

async function filledCluster(log: (line: string) => void, quick: boolean): Promise<RealCluster> {
  const cluster = await startRealCluster({ log });
  try {
    log(`making ${podCount(quick)} pods`);
    await fillCluster(cluster.kubeconfigPath, podCount(quick));
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
