// Measures our controllers against a server, in the shapes that bench/peers/runtime measures
// controller-runtime in. Prints one JSON object of figures.
//
// Usage: node --expose-gc runtime.ts noop|read|memory PASSES OBJECTS SERVER
//        node --expose-gc runtime.ts noop-watched|read-watched PASSES OBJECTS SERVER
//        node --expose-gc runtime.ts write|latency-p50|latency-p99 PASSES OBJECTS KUBECONFIG
import { spawn } from 'node:child_process';
import type { KubeObject } from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { loadConfig } from '@windlass/client';
import { liveConsole } from '@windlass/console';
import { Manager, type Reconcile } from '@windlass/runtime';
import {
  afterTheLastBuffers,
  collectGarbage,
  memoryInUse,
  runPasses,
  type Scenario,
  usedMs,
} from '../informer/passes.ts';
import { VOLUME, volume } from '../informer/volumes.ts';

const [name = '', passes = '', objects = '', server = ''] = process.argv.slice(2);
const count = Number(objects);
const WORKERS = 16;
const NAMESPACE = 'default';

/** Runs of each key until `count` have been made, in reconciles a second. */
async function rate({ manager, watched }: Measured, make: () => Reconcile): Promise<number> {
  const keys = volumeKeys();
  let left = keys.length;
  let done = Promise.withResolvers<void>();
  const reconcile = make();
  const isDone = (): void => {
    if (--left === 0) done.resolve();
  };
  const controller = manager
    .controller('bench')
    .for(VOLUME)
    .reconcile(
      (key, context) => {
        const outcome = reconcile(key, context);
        if (outcome instanceof Promise) return outcome.then(isDone);
        isDone();
        return outcome;
      },
      { concurrency: WORKERS },
    );
  await manager.start();
  await Promise.all([done.promise, watched]);
  let best = 0;
  for (let pass = 0; pass < Number(passes); pass++) {
    left = keys.length;
    done = Promise.withResolvers<void>();
    collectGarbage();
    const started = usedMs();
    for (const key of keys) controller.enqueue(key);
    await done.promise;
    best = Math.max(best, (keys.length / (usedMs() - started)) * 1000);
  }
  return best;
}

const volumeKeys = (): string[] =>
  Array.from({ length: count }, (_, index) => volume(index).metadata?.name ?? '');

interface Measured {
  readonly manager: Manager;
  /** Resolves when somebody looks. */
  readonly watched: Promise<unknown>;
}

