// What no cache can do without: the bytes, JSON.parse and Map.set. Measured in the shapes of ours.
//
// Usage: node --expose-gc floor.ts sync|heap|watch PASSES OBJECTS EVENTS SERVER
//        node --expose-gc floor.ts growth PASSES OBJECTS EVENTS
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { KubeList, KubeObject } from '@windlass/apimachinery';
import {
  afterTheLastBuffers,
  collectGarbage,
  EventRate,
  memoryInUse,
  runPasses,
  type Scenario,
  usedMs,
} from './passes.ts';
import { changedObjects, SMALL, smallObject } from './small-objects.ts';
import { VOLUME } from './volumes.ts';

const [name = '', passes = '', objects = '', events = '', server = ''] = process.argv.slice(2);
const url = `${server}/apis/${VOLUME.group}/${VOLUME.version}/${VOLUME.plural}`;

type Cache = Map<string, KubeObject>;

async function open(target: string): Promise<IncomingMessage> {
  const [response] = (await once(get(target, { agent: new Agent() }), 'response')) as [IncomingMessage];
  return response;
}

async function list(): Promise<Cache> {
  const chunks: Buffer[] = [];
  const response = await open(url);
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(response, 'end');
  response.destroy();
  const { items } = JSON.parse(Buffer.concat(chunks).toString()) as KubeList<KubeObject>;
  const cache: Cache = new Map();
  for (const item of items) cache.set(item.metadata?.name ?? '', item);
  if (cache.size !== Number(objects)) throw new Error(`${cache.size} objects came, not ${objects}`);
  return cache;
}

/** Kept alive, as ours is. */
let alive: Cache | undefined;

async function sync(): Promise<number> {
  collectGarbage();
  const started = usedMs();
  alive = await list();
  return usedMs() - started;
}

async function heap(): Promise<number> {
  alive = undefined;
  const before = memoryInUse();
  alive = await list();
  await afterTheLastBuffers();
  return (memoryInUse() - before) / 1e6;
}

async function watch(): Promise<number> {
  const cache = await list();
  alive = cache;
  const rate = new EventRate(Number(events));
  collectGarbage();
  const response = await open(`${url}?watch=true`);
  let rest = '';
  response.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { object } = JSON.parse(line) as { object: KubeObject };
      cache.set(object.metadata?.name ?? '', object);
      rate.count();
    }
  });
  const figure = await rate.perSecond;
  response.destroy();
  return figure;
}

/** How many times longer a Map takes for a change among all objects than among ten thousand. */
async function growth(): Promise<number> {
  return setAll(Number(objects)) / setAll(SMALL);
}

function setAll(count: number): number {
  const cache: Cache = new Map();
  const put = (changed: KubeObject): unknown => cache.set(changed.metadata?.name ?? '', changed);
  for (let index = 0; index < count; index++) put(smallObject(index, index + 1));
  const changes = changedObjects(count, Number(events));
  alive = cache;
  collectGarbage();
  const started = usedMs();
  for (const changed of changes) put(changed);
  return usedMs() - started;
}

const scenarios: Readonly<Record<string, Scenario>> = {
  sync: { run: sync, best: Math.min },
  heap: { run: heap, best: Math.min },
  watch: { run: watch, best: Math.max },
  growth: { run: growth, best: Math.min },
};
await runPasses(scenarios[name], Number(passes));
if (alive === undefined) throw new Error('nothing was measured');
