// The load on an API server, the same for ours and for a real one, over mTLS, by a client that parses nothing:
// a client that does would be the limit. Prints one JSON object of figures.
//
// Usage: node apiserver.ts create|list|fan-out|fill COUNT KUBECONFIG
import { type RawApi, rawApi } from '../lib/raw-api.ts';

const CLIENTS = 32;
const WATCHERS = 100;
/** About as large as the objects that people store. */
const FILLER = 'x'.repeat(700);

type Scenario = (api: RawApi, count: number) => Promise<Record<string, number>>;

const mapsIn = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`;

const configMap = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench' } },
    data: { a: FILLER },
  });

async function createNamespace(api: RawApi, name: string): Promise<void> {
  await api.post(
    '/api/v1/namespaces',
    JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
  );
}

async function createAll(api: RawApi, namespace: string, count: number): Promise<void> {
  const bodies = Array.from({ length: count }, (_, index) => configMap(`m${index}`));
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++])
      await api.post(mapsIn(namespace), body);
  };
  await Promise.all(Array.from({ length: CLIENTS }, caller));
}

async function freshNamespace(api: RawApi): Promise<string> {
  const name = `bench-${process.pid}-${Math.floor(performance.now())}`;
  await createNamespace(api, name);
  return name;
}

/** Durable creates a second by 32 callers. */
const create: Scenario = async (api, count) => {
  await createAll(api, await freshNamespace(api), Math.min(500, count));
  const measured = await freshNamespace(api);
  const started = performance.now();
  await createAll(api, measured, count);
  return { creates: (count / (performance.now() - started)) * 1000 };
};

/** Puts objects where `list` finds them. */
const fill: Scenario = async (api, count) => {
  try {
    await createNamespace(api, 'bench-list');
  } catch (error) {
    if (!String(error).includes('already exists')) throw error;
    return { filled: 0 };
  }
  await createAll(api, 'bench-list', count);
  return { filled: count };
};

/** Milliseconds for a list of all of them. */
const list: Scenario = async (api, count) => {
  let best = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < 5; pass++) {
    const started = performance.now();
    const bytes = await api.size(`${mapsIn('bench-list')}?resourceVersion=0`);
    best = Math.min(best, performance.now() - started);
    if (bytes < count * FILLER.length) throw new Error(`the list has ${bytes} bytes, too few for ${count}`);
  }
  return { list: best };
};

/** Events a second that arrive at a hundred watchers together. */
const fanOut: Scenario = async (api, count) => {
  const namespace = await freshNamespace(api);
  let received = 0;
  const all = Promise.withResolvers<void>();
  const stop = new AbortController();
  const onLines = (lines: number): void => {
    received += lines;
    if (received >= count * WATCHERS) all.resolve();
  };
  const watch = async (): Promise<void> => {
    try {
      await api.lines(`${mapsIn(namespace)}?watch=true&resourceVersion=0`, stop.signal, onLines);
    } catch (error) {
      if (!stop.signal.aborted) all.reject(error);
    }
  };
  const watchers = Array.from({ length: WATCHERS }, watch);
  const started = performance.now();
  await createAll(api, namespace, count);
  await all.promise;
  const perSecond = (received / (performance.now() - started)) * 1000;
  stop.abort();
  await Promise.all(watchers);
  return { delivered: perSecond };
};

const scenarios: Readonly<Record<string, Scenario>> = { create, fill, list, 'fan-out': fanOut };
const [scenario = '', count = '', kubeconfig = ''] = process.argv.slice(2);
const run = scenarios[scenario];
if (run === undefined) throw new Error(`there is no scenario "${scenario}"`);
await using api = await rawApi(kubeconfig, CLIENTS);
console.log(JSON.stringify(await run(api, Number(count))));