/** With a console that somebody looks at all the time, or without one. */
function managerFor(isWatched: boolean): Measured {
  const looking = Promise.withResolvers<unknown>();
  if (!isWatched) return { manager: new Manager({ config: { server } }), watched: Promise.resolve() };
  const viewer = new URL('../lib/console-viewer.ts', import.meta.url).pathname;
  const onReady = (url: string): void => {
    const child = spawn(process.execPath, [viewer, url], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.once('data', looking.resolve);
    process.once('exit', () => child.kill());
  };
  const manager = new Manager({ config: { server }, console: liveConsole({ onReady }) });
  return { manager, watched: looking.promise };
}

async function noop(isWatched = false): Promise<number> {
  const measured = managerFor(isWatched);
  await using _ = measured.manager;
  return await rate(measured, () => () => undefined);
}

async function read(isWatched = false): Promise<number> {
  const measured = managerFor(isWatched);
  await using manager = measured.manager;
  const volumes = manager.objects<KubeObject & { status?: { fsuuid?: string } }>(VOLUME);
  let seen = 0;
  return await rate(measured, () => async (key) => {
    const found = await volumes.find(key);
    if (found?.status?.fsuuid !== undefined) seen++;
    if (seen < 0) throw new Error('unused');
  });
}

/** Megabytes that a manager with a controller and a filled cache holds. */
async function memory(): Promise<number> {
  const before = memoryInUse();
  await using manager = new Manager({ config: { server } });
  let left = count;
  const done = Promise.withResolvers<void>();
  manager
    .controller('bench')
    .for(VOLUME)
    .reconcile(
      () => {
        if (--left === 0) done.resolve();
      },
      { concurrency: WORKERS },
    );
  await manager.start();
  await done.promise;
  await afterTheLastBuffers();
  return (memoryInUse() - before) / 1e6;
}

/** The objects that are written to, made once. */
async function fill(manager: Manager): Promise<string[]> {
  const maps = manager.client.resource(ConfigMap).namespace(NAMESPACE);
  const names = Array.from({ length: count }, (_, index) => `bench-runtime-${index}`);
  const there = new Set(
    (await maps.list({ labelSelector: 'bench=runtime' })).items.map(({ metadata }) => metadata.name),
  );
  const missing = names.filter((other) => !there.has(other)).values();
  const work = async (): Promise<void> => {
    for (const missed of missing)
      await maps.create({ metadata: { name: missed, labels: { bench: 'runtime' } } });
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return names.map((other) => `${NAMESPACE}/${other}`);
}

/** One write a reconcile: an annotation that is new each time. */
async function write(): Promise<number> {
  await using manager = new Manager({ config: await loadConfig({ path: server }) });
  const keys = await fill(manager);
  const maps = manager.objects(ConfigMap);
  let left = Number.POSITIVE_INFINITY;
  let done = Promise.withResolvers<void>();
  let stamp = '';
  const controller = manager
    .controller('bench')
    .for(ConfigMap, { namespace: NAMESPACE, labelSelector: 'bench=runtime', predicates: [() => false] })
    .reconcile(
      async (key) => {
        await maps.patch(key, { metadata: { annotations: { stamp } } });
        if (--left === 0) done.resolve();
      },
      { concurrency: WORKERS },
    );
  await maps.warmUp();
  await manager.start();
  let best = 0;
  for (let pass = 0; pass <= Number(passes); pass++) {
    left = keys.length;
    done = Promise.withResolvers<void>();
    stamp = `${process.pid}-${pass}`;
    const started = usedMs();
    for (const key of keys) controller.enqueue(key);
    await done.promise;
    // The first pass only warms up.
    if (pass > 0 || Number(passes) === 1) best = Math.max(best, (keys.length / (usedMs() - started)) * 1000);
  }
  return best;
}

/** Milliseconds from the answer of a write until the reconcile that it causes begins. */
async function latency(percentile: number): Promise<number> {
  await using manager = new Manager({ config: await loadConfig({ path: server }) });
  const keys = await fill(manager);
  const began = new Map<string, (at: number) => void>();
  manager
    .controller('bench')
    .for(ConfigMap, { namespace: NAMESPACE, labelSelector: 'bench=runtime' })
    .reconcile((key) => began.get(key)?.(performance.now()), { concurrency: WORKERS });
  await manager.start();
  const maps = manager.client.resource(ConfigMap).namespace(NAMESPACE);
  const figures: number[] = [];
  for (const key of keys) {
    const reached = new Promise<number>((resolve) => began.set(key, resolve));
    const sent = performance.now();
    await maps.patch(key.slice(NAMESPACE.length + 1), { metadata: { annotations: { stamp: `l${sent}` } } });
    figures.push((await reached) - sent);
    began.delete(key);
  }
  figures.sort((a, b) => a - b);
  return figures[Math.floor(figures.length * percentile)] ?? Number.NaN;
}

const scenarios: Readonly<Record<string, Scenario>> = {
  noop: { run: () => noop(), best: Math.max },
  read: { run: () => read(), best: Math.max },
  'noop-watched': { run: () => noop(true), best: Math.max },
  'read-watched': { run: () => read(true), best: Math.max },
  write: { run: write, best: Math.max },
  memory: { run: memory, best: Math.min },
  'latency-p50': { run: () => latency(0.5), best: Math.min },
  'latency-p99': { run: () => latency(0.99), best: Math.min },
};
// Each scenario makes its own passes: a manager is started once, as in a program.
await runPasses(scenarios[name], 1);
