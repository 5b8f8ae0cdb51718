// All of the gallery, with what a run says of each bug.
import type { OracleName, Simulation } from '@windlass/simulation';

/** One classic bug, and its fix. */
export interface Exhibit {
  /** The folder. */
  readonly name: string;
  /** Which oracle finds the bug. */
  readonly oracle: OracleName;
}

export const EXHIBITS: readonly Exhibit[] = [
  { name: 'stale-cache', oracle: 'invariant' },
  { name: 'deleted-by-name', oracle: 'invariant' },
  { name: 'forgotten-owner', oracle: 'left behind' },
  { name: 'two-writes', oracle: 'end state' },
  { name: 'status-over-spec', oracle: 'invariant' },
  { name: 'finalizer-too-early', oracle: 'invariant' },
  { name: 'finalizer-forever', oracle: 'left behind' },
  { name: 'created-twice', oracle: 'invariant' },
  { name: 'never-requeued', oracle: 'end state' },
  { name: 'hot-loop', oracle: 'hot loop' },
  { name: 'former-leader', oracle: 'former leader' },
  { name: 'unobserved-state', oracle: 'invariant' },
  { name: 'assumed-order', oracle: 'invariant' },
];

/** The simulation of one file, as `windlass sim` finds it. */
export async function simulationOf(name: string, variant: 'bug' | 'fixed'): Promise<Simulation> {
  const file = new URL(`./${name}/${variant}.ts`, import.meta.url);
  // Each of these files exports one by default.
  const { default: simulation } = (await import(file.href)) as { readonly default: Simulation };
  return simulation;
}
