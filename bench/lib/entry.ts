import type { Series } from './bench.ts';

/** One benchmark as it was measured last, and under which circumstances. */
export interface Entry {
  readonly bench: string;
  readonly ours: number;
  readonly peer: number | null;
  readonly peerName: string | null;
  readonly ratio: number | null;
  readonly unit: string;
  readonly bar: string | null;
  readonly ok: boolean | null;
  /** `wall`, or `cpu` where processor time was counted. */
  readonly time: 'wall' | 'cpu';
  readonly rounds: number;
  /** The day, as 2026-01-31. */
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  /** Times over sizes. */
  readonly series?: readonly Series[];
}

/** Suites by name, each with its entries. */
export function suitesOf(entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  return Map.groupBy(entries, ({ bench }) => bench.split('/')[0] ?? bench);
}
