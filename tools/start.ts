// `npm start`: a live look at what exists today, the work queue. Workers take keys, some runs fail and
// come back after a growing delay, and once a second a table shows where every key stands.
import { parseArgs } from 'node:util';
import {
  type Clock,
  isCancelled,
  linkSignals,
  type Random,
  realClock,
  sleep,
  systemRandom,
} from '@windlass/base';
import { exponential, type QueueSnapshot, WorkQueue } from '@windlass/workqueue';

export interface DemonstrationOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Takes a table, once a second. */
  readonly show: (table: string) => void;
  /** @default until the signal aborts */
  readonly seconds?: number | undefined;
}

interface Totals {
  done: number;
  retried: number;
  givenUp: number;
}

const WORKERS = 4;
const KEYS = 24;
const FAILURE_RATE = 0.35;
const MAX_RETRIES = 3;
const REASONS = ['added', 'spec changed', 'resync', 'pod deleted'];

/** Runs until the signal aborts or the time is over, then stops cleanly. */
export async function demonstrate({
  clock,
  random,
  signal,
  show,
  seconds,
}: DemonstrationOptions): Promise<Totals> {
  const rateLimiter = exponential<string>({ baseMs: 500, maxMs: 8000, jitter: 0.5, random });
  await using queue = new WorkQueue({ clock, rateLimiter });
  using stop = linkSignals(signal);
  const totals: Totals = { done: 0, retried: 0, givenUp: 0 };
  const between = (low: number, high: number): number => low + random.next() * (high - low);
  const pause = (ms: number): Promise<void> => sleep(clock, ms, stop.signal);

  // Adds come in bursts, as from a watch. One for a key that waits already costs nothing: they coalesce.
  const feed = async (): Promise<void> => {
    for (;;) {
      for (let burst = random.int(6); burst > 0; burst--)
        queue.add(`default/app-${random.int(KEYS)}`, {
          reason: REASONS[random.int(REASONS.length)] ?? 'added',
        });
      await pause(between(100, 900));
    }
  };
  const work = async (): Promise<void> => {
    for await (const { key } of queue.items({ signal: stop.signal })) {
      await pause(between(50, 900));
      const failed = random.next() < FAILURE_RATE;
      if (failed && queue.retries(key) < MAX_RETRIES) {
        totals.retried++;
        queue.addRateLimited(key, { reason: 'failed' });
      } else {
        totals[failed ? 'givenUp' : 'done']++;
        queue.forget(key);
      }
    }
  };
  const report = async (): Promise<void> => {
    for (let second = 1; second <= (seconds ?? Number.POSITIVE_INFINITY); second++) {
      await pause(1000);
      show(table(queue.snapshot(), totals));
    }
    stop.abort();
  };

  const tasks = [feed(), report(), ...Array.from({ length: WORKERS }, work)];
  await Promise.all(
    tasks.map((task) =>
      task.catch((error: unknown) => {
        stop.abort(error);
        if (!isCancelled(error)) throw error;
      }),
    ),
  );
  return totals;
}

/** What runs, what waits for a worker, and what waits for its time. */
function table(snapshot: QueueSnapshot<string, string>, totals: Totals): string {
  const rows = [['KEY', 'STATE', 'TIME', 'RETRIES', 'WHY']];
  for (const { key, runningMs, addedAgain } of snapshot.processingKeys)
    rows.push([key, 'running', inSeconds(runningMs), '', addedAgain ? 'added again meanwhile' : '']);
  for (const { key, waitedMs, retries, reasons } of snapshot.queuedKeys)
    rows.push([key, 'queued', inSeconds(waitedMs), String(retries), reasons.kept.join(', ')]);
  for (const { key, dueInMs, retries } of snapshot.delayedKeys)
    rows.push([key, 'backing off', `in ${inSeconds(dueInMs)}`, String(retries), 'failed']);
  const lines = rows.map(([key = '', state = '', time = '', retries = '', why = '']) =>
    `  ${key.padEnd(17)}${state.padEnd(13)}${time.padEnd(10)}${retries.padEnd(9)}${why}`.trimEnd(),
  );
  const now = `${snapshot.processing} running, ${snapshot.queued} queued, ${snapshot.delayed} backing off`;
  return `${now} · so far ${totalsInWords(totals)}\n${lines.join('\n')}\n`;
}

function totalsInWords({ done, retried, givenUp }: Totals): string {
  return `${done} done, ${retried} retried, ${givenUp} given up`;
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function readSeconds(): number | undefined {
  const { values } = parseArgs({ options: { seconds: { type: 'string' } } });
  if (values.seconds === undefined) return undefined;
  const seconds = Number(values.seconds);
  if (Number.isInteger(seconds) && seconds > 0) return seconds;
  throw new TypeError(`--seconds must be a whole number above 0, but it is "${values.seconds}"`);
}

async function main(): Promise<void> {
  let seconds: number | undefined;
  try {
    seconds = readSeconds();
  } catch (error) {
    console.error(`${(error as Error).message}\nusage: npm start -- [--seconds N]`);
    process.exitCode = 2;
    return;
  }
  const stop = new AbortController();
  // May come twice for one wish: a terminal signals the whole group, and npm passes its copy on.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  console.log(
    `The work queue, live: ${WORKERS} workers, ${KEYS} keys, a third of all runs fails. Ctrl-C stops it.\n`,
  );
  const options = { clock: realClock, random: systemRandom, signal: stop.signal, seconds };
  const totals = await demonstrate({ ...options, show: (text) => console.log(text) });
  console.log(`stopped; ${totalsInWords(totals)}`);
}

if (import.meta.main) await main();
