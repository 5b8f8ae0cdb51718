// All of the gallery, with what a run says of each bug.
import type { OracleName, Simulation } from '@windlass/simulation';

/** One classic bug, and its fix. */
export interface Exhibit {
  /** The folder. */
  readonly name: string;
  /** Which oracle finds the bug. */
  readonly oracle: OracleName;
  /** The first seed that finds it, as of now: a change of the simulator may make it another. */
  readonly seed: number;
}

export const EXHIBITS: readonly Exhibit[] = [
  { name: 'stale-cache', oracle: 'invariant', seed: 45 },
  { name: 'deleted-by-name', oracle: 'invariant', seed: 8 },
  { name: 'forgotten-owner', oracle: 'left behind', seed: 1 },
  { name: 'two-writes', oracle: 'end state', seed: 6 },
  { name: 'status-over-spec', oracle: 'invariant', seed: 8 },
  { name: 'finalizer-too-early', oracle: 'invariant', seed: 16 },
  { name: 'finalizer-forever', oracle: 'left behind', seed: 13 },
  { name: 'created-twice', oracle: 'invariant', seed: 5 },
  { name: 'never-requeued', oracle: 'end state', seed: 6 },
  { name: 'hot-loop', oracle: 'hot loop', seed: 1 },
  { name: 'former-leader', oracle: 'former leader', seed: 10 },
  { name: 'unobserved-state', oracle: 'invariant', seed: 7 },
  { name: 'assumed-order', oracle: 'invariant', seed: 12 },
];

/** The simulation of one file, as `windlass sim` finds it. */
export async function simulationOf(name: string, variant: 'bug' | 'fixed'): Promise<Simulation> {
  const file = new URL(`./${name}/${variant}.ts`, import.meta.url);
  // Each of these files exports one by default.
  const { default: simulation } = (await import(file.href)) as { readonly default: Simulation };
  return simulation;
}
