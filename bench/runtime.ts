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
  readonly what:
    | 'noop'
    | 'read'
    | 'noop-watched'
    | 'read-watched'
    | 'memory'
    | 'write'
    | 'latency-p50'
    | 'latency-p99';
  readonly unit: string;
  readonly better: Bench['better'];
  readonly passes: number;
  readonly objects: number;
  readonly bar: Bar;
  /** Compared with this one of our own. */
  readonly unwatched?: 'noop' | 'read';
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
  // While somebody looks at the console, beside the same with no console.
  ...(['noop', 'read'] as const).map(
    (what): Row => ({
      what: `${what}-watched`,
      unit: 'reconciles a second',
      better: 'higher',
      passes: 5,
      objects: REPLAYED,
      bar: atLeast(0.97),
      unwatched: what,
    }),
  ),
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
  const { what, unit, better, bar, unwatched } = row;
  const args = ({ quick }: MeasureOptions, of: string = what): string[] => [
    of,
    String(quick ? 1 : row.passes),
    String(quick ? row.objects / QUICK_DIVISOR : row.objects),
    server,
  ];
  const side = (name: string, of?: string): Side => ({
    name,
    measure: (options) => figuresOfScript(OURS, args(options, of)),
  });
  const shared = { name: `runtime/${what}`, unit, better, ours: side('windlass'), bar };
  if (unwatched !== undefined) return { ...shared, peer: side('windlass without a console', unwatched) };
  if (peer === undefined) return shared;
  const { name, program } = peer;
  return { ...shared, peer: { name, measure: (options) => figuresOf(program, args(options)) } };
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
