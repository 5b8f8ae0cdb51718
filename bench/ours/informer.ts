// Measures our informer, in the shapes that the peers measure theirs in. Prints one JSON object of figures.
//
// Usage: node --expose-gc informer.ts SCENARIO SERVER OBJECTS EVENTS
import type { KubeObject } from '@windlass/apimachinery';
import { createClient } from '@windlass/client';
import { clientListWatch, type EventHandler, SharedInformer } from '@windlass/informer';
import { VOLUME } from '../informer/volumes.ts';

const [scenario = '', server = '', objects = '', events = ''] = process.argv.slice(2);

function usedMs(): number {
  if (process.env['BENCH_CPU'] === undefined) return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function memoryInUse(): number {
  if (globalThis.gc === undefined) throw new Error('run this with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function withInformer(
  streaming: boolean,
  handler: EventHandler<KubeObject>,
  use: (informer: SharedInformer<KubeObject>) => Promise<number>,
): Promise<number> {
  await using client = createClient({ config: { server } });
  await using informer = new SharedInformer<KubeObject>({
    listWatch: clientListWatch(client.resource(VOLUME)),
    resource: VOLUME,
    streaming,
  });
  informer.addHandler(handler);
  return await use(informer);
}

/** Milliseconds from the start until the handler has been told of everything. */
function sync(streaming: boolean): Promise<number> {
  let told = 0;
  return withInformer(streaming, { onAdd: () => void told++ }, async (informer) => {
    const started = usedMs();
    informer.start();
    await informer.synced();
    const figure = usedMs() - started;
    if (told !== Number(objects)) throw new Error(`told of ${told} objects, not ${objects}`);
    return figure;
  });
}

/** Megabytes that the cache holds. */
function heap(streaming: boolean): Promise<number> {
  const before = memoryInUse();
  return withInformer(streaming, {}, async (informer) => {
    informer.start();
    await informer.synced();
    // The last buffers of the connection are let go of after the next turn.
    await new Promise((resolve) => setTimeout(resolve, 50));
    const figure = (memoryInUse() - before) / 1e6;
    if (informer.indexer.size !== Number(objects)) throw new Error(`holds ${informer.indexer.size} objects`);
    return figure;
  });
}

/** Events a second, from the first to the last. */
function watch(streaming: boolean): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let seen = 0;
  let [first, last] = [0, 0];
  const handler = {
    onUpdate: () => {
      if (seen++ === 0) first = usedMs();
      if (seen !== Number(events)) return;
      last = usedMs();
      resolve();
    },
  };
  return withInformer(streaming, handler, async (informer) => {
    informer.start();
    await promise;
    return (seen / (last - first)) * 1000;
  });
}

const scenarios: Readonly<Record<string, (streaming: boolean) => Promise<number>>> = { sync, heap, watch };
const run = scenarios[scenario];
if (run === undefined) throw new Error(`"${scenario}" is none of ${Object.keys(scenarios).join(', ')}`);
const figures: Record<string, number> = {};
for (const variant of (process.env['BENCH_VARIANTS'] ?? 'stream,list').split(',')) {
  for (let pass = 0; pass < (scenario === 'sync' ? 5 : 2); pass++) {
    const figure = await run(variant === 'stream');
    const known = figures[variant] ?? figure;
    figures[variant] = scenario === 'watch' ? Math.max(known, figure) : Math.min(known, figure);
  }
}
console.log(JSON.stringify(figures));
