// Measures the informer of @kubernetes/client-node, in the shapes that bench/ours/informer.ts measures
// ours in.
//
// Usage: node --expose-gc informer.mjs sync|heap|watch PASSES OBJECTS EVENTS SERVER
import { CustomObjectsApi, KubeConfig, makeInformer } from '@kubernetes/client-node';

const [name, passes, objects, events, server] = process.argv.slice(2);
const resource = { group: 'directpv.min.io', version: 'v1beta1', plural: 'directpvvolumes' };

function usedMs() {
  if (process.env.BENCH_CPU === undefined) return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function memoryInUse() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function newInformer() {
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'bench', server, skipTLSVerify: true }, { name: 'bench' });
  const api = config.makeApiClient(CustomObjectsApi);
  const path = `/apis/${resource.group}/${resource.version}/${resource.plural}`;
  const informer = makeInformer(config, path, () => api.listClusterCustomObject(resource));
  informer.on('error', (error) => {
    // That is how it ends when it is stopped.
    if (error.name !== 'AbortError') throw error;
  });
  return informer;
}

// Kept alive, as ours is; see there.
let alive;

// It resolves `start` once the list is told and the watch is asked for.
async function sync() {
  const informer = newInformer();
  let told = 0;
  const done = Promise.withResolvers();
  informer.on('add', () => {
    told++;
    if (told === Number(objects)) done.resolve();
  });
  alive = informer;
  globalThis.gc();
  const started = usedMs();
  await Promise.race([informer.start(), done.promise]);
  await done.promise;
  const figure = usedMs() - started;
  await informer.stop();
  return figure;
}

async function heap() {
  alive = undefined;
  const before = memoryInUse();
  const informer = newInformer();
  alive = informer;
  await informer.start();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const figure = (memoryInUse() - before) / 1e6;
  if (informer.list().length !== Number(objects)) throw new Error(`holds ${informer.list().length} objects`);
  await informer.stop();
  return figure;
}

async function watch() {
  const informer = newInformer();
  const done = Promise.withResolvers();
  let seen = 0;
  let first = 0;
  informer.on('update', () => {
    if (seen++ === 0) first = usedMs();
    if (seen === Number(events)) done.resolve((seen / (usedMs() - first)) * 1000);
  });
  alive = informer;
  globalThis.gc();
  await informer.start();
  const figure = await done.promise;
  await informer.stop();
  return figure;
}

const scenarios = {
  sync: { run: sync, best: Math.min },
  heap: { run: heap, best: Math.min },
  watch: { run: watch, best: Math.max },
};
const scenario = scenarios[name];
if (scenario === undefined) throw new Error(`"${name}" is none of ${Object.keys(scenarios).join(', ')}`);
if (Number(passes) > 1) await scenario.run();
let best;
for (let pass = 0; pass < Number(passes); pass++) {
  const figure = await scenario.run();
  best = scenario.best(figure, best ?? figure);
}
console.log(JSON.stringify({ best }));
if (alive === undefined) throw new Error('nothing was measured');
// It leaves a connection open for each request.
process.exit(0);
