// Measures our client against a running API server, in the shapes that bench/peers/client-node/client.mjs
// measures its own in. Prints one JSON object of figures, each the best of some passes.
//
// Usage: node --expose-gc client.ts get|list-cpu|list-heap PASSES COUNT KUBECONFIG
import { ConfigMap, Pod } from '@windlass/apimachinery/api/core/v1';
import { type Client, createClient, loadConfig } from '@windlass/client';

const CONCURRENCY = 32;
const WARM_UP_PASSES = 2;

type Scenario = (client: Client, count: number) => Promise<Record<string, number>>;

/** GETs a second of one small object: one after the other, and by several callers at once. */
const get: Scenario = async (client, count) => {
  const configMaps = client.resource(ConfigMap).namespace('bench');
  const perSecond = async (callers: number): Promise<number> => {
    let left = count;
    const started = performance.now();
    const caller = async (): Promise<void> => {
      while (left-- > 0) await configMaps.get('small');
    };
    await Promise.all(Array.from({ length: callers }, caller));
    return (count / (performance.now() - started)) * 1000;
  };
  return { sequential: await perSecond(1), concurrent: await perSecond(CONCURRENCY) };
};

/** Programs hold what they listed; with nothing held, V8 would forget the objects' shapes before each pass. */
let kept: unknown;

/** Milliseconds of processor time for a list of all pods: all threads, so that nothing hides in one. */
const listCpu: Scenario = async (client, count) => {
  collectGarbage();
  const before = process.cpuUsage();
  const list = await client.resource(Pod).namespace('bench').list();
  const { user, system } = process.cpuUsage(before);
  check(list.items.length, count);
  kept = list;
  return { list: (user + system) / 1000 };
};

/** Megabytes of heap that the list of all pods holds. */
const listHeap: Scenario = async (client, count) => {
  const before = memoryInUse();
  const list = await client.resource(Pod).namespace('bench').list();
  const figure = (memoryInUse() - before) / 1e6;
  check(list.items.length, count);
  return { list: figure };
};

function memoryInUse(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('run this with --expose-gc');
  globalThis.gc();
}

function check(found: number, expected: number): void {
  if (found !== expected) throw new Error(`the list has ${found} pods, not ${expected}`);
}

const scenarios: Readonly<Record<string, { run: Scenario; best: (...values: number[]) => number }>> = {
  get: { run: get, best: Math.max },
  'list-cpu': { run: listCpu, best: Math.min },
  'list-heap': { run: listHeap, best: Math.min },
};

const [name = '', passes = '', count = '', kubeconfig = ''] = process.argv.slice(2);
const scenario = scenarios[name];
if (scenario === undefined) throw new Error(`"${name}" is none of ${Object.keys(scenarios).join(', ')}`);
await using client = createClient({ config: await loadConfig({ path: kubeconfig }) });
const best: Record<string, number> = {};
for (let pass = -WARM_UP_PASSES; pass < Number(passes); pass++) {
  for (const [variant, figure] of Object.entries(await scenario.run(client, Number(count)))) {
    if (pass >= 0) best[variant] = scenario.best(figure, best[variant] ?? figure);
  }
}
console.log(JSON.stringify(best));
if (name === 'list-cpu' && kept === undefined) throw new Error('nothing was listed');
