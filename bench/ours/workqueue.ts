// Measures our work queue, in the shapes that bench/peers/workqueue measures client-go's in. Prints one
// JSON object that maps each variant to its best pass: what else runs on the machine only ever adds.
//
// Usage: node --expose-gc workqueue.ts SCENARIO PASSES COUNT
import { WorkQueue } from '@windlass/workqueue';
import { StepClock } from '../lib/step-clock.ts';

/** The figures of one pass, one for each variant. */
type Scenario = (count: number) => Promise<Record<string, number>>;

/** Of processor time: V8 optimises in stages, and on a busy machine wall time says little about them. */
const WARM_UP_MS = 3000;
const MIN_WARM_UP_PASSES = 2;
const HOT_KEYS = 64;
const HOT_RE_ADDS = 3;
const HOUR_MS = 3_600_000;
const RETRY_FAILURES = 4;

/**
 * Keys as a worker queue gets them: strings that the informer's cache is keyed by. New ones for each
 * pass, so that nothing of an earlier pass helps; but V8 has computed their hash, because the cache
 * needed it. For a string that nobody looked up before, V8's first look costs several times as much as
 * the rest of add, get and done: `distinct-unhashed` shows that price.
 */
function cachedKeys(count: number): string[] {
  const keys = newStrings(count);
  const cache = new Map(keys.map((key, index) => [key, index]));
  if (cache.size !== count) throw new Error('the keys are not distinct');
  return keys;
}

/** Through a Buffer, so that none is a rope still to be flattened. */
function newStrings(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const text = `namespace-${i % 100}/deployment-7d4b9c6f5-${String(i).padStart(7, '0')}`;
    return Buffer.from(text, 'latin1').toString('latin1');
  });
}

/**
 * A queue that lives as long as the program, as every real one does. Without one, the collection before
 * each pass would take away the hidden classes of queues, and with them all code optimised for them.
 */
const keptAlive = new WorkQueue({ clock: new StepClock() });

function liveALittle(queue: WorkQueue): void {
  queue.add('kept');
  queue.addAfter('kept later', 1);
  queue.addRateLimited('kept failing');
  const item = queue.tryGet();
  if (item !== undefined) queue.done(item);
}

function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('run this with --expose-gc');
  globalThis.gc();
}

/**
 * Wall time, or what all threads together used of the processors where BENCH_CPU asks for that. No
 * collection is forced before: V8 takes it as a sign to throw optimised code away, and the pass would
 * measure its compiler. So what earlier passes left is collected on our time; the peer collects before.
 */
async function nanosecondsEach(count: number, work: () => void | Promise<void>): Promise<number> {
  const started = now();
  const pending = work();
  if (pending !== undefined) await pending;
  return (now() - started) / count;
}

function now(): number {
  return process.env['BENCH_CPU'] === undefined ? performance.now() * 1e6 : cpuMs() * 1e6;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function takeAll(queue: WorkQueue, expected: number): void {
  let taken = 0;
  for (let item = queue.tryGet(); item !== undefined; item = queue.tryGet()) {
    queue.done(item);
    taken++;
  }
  if (taken !== expected) throw new Error(`the queue handed out ${taken} keys of ${expected}`);
}

const distinct: Scenario = (count) => distinctOf(cachedKeys(count));
const distinctUnhashed: Scenario = (count) => distinctOf(newStrings(count));

async function distinctOf(keys: readonly string[]): Promise<Record<string, number>> {
  return {
    'tryGet()': await nanosecondsEach(keys.length, () => {
      const queue = new WorkQueue();
      for (const key of keys) queue.add(key);
      takeAll(queue, keys.length);
    }),
  };
}

/** As distinct, with a promise awaited for each key, as a worker that has to wait would do. */
const distinctAwaited: Scenario = async (count) => {
  const keys = cachedKeys(count);
  return {
    'await get()': await nanosecondsEach(count, async () => {
      const queue = new WorkQueue();
      for (const key of keys) queue.add(key);
      while (queue.length > 0) {
        const item = await queue.get();
        if (item !== undefined) queue.done(item);
      }
    }),
  };
};

const hot: Scenario = async (count) => {
  const queue = new WorkQueue();
  for (const key of cachedKeys(HOT_KEYS)) queue.add(key);
  return {
    'tryGet()': await nanosecondsEach(count, () => {
      for (let run = 0; run < count; run++) {
        const item = queue.tryGet();
        if (item === undefined) throw new Error('a hot key is missing');
        for (let again = 0; again < HOT_RE_ADDS; again++) queue.add(item.key);
        queue.done(item);
      }
    }),
  };
};

/** The same random milliseconds as the peer, from one hour up to two: none falls due by itself. */
function delays(count: number): Float64Array {
  let state = 2463534242;
  return Float64Array.from({ length: count }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return HOUR_MS + ((state >>> 0) % HOUR_MS);
  });
}

