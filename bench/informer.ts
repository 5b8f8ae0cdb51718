// Our informer beside client-go's, @kubernetes/client-node's, and the floor: the same objects from the same
// server. Most of it against a server that replays recorded bytes, so that the client is what is measured.
import { join } from 'node:path';
import { MissingNeedError } from '../tests/real/harness/needs.ts';
import { startClusterWithVolumes } from './informer/real-volumes.ts';
import { startReplay } from './informer/replay.ts';
import type { Bar, Bench, Figures, MeasureOptions, Side, Suite } from './lib/bench.ts';
import { figuresOf, figuresOfScript } from './lib/child.ts';
import { buildGoPeer, type GoPeer } from './lib/go-peer.ts';
import { installNpmPeer, type NpmPeer } from './lib/npm-peer.ts';

const OURS = new URL('./ours/informer.ts', import.meta.url);
const OURS_IN_MEMORY = new URL('./ours/informer-memory.ts', import.meta.url);
const FLOOR = new URL('./informer/floor.ts', import.meta.url);

const OBJECTS = 20_000;
const EVENTS = 120_000;
const QUICK_DIVISOR = 40;

type PeerName = 'client-go' | 'client-node' | 'floor';

interface Row {
  readonly what: 'sync' | 'heap' | 'watch';
  readonly unit: string;
  readonly better: Bench['better'];
  readonly passes: number;
  readonly bars: Readonly<Record<PeerName, Bar | undefined>>;
}

/** Within 1.15 times of what nobody can do without. */
const AT_THE_FLOOR = atLeast(1 / 1.15);

const rows: readonly Row[] = [
  {
    what: 'sync',
    unit: 'ms',
    better: 'lower',
    passes: 4,
    bars: { 'client-go': atLeast(2), 'client-node': undefined, floor: AT_THE_FLOOR },
  },
  {
    what: 'heap',
    unit: 'MB',
    better: 'lower',
    passes: 2,
    bars: { 'client-go': atLeast(1 / 0.6), 'client-node': undefined, floor: AT_THE_FLOOR },
  },
  {
    what: 'watch',
    unit: 'events a second',
    better: 'higher',
    passes: 3,
    bars: { 'client-go': atLeast(3), 'client-node': atLeast(4), floor: AT_THE_FLOOR },
  },
];

interface MemoryRow {
  readonly what: 'index' | 'fan-out' | 'growth';
  readonly unit: string;
  readonly better: Bench['better'];
  readonly passes: number;
  readonly objects: number;
  readonly events: number;
  readonly bar?: Bar;
}

const memoryRows: readonly MemoryRow[] = [
  { what: 'index', unit: 'ns a lookup', better: 'lower', passes: 2, objects: 100_000, events: 1_000_000 },
  {
    what: 'fan-out',
    unit: 'events a second to 10 handlers',
    better: 'higher',
    passes: 1,
    objects: 10_000,
    events: 1_000_000,
  },
  // An event among a million objects, against among ten thousand: no worse than a Map alone.
  {
    what: 'growth',
    unit: 'times',
    better: 'lower',
    passes: 2,
    objects: 1_000_000,
    events: 200_000,
    bar: AT_THE_FLOOR,
  },
];

function atLeast(ratio: number): Bar {
  return { kind: 'ratio', atLeast: Number(ratio.toFixed(2)) };
}

interface Peers {
  readonly go: GoPeer | undefined;
  readonly node: NpmPeer | undefined;
}

/** The ways in which a list can come; the best counts. A quick look takes the one that users get. */
const forms = ({ quick }: MeasureOptions): readonly ('stream' | 'list')[] =>
  quick ? ['stream'] : ['stream', 'list'];

async function eachForm(
  options: MeasureOptions,
  measure: (form: 'stream' | 'list') => Promise<Figures>,
): Promise<Figures> {
  const figures: Record<string, number> = {};
  for (const form of forms(options)) figures[form] = Object.values(await measure(form))[0] ?? Number.NaN;
  return figures;
}

/** `passes`, `objects`, `events`: what every program of this suite is called with. */
function sizes({ quick }: MeasureOptions, passes: number, objects: number, events: number): string[] {
  return (quick ? [1, objects / QUICK_DIVISOR, events / QUICK_DIVISOR] : [passes, objects, events]).map(
    String,
  );
}

function ours({ what, passes }: Row, server: string): Side {
  return {
    name: 'windlass',
    measure: (options) =>
      eachForm(options, (form) =>
        figuresOfScript(OURS, [what, ...sizes(options, passes, OBJECTS, EVENTS), server, form]),
      ),
  };
}

