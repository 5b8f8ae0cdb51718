// Measures our informer against a server, in the shapes that the peers measure theirs in. Prints one JSON
// object of figures.
//
// Usage: node --expose-gc informer.ts sync|heap|watch PASSES OBJECTS EVENTS SERVER stream|list
// SERVER is an address, or the path of a kubeconfig.
import type { KubeObject } from '@windlass/apimachinery';
import { createClient, loadConfig } from '@windlass/client';
import { clientListWatch, type EventHandler, SharedInformer } from '@windlass/informer';
import {
  afterTheLastBuffers,
  collectGarbage,
  EventRate,
  memoryInUse,
  runPasses,
  type Scenario,
  usedMs,
} from '../informer/passes.ts';
import { VOLUME } from '../informer/volumes.ts';

const [name = '', passes = '', objects = '', events = '', server = '', form = ''] = process.argv.slice(2);
const config = server.startsWith('/') ? await loadConfig({ path: server }) : { server };

/** Programs have informers; with none alive, V8 would forget their optimised code at each collection. */
let alive: SharedInformer<KubeObject> | undefined;

async function withInformer(
  handler: EventHandler<KubeObject>,
  use: (informer: SharedInformer<KubeObject>) => Promise<number>,
): Promise<number> {
  await using client = createClient({ config });
  await using informer = new SharedInformer<KubeObject>({
    listWatch: clientListWatch(client.resource(VOLUME)),
    resource: VOLUME,
    streaming: form === 'stream',
  });
  alive = informer;
  const registration = informer.addHandler(handler);
  const figure = await use(informer);
  await registration.remove();
  return figure;
}

/** Milliseconds from the start until the handler has been told of everything. */
function sync(): Promise<number> {
  let told = 0;
  return withInformer({ onAdd: () => void told++ }, async (informer) => {
    collectGarbage();
    const started = usedMs();
    informer.start();
    await informer.synced();
    const figure = usedMs() - started;
    if (told !== Number(objects)) throw new Error(`told of ${told} objects, not ${objects}`);
    return figure;
  });
}

/** Megabytes that the cache holds. */
function heap(): Promise<number> {
  alive = undefined;
  const before = memoryInUse();
  return withInformer({}, async (informer) => {
    informer.start();
    await informer.synced();
    await afterTheLastBuffers();
    const figure = (memoryInUse() - before) / 1e6;
    if (informer.indexer.size !== Number(objects)) throw new Error(`holds ${informer.indexer.size} objects`);
    return figure;
  });
}

/** Events a second, from the first to the last. */
function watch(): Promise<number> {
  const rate = new EventRate(Number(events));
  return withInformer({ onUpdate: () => rate.count() }, (informer) => {
    collectGarbage();
    informer.start();
    return rate.perSecond;
  });
}

const scenarios: Readonly<Record<string, Scenario>> = {
  sync: { run: sync, best: Math.min },
  heap: { run: heap, best: Math.min },
  watch: { run: watch, best: Math.max },
};
await runPasses(scenarios[name], Number(passes));
if (alive === undefined) throw new Error('nothing was measured');