function addAllAfter(queue: WorkQueue, keys: readonly string[], waits: Float64Array): void {
  for (let i = 0; i < keys.length; i++) queue.addAfter(keys[i]!, waits[i]!);
}

const addAfter: Scenario = async (count) => {
  const keys = cachedKeys(count);
  const waits = delays(count);
  const queue = new WorkQueue();
  const figure = await nanosecondsEach(count, () => addAllAfter(queue, keys, waits));
  await queue.shutDown();
  return { 'real clock': figure };
};

const addAfterDrain: Scenario = async (count) => {
  const keys = cachedKeys(count);
  const waits = delays(count);
  const clock = new StepClock();
  return {
    'stepped clock': await nanosecondsEach(count, () => {
      const queue = new WorkQueue({ clock });
      addAllAfter(queue, keys, waits);
      clock.step(2 * HOUR_MS);
      takeAll(queue, count);
    }),
  };
};

const retry: Scenario = async (count) => {
  const keys = cachedKeys(count);
  const clock = new StepClock();
  const queue = new WorkQueue({ clock });
  const each = (work: (key: string) => void): void => {
    for (let run = 0; run < count; run++) {
      const item = queue.tryGet();
      if (item === undefined) throw new Error('a key is missing');
      work(item.key);
      queue.done(item);
    }
  };
  const fail = (key: string): void => void queue.addRateLimited(key);
  const succeed = (key: string): void => queue.forget(key);
  return {
    'tryGet()': await nanosecondsEach(count * (RETRY_FAILURES + 1), () => {
      for (const key of keys) queue.add(key);
      for (let failure = 0; failure < RETRY_FAILURES; failure++) {
        each(fail);
        clock.step(1000);
      }
      each(succeed);
    }),
  };
};

/**
 * What no queue of text keys can do without: one look into a Map for each add, one entry for each new key, one object
 * for each run. No order, no states, no time.
 */
const floor: Scenario = async (count) => {
  const keys = cachedKeys(count);
  return {
    'Map and objects': await nanosecondsEach(count, () => {
      const numbers = new Map<string, number>();
      for (const key of keys) if (!numbers.has(key)) numbers.set(key, numbers.size);
      let last = { key: '', number: 0 };
      for (const [key, number] of numbers) last = { key, number };
      if (last.number !== count - 1) throw new Error('a key is missing');
    }),
  };
};

/** How much dearer a key is among `count` than among a thousand. */
const growth: Scenario = async (count) => {
  const few = await passOver(1000, Math.ceil(count / 1000));
  return { 'tryGet()': (await passOver(count, 1)) / few };
};

function passOver(size: number, times: number): Promise<number> {
  const batches = Array.from({ length: times }, () => cachedKeys(size));
  const queue = new WorkQueue();
  return nanosecondsEach(size * times, () => {
    for (const keys of batches) {
      for (const key of keys) queue.add(key);
      takeAll(queue, size);
    }
  });
}

/** Bytes for each queued key, without the key itself. */
const heap: Scenario = async (count) => {
  const keys = cachedKeys(count);
  const before = memoryInUse();
  const queue = new WorkQueue();
  for (const key of keys) queue.add(key);
  const figure = (memoryInUse() - before) / count;
  takeAll(queue, keys.length);
  return { queued: figure };
};

function memoryInUse(): number {
  collectGarbage();
  collectGarbage();
  // Typed arrays live outside the JavaScript heap, but they are memory all the same.
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const scenarios: Readonly<Record<string, Scenario>> = {
  distinct,
  'distinct-awaited': distinctAwaited,
  'distinct-unhashed': distinctUnhashed,
  hot,
  'add-after': addAfter,
  'add-after-drain': addAfterDrain,
  retry,
  floor,
  'floor-million': floor,
  growth,
  heap,
};

const [name = '', passes = '', count = ''] = process.argv.slice(2);
const scenario = scenarios[name];
if (scenario === undefined) throw new Error(`"${name}" is none of ${Object.keys(scenarios).join(', ')}`);
liveALittle(keptAlive);
// A single pass is a look at whether it runs; its figure means little anyway.
if (Number(passes) > 1) {
  for (let pass = 0; pass < MIN_WARM_UP_PASSES || cpuMs() < WARM_UP_MS; pass++) await scenario(Number(count));
}
const best: Record<string, number> = {};
for (let pass = 0; pass < Number(passes); pass++) {
  for (const [variant, figure] of Object.entries(await scenario(Number(count)))) {
    best[variant] = Math.min(best[variant] ?? Number.POSITIVE_INFINITY, figure);
  }
}
console.log(JSON.stringify(best));
