// What the programs of this suite measure with.

/** A figure of one pass, and which of two is the better one. */
export interface Scenario {
  readonly run: () => Promise<number>;
  readonly best: (...figures: number[]) => number;
}

/** Prints the best figure of some passes, as JSON. The first pass of several only warms up. */
export async function runPasses(scenario: Scenario | undefined, passes: number): Promise<void> {
  if (scenario === undefined) throw new Error(`there is no scenario "${process.argv[2]}"`);
  if (passes > 1) await scenario.run();
  let best: number | undefined;
  for (let pass = 0; pass < passes; pass++) {
    const figure = await scenario.run();
    best = scenario.best(figure, best ?? figure);
  }
  console.log(JSON.stringify({ best }));
}

/** Milliseconds of the wall, or with BENCH_CPU those of the processor, of all threads. */
export function usedMs(): number {
  if (process.env['BENCH_CPU'] === undefined) return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export function memoryInUse(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

export function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('run this with --expose-gc');
  globalThis.gc();
}

/** The last buffers of a connection are let go of after the next turn. */
export const afterTheLastBuffers = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

/** Events a second, from the first that is counted to the last. */
export class EventRate {
  readonly #expected: number;
  readonly #done = Promise.withResolvers<number>();
  #seen = 0;
  #first = 0;

  constructor(expected: number) {
    this.#expected = expected;
  }

  count(): void {
    if (this.#seen++ === 0) this.#first = usedMs();
    if (this.#seen === this.#expected) this.#done.resolve((this.#seen / (usedMs() - this.#first)) * 1000);
  }

  get perSecond(): Promise<number> {
    return this.#done.promise;
  }
}
