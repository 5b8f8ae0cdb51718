// Our controllers beside controller-runtime's: the same reconcilers, 16 workers, on the same server. Without
// writes it is a server that replays recorded bytes; with writes it is kube-apiserver.
import { MissingNeedError } from '../tests/real/harness/needs.ts';
import { startRealCluster } from '../tests/real/harness/real-cluster.ts';
import { startReplay } from './informer/replay.ts';
import type { Bar, Bench, MeasureOptions, Side, Suite } from './lib/bench.ts';
import { figuresOf, figuresOfScript } from './lib/child.ts';
import { buildGoPeer, type GoPeer } from './lib/go-peer.ts';

const OURS = new URL('./ours/runtime.ts', import.meta.url);

interface Row {
  readonly what: 'noop' | 'read' | 'memory' | 'write' | 'latency-p50' | 'latency-p99';
  readonly unit: string;
  readonly better: Bench['better'];
  readonly passes: number;
  readonly objects: number;
  readonly bar: Bar;
}

const atLeast = (ratio: number): Bar => ({ kind: 'ratio', atLeast: Number(ratio.toFixed(2)) });

const REPLAYED = 100_000;
const WRITTEN = 5000;
const QUICK_DIVISOR = 50;

const replayed: readonly Row[] = [
  {
    what: 'noop',
    unit: 'reconciles a second',
    better: 'higher',
    passes: 5,
    objects: REPLAYED,
    bar: atLeast(1.5),
  },
  {
    what: 'read',
    unit: 'reconciles a second',
    better: 'higher',
    passes: 5,
    objects: REPLAYED,
    bar: atLeast(1.5),
  },
  { what: 'memory', unit: 'MB', better: 'lower', passes: 1, objects: REPLAYED, bar: atLeast(1 / 0.6) },
];

const written: readonly Row[] = [
  {
    what: 'write',
    unit: 'reconciles a second',
    better: 'higher',
    passes: 3,
    objects: WRITTEN,
    bar: atLeast(1),
  },
  { what: 'latency-p50', unit: 'ms', better: 'lower', passes: 1, objects: 1000, bar: atLeast(1) },
  { what: 'latency-p99', unit: 'ms', better: 'lower', passes: 1, objects: 1000, bar: atLeast(1) },
];

function bench(row: Row, server: string, peer: GoPeer | undefined): Bench {
  const { what, unit, better, bar } = row;
  const args = ({ quick }: MeasureOptions): string[] => [
    what,
    String(quick ? 1 : row.passes),
    String(quick ? row.objects / QUICK_DIVISOR : row.objects),
    server,
  ];
  const ours: Side = { name: 'windlass', measure: (options) => figuresOfScript(OURS, args(options)) };
  return {
    name: `runtime/${what}`,
    unit,
    better,
    ours,
    bar,
    ...(peer !== undefined && {
      peer: { name: peer.name, measure: (options) => figuresOf(peer.program, args(options)) },
    }),
  };
}

export const runtime: Suite = {
  name: 'runtime',
  async prepare({ log, quick, isWanted }) {
    const skips: string[] = [];
    const had = async <T>(what: string, get: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await get();
      } catch (error) {
        if (!(error instanceof MissingNeedError)) throw error;
        skips.push(`${what}: ${error.message}`);
        return undefined;
      }
    };
    const wants = (rows: readonly Row[]): boolean => rows.some(({ what }) => isWanted(`runtime/${what}`));
    const peer = await had('runtime has no peer', () =>
      buildGoPeer('runtime', 'sigs.k8s.io/controller-runtime', log),
    );
    const stack = new AsyncDisposableStack();
    const benches: Bench[] = [];
    if (wants(replayed)) {
      const replay = stack.use(await startReplay(quick ? REPLAYED / QUICK_DIVISOR : REPLAYED, 0));
      benches.push(...replayed.map((row) => bench(row, replay.server, peer)));
    }
    if (wants(written)) {
      const cluster = await had('runtime writes nothing', () => startRealCluster());
      if (cluster !== undefined) {
        stack.use(cluster);
        benches.push(...written.map((row) => bench(row, cluster.kubeconfigPath, peer)));
      }
    }
    return { benches, skips, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  },
};
