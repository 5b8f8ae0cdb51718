// What simulations cost. Nobody does the same, so that there is no peer: the bars are those of the design.
import type { Bench, Suite } from './lib/bench.ts';
import { figuresOfScript } from './lib/child.ts';

const SCRIPT = new URL('./ours/simulation.ts', import.meta.url);

interface Row {
  readonly what: 'seeds' | 'rest' | 'memory';
  readonly unit: string;
  readonly below: number;
  readonly counts: { readonly quick: number; readonly whole: number };
}

const rows: readonly Row[] = [
  // Sixty a minute on two cores.
  {
    what: 'seeds',
    unit: 'ms a seed of our whole cluster, one core',
    below: 2000,
    counts: { quick: 2, whole: 30 },
  },
  {
    what: 'rest',
    unit: 'ms an hour of virtual time at rest',
    below: 1000,
    counts: { quick: 0.2, whole: 4 },
  },
  {
    what: 'memory',
    unit: 'MB that a thousand runs leave behind',
    below: 20,
    counts: { quick: 20, whole: 1000 },
  },
];

function bench({ what, unit, below, counts }: Row): Bench {
  return {
    name: `simulation/${what}`,
    unit,
    better: 'lower',
    bar: { kind: 'ours', below },
    ours: {
      name: 'windlass',
      measure: ({ quick }) => figuresOfScript(SCRIPT, [what, String(quick ? counts.quick : counts.whole)]),
    },
  };
}

export const simulation: Suite = {
  name: 'simulation',
  prepare: async () => ({ benches: rows.map(bench), skips: [], [Symbol.asyncDispose]: async () => {} }),
};
