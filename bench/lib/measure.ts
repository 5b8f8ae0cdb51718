import type { Bar, Bench, Figures, MeasureOptions, Result } from './bench.ts';

export interface RunOptions extends MeasureOptions {
  readonly rounds: number;
}

/** Ours and the peer's in turns, so that whatever else the machine does meets both alike. */
export async function measure(bench: Bench, options: RunOptions): Promise<Result> {
  const ours: number[] = [];
  const peers: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    ours.push(best(bench, await bench.ours.measure(options)));
    if (bench.peer !== undefined) peers.push(best(bench, await bench.peer.measure(options)));
  }
  return conclude(bench, median(ours), peers.length === 0 ? undefined : median(peers));
}

export function conclude(bench: Bench, ours: number, peer: number | undefined): Result {
  const ratio = peer === undefined ? undefined : bench.better === 'lower' ? peer / ours : ours / peer;
  return { bench, ours, peer, ratio, ok: meets(bench.bar, ours, ratio) };
}

function meets(bar: Bar | undefined, ours: number, ratio: number | undefined): boolean | undefined {
  if (bar?.kind === 'ours')
    return ours < bar.below && (ratio ?? Number.POSITIVE_INFINITY) >= (bar.atLeast ?? 0);
  return bar === undefined || ratio === undefined ? undefined : ratio >= bar.atLeast;
}

function best(bench: Bench, figures: Figures): number {
  const values = Object.values(figures);
  if (values.length === 0 || values.some((value) => !Number.isFinite(value))) {
    throw new Error(`${bench.name} measured ${JSON.stringify(figures)}; it needs finite numbers`);
  }
  return bench.better === 'lower' ? Math.min(...values) : Math.max(...values);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[middle - 1], sorted[middle]];
  if (high === undefined) throw new Error('there is no median of no values');
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2;
}