function clientGo(row: Row, peer: GoPeer, server: string): Side {
  const { what } = row;
  // A pass of so many events is half a minute of its time, and it has nothing to warm up.
  const passes = what === 'watch' ? 1 : row.passes;
  return {
    name: peer.name,
    measure: (options) =>
      eachForm(options, (form) => {
        const env = { ...process.env, KUBE_FEATURE_WatchListClient: String(form === 'stream') };
        const args = [what, ...sizes(options, passes, OBJECTS, EVENTS), server];
        return figuresOf(peer.program, args, { env });
      }),
  };
}

function clientNode(row: Row, { name, folder }: NpmPeer, server: string): Side {
  const { what } = row;
  const program = join(folder, 'informer.mjs');
  // What its first informer leaves behind would hide what the second one takes.
  const passes = what === 'heap' ? 1 : row.passes;
  return {
    name,
    measure: (options) =>
      figuresOf(process.execPath, [
        '--expose-gc',
        program,
        what,
        ...sizes(options, passes, OBJECTS, EVENTS),
        server,
      ]),
  };
}

function floor({ what, passes }: Row, server: string): Side {
  return {
    name: 'bytes, JSON.parse, Map.set',
    measure: (options) => figuresOfScript(FLOOR, [what, ...sizes(options, passes, OBJECTS, EVENTS), server]),
  };
}

function replayBenches(row: Row, { go, node }: Peers, server: string): Bench[] {
  const { what, unit, better, bars } = row;
  const bench = (name: string, peer: Side | undefined, bar: Bar | undefined): Bench => ({
    name: `informer/${name}`,
    unit,
    better,
    ours: ours(row, server),
    ...(peer !== undefined && { peer }),
    ...(bar !== undefined && { bar }),
  });
  return [
    bench(what, go && clientGo(row, go, server), bars['client-go']),
    ...(node === undefined
      ? []
      : [bench(`${what}-client-node`, clientNode(row, node, server), bars['client-node'])]),
    bench(`${what}-floor`, floor(row, server), bars.floor),
  ];
}

function memoryBench(row: MemoryRow, { go }: Peers): Bench {
  const { what, unit, better, passes, objects, events, bar } = row;
  const args = (options: MeasureOptions): string[] => [what, ...sizes(options, passes, objects, events)];
  const map: Side = { name: 'Map', measure: (options) => figuresOfScript(FLOOR, args(options)) };
  const peer: Side | undefined =
    what === 'growth'
      ? map
      : go && { name: go.name, measure: (options) => figuresOf(go.program, args(options)) };
  return {
    name: `informer/${what}`,
    unit,
    better,
    ours: { name: 'windlass', measure: (options) => figuresOfScript(OURS_IN_MEMORY, args(options)) },
    ...(peer !== undefined && { peer }),
    ...(bar !== undefined && { bar }),
  };
}

const REAL_SYNC = 'informer/sync-real';

/** Against kube-apiserver, which is the limit then. */
function realBench(kubeconfig: string, { go }: Peers): Bench {
  const row: Row = { ...(rows[0] as Row), passes: 3 };
  return {
    name: REAL_SYNC,
    unit: 'ms, of kube-apiserver',
    better: 'lower',
    ours: ours(row, kubeconfig),
    ...(go !== undefined && { peer: clientGo(row, go, kubeconfig) }),
    bar: atLeast(1),
  };
}

export const informer: Suite = {
  name: 'informer',
  async prepare(options) {
    const { log, isWanted } = options;
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
    const [, objects = '', events = ''] = sizes(options, 1, OBJECTS, EVENTS);
    const [go, node, replay, cluster] = await Promise.all([
      orSkip('informer has no Go peer', buildGoPeer('informer', 'k8s.io/client-go', log)),
      orSkip('informer has no npm peer', installNpmPeer('client-node', '@kubernetes/client-node', log)),
      startReplay(Number(objects), Number(events)),
      isWanted(REAL_SYNC)
        ? orSkip(REAL_SYNC, startClusterWithVolumes(Number(objects), log))
        : Promise.resolve(undefined),
    ]);
    const peers: Peers = { go, node };
    return {
      benches: [
        ...rows.flatMap((row) => replayBenches(row, peers, replay.server)),
        ...memoryRows.map((row) => memoryBench(row, peers)),
        ...(cluster === undefined ? [] : [realBench(cluster.kubeconfigPath, peers)]),
      ],
      skips,
      async [Symbol.asyncDispose]() {
        await replay[Symbol.asyncDispose]();
        await cluster?.stop();
      },
    };
  },
};
