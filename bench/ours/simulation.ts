// Runs seeds of our own whole cluster, a cluster at rest, or many small runs. Prints one JSON object of figures.
//
// Usage: node --expose-gc simulation.ts seeds|rest|memory COUNT
import { setImmediate as turn } from 'node:timers/promises';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { Explorer, type SimulationOptions } from '@windlass/simulation';
import workloads from '../../tests/simulations/workloads.ts';

const HOUR = 3_600_000;
const [what = '', count = '1'] = process.argv.slice(2);

/** Two replicas of a program that does nothing, of which one leads. */
const idle = (hours: number): SimulationOptions => ({
  nodes: 3,
  processes: {
    idle: {
      replicas: 2,
      leaderElection: true,
      setUp: (manager) =>
        void manager
          .controller('idle')
          .for(ConfigMap)
          .reconcile(() => {}),
    },
  },
  workload: ({ pass }) => pass(hours * HOUR),
  deletesAll: false,
});

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** A run that ends early would look like a fast one. */
async function passing(explorer: Explorer, seed: number, options: { plan?: [] } = {}): Promise<void> {
  const { failure } = await explorer.run(seed, options);
  if (failure !== undefined) throw new Error(`seed ${seed}: ${failure.message}`);
}

/** Milliseconds a seed, with one process: two do twice as many. */
async function seeds(): Promise<number> {
  const explorer = new Explorer(workloads.options);
  await explorer.run(1);
  const all = Array.from({ length: Number(count) }, (_, index) => index + 2);
  return (
    (await milliseconds(async () => {
      for (const seed of all) await passing(explorer, seed);
    })) / all.length
  );
}

/** Milliseconds that an hour of virtual time takes when nothing is to be done. */
async function rest(): Promise<number> {
  const run = async (hours: number): Promise<number> => {
    const explorer = new Explorer(idle(hours));
    // The first run of an explorer is preceded by the one without faults, which would count twice.
    await explorer.run(1, { plan: [] });
    return milliseconds(() => passing(explorer, 2, { plan: [] }));
  };
  await run(0.5);
  const short = await run(0);
  return ((await run(Number(count))) - short) / Number(count);
}

/** Megabytes that so many more runs leave behind. */
async function memory(): Promise<number> {
  const explorer = new Explorer({ ...idle(0), nodes: 0 });
  const heap = async (): Promise<number> => {
    await turn();
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 1e6;
  };
  for (let seed = 1; seed <= 20; seed++) await passing(explorer, seed);
  const before = await heap();
  for (let seed = 21; seed <= 20 + Number(count); seed++) await passing(explorer, seed);
  return (await heap()) - before;
}

const measures: Readonly<Record<string, () => Promise<number>>> = { seeds, rest, memory };
const measure = measures[what];
if (measure === undefined) throw new Error(`"${what}" is none of ${Object.keys(measures).join(', ')}`);
console.log(JSON.stringify({ figure: Number((await measure()).toFixed(2)) }));
