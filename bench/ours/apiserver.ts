// The load on an API server, the same for ours and for a real one: our client over mTLS.
// Prints one JSON object of figures.
//
// Usage: node --expose-gc apiserver.ts create|list|fan-out|fill COUNT KUBECONFIG

import { isAlreadyExists } from '@windlass/apimachinery';
import { ConfigMap, Namespace } from '@windlass/apimachinery/api/core/v1';
import { type Client, createClient, loadConfig } from '@windlass/client';

const CLIENTS = 32;
const WATCHERS = 100;
/** About as large as the objects that people store. */
const FILLER = 'x'.repeat(700);

type Scenario = (client: Client, count: number) => Promise<Record<string, number>>;

const object = (name: string): ConfigMap => ({
  metadata: { name, labels: { app: 'bench' } },
  data: { a: FILLER },
});

async function createAll(client: Client, namespace: string, count: number): Promise<void> {
  const maps = client.resource(ConfigMap).namespace(namespace);
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await maps.create(object(`m${index}`));
  };
  await Promise.all(Array.from({ length: CLIENTS }, caller));
}

async function freshNamespace(client: Client): Promise<string> {
  const name = `bench-${process.pid}-${Math.floor(performance.now())}`;
  await client.resource(Namespace).create({ metadata: { name } });
  return name;
}

/** Durable creates a second by 32 callers. */
const create: Scenario = async (client, count) => {
  const namespace = await freshNamespace(client);
  await createAll(client, namespace, Math.min(200, count));
  const measured = await freshNamespace(client);
  const started = performance.now();
  await createAll(client, measured, count);
  return { creates: (count / (performance.now() - started)) * 1000 };
};

/** Puts objects where `list` finds them. */
const fill: Scenario = async (client, count) => {
  try {
    await client.resource(Namespace).create({ metadata: { name: 'bench-list' } });
    await createAll(client, 'bench-list', count);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  return { filled: count };
};

/** Milliseconds for a list of all of them. */
const list: Scenario = async (client, count) => {
  const maps = client.resource(ConfigMap).namespace('bench-list');
  let best = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < 3; pass++) {
    const started = performance.now();
    const { items } = await maps.list({ resourceVersion: '0' });
    best = Math.min(best, performance.now() - started);
    // A namespace may come with objects of its own.
    if (items.length < count) throw new Error(`the list has ${items.length} items, not ${count}`);
  }
  return { list: best };
};

/** Events a second that arrive at a hundred watchers together. */
const fanOut: Scenario = async (client, count) => {
  const namespace = await freshNamespace(client);
  const maps = client.resource(ConfigMap).namespace(namespace);
  const { metadata } = await maps.list();
  let received = 0;
  const all = Promise.withResolvers<void>();
  const stop = new AbortController();
  const watch = async (): Promise<void> => {
    try {
      for await (const batch of maps.watchBatches({
        resourceVersion: metadata.resourceVersion ?? '',
        signal: stop.signal,
      })) {
        received += batch.length;
        if (received >= count * WATCHERS) all.resolve();
      }
    } catch (error) {
      if (!stop.signal.aborted) all.reject(error);
    }
  };
  const watchers = Array.from({ length: WATCHERS }, watch);
  const started = performance.now();
  await createAll(client, namespace, count);
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
await using client = createClient({
  config: await loadConfig({ path: kubeconfig }),
  http: { connections: CLIENTS },
});
console.log(JSON.stringify(await run(client, Number(count))));
