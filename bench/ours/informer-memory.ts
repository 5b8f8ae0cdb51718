// Measures what an informer costs without a server: lookups, fan-out to handlers, growth. In the shapes of
// bench/peers/informer/memory.go. Prints one JSON object of figures.
//
// Usage: node --expose-gc informer-memory.ts index|fan-out|growth PASSES OBJECTS EVENTS
import type { KubeObject, RawWatchEvent } from '@windlass/apimachinery';
import { orAbort } from '@windlass/base';
import { type ListWatch, SharedInformer } from '@windlass/informer';
import { collectGarbage, runPasses, type Scenario, usedMs } from '../informer/passes.ts';
import { changedObjects, OBJECTS_PER_NODE, SMALL, STRIDE, smallObject } from '../informer/small-objects.ts';
import { VOLUME } from '../informer/volumes.ts';

const [name = '', passes = '', objects = '', events = ''] = process.argv.slice(2);
const HANDLERS = 10;
const BATCH = 1000;

/** Serves a list, and the batches that it is given, one after the other, when it is told to. */
class Source implements ListWatch<KubeObject> {
  readonly #count: number;
  readonly #begin = Promise.withResolvers<readonly (readonly RawWatchEvent[])[]>();

  constructor(count: number) {
    this.#count = count;
  }

  begin(batches: readonly (readonly RawWatchEvent[])[]): void {
    this.#begin.resolve(batches);
  }

  async list() {
    const items = Array.from({ length: this.#count }, (_, index) => smallObject(index, index + 1));
    return { items, resourceVersion: String(this.#count), continueToken: undefined };
  }

  async watch({
    signal,
  }: {
    readonly signal: AbortSignal;
  }): Promise<AsyncIterable<readonly RawWatchEvent[]>> {
    return this.#events(signal);
  }

  async *#events(signal: AbortSignal): AsyncGenerator<readonly RawWatchEvent[]> {
    yield* await orAbort(this.#begin.promise, signal);
    await orAbort(new Promise(() => {}), signal);
  }
}

function changes(count: number, total: number): RawWatchEvent[][] {
  const events = changedObjects(count, total).map((object): RawWatchEvent => ({ type: 'MODIFIED', object }));
  const batches: RawWatchEvent[][] = [];
  for (let done = 0; done < total; done += BATCH) batches.push(events.slice(done, done + BATCH));
  return batches;
}

async function withInformer(
  count: number,
  use: (informer: SharedInformer<KubeObject>, source: Source) => Promise<number>,
): Promise<number> {
  const source = new Source(count);
  await using informer = new SharedInformer<KubeObject>({
    listWatch: source,
    resource: VOLUME,
    streaming: false,
    indexers: { node: (volume) => [volume.metadata?.labels?.['node'] ?? ''] },
  });
  informer.start();
  await informer.synced();
  return await use(informer, source);
}

/** Nanoseconds of a lookup of ten objects by an index. */
function index(): Promise<number> {
  const lookups = Number(events);
  return withInformer(Number(objects), async ({ indexer }) => {
    const nodes = indexer.indexValues('node');
    collectGarbage();
    const started = usedMs();
    let found = 0;
    for (let lookup = 0; lookup < lookups; lookup++)
      found += indexer.byIndex('node', nodes[(lookup * STRIDE) % nodes.length] ?? '').length;
    const figure = ((usedMs() - started) * 1e6) / lookups;
    if (found !== lookups * OBJECTS_PER_NODE) throw new Error(`found ${found} objects`);
    return figure;
  });
}

/** Milliseconds until every handler has been told of every change. */
async function tell(count: number, total: number, handlers: number): Promise<number> {
  return withInformer(count, async (informer, source) => {
    const batches = changes(count, total);
    let left = handlers;
    const done = Promise.withResolvers<void>();
    for (let handler = 0; handler < handlers; handler++) {
      let seen = 0;
      const registration = informer.addHandler({
        onUpdate: () => {
          if (++seen === total && --left === 0) done.resolve();
        },
      });
      await registration.synced();
    }
    collectGarbage();
    const started = usedMs();
    source.begin(batches);
    await done.promise;
    return usedMs() - started;
  });
}

/** Events a second that ten handlers are told of. */
const fanOut = async (): Promise<number> =>
  (Number(events) / (await tell(Number(objects), Number(events), HANDLERS))) * 1000;

/** How many times longer an event takes among all objects than among ten thousand. */
async function growth(): Promise<number> {
  const small = await tell(SMALL, Number(events), 1);
  return (await tell(Number(objects), Number(events), 1)) / small;
}

const scenarios: Readonly<Record<string, Scenario>> = {
  index: { run: index, best: Math.min },
  'fan-out': { run: fanOut, best: Math.max },
  growth: { run: growth, best: Math.min },
};
await runPasses(scenarios[name], Number(passes));
