// Measures @kubernetes/client-node, in the shapes that bench/ours/client.ts measures ours in.
// Usage: node --expose-gc client.mjs get|list-cpu|list-heap PASSES COUNT KUBECONFIG
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';

const CONCURRENCY = 32;
const WARM_UP_PASSES = 2;

async function get(api, count) {
  const perSecond = async (callers) => {
    let left = count;
    const started = performance.now();
    const caller = async () => {
      while (left-- > 0) await api.readNamespacedConfigMap({ namespace: 'bench', name: 'small' });
    };
    await Promise.all(Array.from({ length: callers }, caller));
    return (count / (performance.now() - started)) * 1000;
  };
  return { sequential: await perSecond(1), concurrent: await perSecond(CONCURRENCY) };
}

// Kept alive, as ours is; see there.
let kept;

async function listCpu(api, count) {
  globalThis.gc();
  const before = process.cpuUsage();
  const list = await api.listNamespacedPod({ namespace: 'bench' });
  const { user, system } = process.cpuUsage(before);
  check(list.items.length, count);
  kept = list;
  return { list: (user + system) / 1000 };
}

async function listHeap(api, count) {
  const before = memoryInUse();
  const list = await api.listNamespacedPod({ namespace: 'bench' });
  const figure = (memoryInUse() - before) / 1e6;
  check(list.items.length, count);
  return { list: figure };
}

function memoryInUse() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function check(found, expected) {
  if (found !== expected) throw new Error(`the list has ${found} pods, not ${expected}`);
}

const scenarios = {
  get: { run: get, best: Math.max },
  'list-cpu': { run: listCpu, best: Math.min },
  'list-heap': { run: listHeap, best: Math.min },
};

const [name, passes, count, kubeconfig] = process.argv.slice(2);
const scenario = scenarios[name];
if (scenario === undefined) throw new Error(`"${name}" is none of ${Object.keys(scenarios).join(', ')}`);
const config = new KubeConfig();
config.loadFromFile(kubeconfig);
const api = config.makeApiClient(CoreV1Api);
const best = {};
for (let pass = -WARM_UP_PASSES; pass < Number(passes); pass++) {
  for (const [variant, figure] of Object.entries(await scenario.run(api, Number(count)))) {
    if (pass >= 0) best[variant] = scenario.best(figure, best[variant] ?? figure);
  }
}
console.log(JSON.stringify(best));
if (name === 'list-cpu' && kept === undefined) throw new Error('nothing was listed');
// It leaves a connection open for each request.
process.exit(0);
