import type { Figures, MeasureOptions, Side } from './bench.ts';

/**
 * One run of one side that several benchmarks read: requests a second, and the processor time of one. Each benchmark
 * takes its n-th measurement from the n-th run, whichever of them comes first makes it.
 */
export function sharedRuns(
  run: (options: MeasureOptions) => Promise<Figures>,
): (figure: string) => Side['measure'] {
  const runs: Promise<Figures>[] = [];
  return (figure) => {
    let next = 0;
    return async (options) => {
      const index = next++;
      const figures = await (runs[index] ??= run(options));
      const value = figures[figure];
      if (value === undefined)
        throw new Error(`the run measured ${Object.keys(figures).join(', ')}, not ${figure}`);
      return { [figure]: value };
    };
  };
}
