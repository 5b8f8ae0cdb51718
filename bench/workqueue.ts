// Our work queue beside client-go's: the same work, on the same keys, on the same machine.
import { MissingNeedError } from '../tests/real/harness/needs.ts';
import type { Bar, Bench, Side, Suite } from './lib/bench.ts';
import { figuresOf, figuresOfScript } from './lib/child.ts';
import { buildGoPeer, type GoPeer } from './lib/go-peer.ts';

interface Row {
  readonly what: string;
  readonly unit: string;
  readonly passes: number;
  readonly count: number;
  readonly bar?: Bar;
  /** The peer's scenario. @default the same as ours */
  readonly peerScenario?: string;
}

const THREE_TIMES: Bar = { kind: 'ratio', atLeast: 3 };

const rows: readonly Row[] = [
  { what: 'distinct', unit: 'ns a key', passes: 20, count: 100_000, bar: THREE_TIMES },
  { what: 'distinct-awaited', unit: 'ns a key', passes: 20, count: 100_000, peerScenario: 'distinct' },
  { what: 'distinct-unhashed', unit: 'ns a key', passes: 20, count: 100_000, peerScenario: 'distinct' },
  { what: 'hot', unit: 'ns a run', passes: 5, count: 1_000_000, bar: THREE_TIMES },
  { what: 'add-after', unit: 'ns a key', passes: 2, count: 1_000_000, bar: THREE_TIMES },
  { what: 'add-after-drain', unit: 'ns a key', passes: 2, count: 1_000_000, bar: THREE_TIMES },
  { what: 'retry', unit: 'ns a run', passes: 3, count: 100_000, bar: THREE_TIMES },
  { what: 'floor', unit: 'ns a key', passes: 20, count: 100_000, peerScenario: 'distinct' },
  { what: 'floor-million', unit: 'ns a key', passes: 2, count: 1_000_000, peerScenario: 'add-after' },
  // Among a million keys, against among a thousand.
  { what: 'growth', unit: 'times', passes: 3, count: 1_000_000, bar: { kind: 'ours', below: 2 } },
  { what: 'heap', unit: 'bytes a key', passes: 1, count: 1_000_000 },
];

const OURS = new URL('./ours/workqueue.ts', import.meta.url);

function bench(row: Row, peer: GoPeer | undefined): Bench {
  const argumentsFor = (scenario: string, quick: boolean): string[] => [
    scenario,
    String(quick ? 1 : row.passes),
    String(quick ? row.count / 20 : row.count),
  ];
  const ours: Side = {
    name: 'windlass',
    measure: ({ quick }) => figuresOfScript(OURS, argumentsFor(row.what, quick)),
  };
  const side = peer && {
    name: peer.name,
    measure: ({ quick }: { quick: boolean }) =>
      figuresOf(peer.program, argumentsFor(row.peerScenario ?? row.what, quick)),
  };
  return {
    name: `workqueue/${row.what}`,
    unit: row.unit,
    better: 'lower',
    ours,
    ...(side === undefined ? {} : { peer: side }),
    ...(row.bar === undefined ? {} : { bar: row.bar }),
  };
}

export const workqueue: Suite = {
  name: 'workqueue',
  async prepare({ log }) {
    const skips: string[] = [];
    const peer = await buildGoPeer('workqueue', 'k8s.io/client-go', log).catch((error: unknown) => {
      if (!(error instanceof MissingNeedError)) throw error;
      skips.push(`workqueue has no peer: ${error.message}`);
      return undefined;
    });
    return { benches: rows.map((row) => bench(row, peer)), skips, [Symbol.asyncDispose]: async () => {} };
  },
};
