// `npm run soak`: a cluster under churn for minutes. Deployments are rolled, volumes claimed and given back, a node
// is lost and comes back, the process is killed and stopped and started again. At the end it must come to rest with
// its invariants whole, and without having kept memory or files. `-- --minutes 10 --seed 7` say how long and what.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { realClock, SeededRandom, sleep } from '@windlass/base';
import { seedOf } from '@windlass/base/testing';
import { endOnSignals } from '../../tools/run/program.ts';
import { churn } from './churn.ts';
import { faults } from './invariants.ts';
import { ClusterProcess, NodeProcess } from './processes.ts';

const MINUTE_MS = 60_000;
const REST_MS = 3 * MINUTE_MS;
const PAUSE_MS = 150;
/** A process that has served for minutes may hold this much more than one that has just started on the same state. */
const MORE_MEMORY = { times: 1.6, megabytes: 120 };
const MORE_FILES = 25;

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes ?? '5');
const seed = values.seed === undefined ? (seedOf(process.env) ?? 1) : Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('soak: --minutes must be a number above 0, and --seed a whole one');
  process.exit(2);
}

const log = (line: string): void =>
  console.log(`soak ${((realClock.monotonic() - started) / 1000).toFixed(0).padStart(4)} s: ${line}`);
const started = realClock.monotonic();
const random = new SeededRandom(seed);
const folder = await mkdtemp(join(tmpdir(), 'windlass-soak-'));
const cluster = new ClusterProcess(folder, ['--drives', '2', '--drive-backend', 'directory']);
const node = new NodeProcess('lost-and-found');
const done = new Map<string, number>();
endOnSignals({ before: async () => log(`stopped by a signal; its state is kept in ${folder}`) });
const count = (what: string): void => void done.set(what, (done.get(what) ?? 0) + 1);

/** What happens to the process and to the node, in turns. */
const BLOWS: readonly (() => Promise<void>)[] = [
  async () => {
    log('the node is lost');
    await node.kill();
  },
  async () => {
    log('killed, and started again');
    await cluster.stop('SIGKILL');
    await cluster.start();
  },
  async () => {
    log('the node comes back');
    if (!node.runs) node.start(cluster.kubeconfig);
  },
  async () => {
    log('stopped, and started again');
    const code = await cluster.stop('SIGTERM');
    if (code !== 0) throw new Error(`windlass up ended with ${code} when it was told to stop`);
    await cluster.start();
  },
];

async function rest(): Promise<string[]> {
  const deadline = realClock.monotonic() + REST_MS;
  for (;;) {
    const found = await faults(cluster.client);
    if (found.length === 0 || realClock.monotonic() > deadline) return found;
    await sleep(realClock, 2_000);
  }
}

/** Garbage that nobody collected yet is no leak: the least of some looks counts. */
async function leastMemory(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 10; look++) {
    least = Math.min(least, cluster.residentMegabytes);
    await sleep(realClock, 1_000);
  }
  return least;
}

async function main(): Promise<string[]> {
  log(`seed ${seed}, ${minutes} minutes, then rest`);
  await cluster.start();
  node.start(cluster.kubeconfig);
  const end = started + minutes * MINUTE_MS;
  const between = (minutes * MINUTE_MS) / (BLOWS.length * Math.max(1, Math.round(minutes / 4)) + 1);
  let nextBlow = started + between;
  for (let blow = 0; realClock.monotonic() < end; ) {
    count(await churn(cluster.client, random));
    await sleep(realClock, PAUSE_MS);
    if (realClock.monotonic() < nextBlow) continue;
    await BLOWS[blow++ % BLOWS.length]?.();
    nextBlow += between;
  }
  if (!node.runs) node.start(cluster.kubeconfig);
  log(`did ${[...done].map(([what, times]) => `${what} ${times}`).join(', ')}; now it may rest`);
  const found = await rest();
  const [memory, files] = [await leastMemory(), cluster.openFiles];
  log('a new process on the same state, to compare with');
  await cluster.stop('SIGTERM');
  await cluster.start();
  const again = await rest();
  const [freshMemory, freshFiles] = [await leastMemory(), cluster.openFiles];
  log(
    `memory ${memory.toFixed(0)} MB, fresh ${freshMemory.toFixed(0)}; open files ${files}, fresh ${freshFiles}`,
  );
  if (memory > freshMemory * MORE_MEMORY.times + MORE_MEMORY.megabytes)
    found.push(`it holds ${memory.toFixed(0)} MB where a fresh process holds ${freshMemory.toFixed(0)}`);
  if (files > freshFiles + MORE_FILES)
    found.push(`it holds ${files} files open where a fresh process holds ${freshFiles}`);
  return [...found, ...again.map((fault) => `after a restart: ${fault}`)];
}

let found: string[];
try {
  found = await main();
} finally {
  await node.kill();
  await cluster.stop('SIGTERM');
}
for (const fault of found) console.error(`soak: ${fault}`);
if (found.length > 0) console.error(`soak: FAILED with seed ${seed}; its state is kept in ${folder}`);
else await rm(folder, { recursive: true, force: true });
log(found.length === 0 ? 'passed' : `${found.length} faults`);
process.exitCode = found.length === 0 ? 0 : 1;
