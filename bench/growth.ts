// What each verb takes as objects grow up to the limit of a body. There is nobody beside us here: what counts is how
// steep it gets, and that nothing gets steeper than n log n.

import { ALL_SHAPES, MAX_STEEPNESS, SHAPES, type Shape } from '@windlass/apiserver/testing/growth';
import type { Bench, Series, Suite } from './lib/bench.ts';
import { outputOf } from './lib/child.ts';

const SCRIPT = new URL('./ours/growth.ts', import.meta.url);

interface Group {
  readonly what: string;
  readonly shapes: readonly Shape[];
  /** A line for each verb of one shape, or for each shape with the verbs together. */
  readonly lines: 'verbs' | 'shapes';
}

const named = (name: string): Shape[] => ALL_SHAPES.filter((shape) => shape.name === name);

const groups: readonly Group[] = [
  { what: 'verbs', lines: 'verbs', shapes: named('custom: map list') },
  { what: 'verbs-on-a-pod', lines: 'verbs', shapes: named('pod: environment') },
  ...Object.entries(SHAPES).map(([what, shapes]): Group => ({ what, lines: 'shapes', shapes })),
];

/** What the script prints last. */
interface Outcome {
  readonly steepness: number;
  readonly series: readonly Series[];
}

function bench({ what, lines, shapes }: Group): Bench {
  let series: readonly Series[] = [];
  return {
    name: `growth/${what}`,
    unit: 'steepest, as a power of the size',
    better: 'lower',
    bar: { kind: 'ours', below: MAX_STEEPNESS },
    ours: {
      name: 'windlass',
      async measure({ quick }) {
        const names = JSON.stringify(shapes.map(({ name }) => name));
        const args = ['--expose-gc', SCRIPT.pathname, lines, quick ? 'quick' : 'whole', names];
        const output = await outputOf(process.execPath, args);
        const outcome = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as Outcome; // printed by our script
        series = outcome.series;
        return { steepness: outcome.steepness };
      },
    },
    series: () => series,
  };
}

export const growth: Suite = {
  name: 'growth',
  prepare: async () => ({
    benches: groups.map(bench),
    skips: [],
    [Symbol.asyncDispose]: async () => {},
  }),
};
