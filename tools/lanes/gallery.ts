// `npm run test:gallery`: every bug of examples/bugs is found within 200 seeds, and every fix passes 2,000.
// `-- [NAME...] [--seeds N] [--jobs N]` takes some, another number of seeds for the fixes, and more processes.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { InvalidArgumentError } from '@windlass/base';
import { EXHIBITS } from '../../examples/bugs/gallery.ts';
import { runProgram } from '../run/program.ts';

const PART = fileURLToPath(new URL('../../examples/bugs/check-part.ts', import.meta.url));
/** A process takes so many seeds of one fix: enough that its start does not count. */
const SEEDS_OF_PART = 250;
const PROGRESS_MS = 10_000;

const log = (line: string): void => console.error(`test:gallery: ${line}`);

/** What one process is to do: its arguments. */
type Part = readonly [variant: 'bug' | 'fixed', name: string, ...rest: string[]];

/** What a process tells. */
interface Told {
  readonly seeds?: number;
  readonly found?: { readonly seed: number; readonly plan: readonly string[] };
  readonly failure?: string;
}

interface Options {
  readonly names: readonly string[];
  readonly seeds: number;
  readonly jobs: number;
}

function optionsOf(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { seeds: { type: 'string' }, jobs: { type: 'string' } },
  });
  const all = EXHIBITS.map(({ name }) => name);
  for (const name of positionals)
    if (!all.includes(name)) throw new InvalidArgumentError('NAME', name, `one of ${all.join(', ')}`);
  return {
    names: positionals.length === 0 ? all : positionals,
    seeds: count('--seeds', values.seeds ?? '2000'),
    jobs: count('--jobs', values.jobs ?? String(availableParallelism())),
  };
}

function count(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError(name, text, 'a whole number of at least 1');
}

/** The bugs first, then the fixes, one part of each in turn: what is wrong with any shows early. */
function partsOf({ names, seeds }: Options): Part[] {
  const parts: Part[] = names.map((name) => ['bug', name]);
  for (let from = 1; from <= seeds; from += SEEDS_OF_PART)
    for (const name of names)
      parts.push(['fixed', name, String(from), String(Math.min(SEEDS_OF_PART, seeds - from + 1))]);
  return parts;
}

function runPart(part: Part, signal: AbortSignal, onTold: (told: Told) => void): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PART, ...part], { stdio: ['ignore', 'pipe', 'inherit'] });
    const stop = (): void => void child.kill();
    signal.addEventListener('abort', stop, { once: true });
    // Each line is an object that check-part.ts has written.
    createInterface({ input: child.stdout }).on('line', (line) => onTold(JSON.parse(line) as Told));
    child.on('error', reject);
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve(code === 0);
    });
  });
}

async function main(signal: AbortSignal): Promise<number> {
  const options = optionsOf(process.argv.slice(2));
  const parts = partsOf(options);
  const started = performance.now();
  const passed = new Map(options.names.map((name) => [name, 0]));
  const failed = new Set<string>();
  let bugs = 0;
  const done = (): number => [...passed.values()].reduce((sum, seeds) => sum + seeds, 0);
  const elapsed = (): number => (performance.now() - started) / 1000;
  const progress = setInterval(() => {
    const rate = done() / elapsed();
    const { length } = options.names;
    if (bugs < length) log(`${bugs} of ${length} bugs are found`);
    else log(`${done()} of ${length * options.seeds} seeds of fixes, ${rate.toFixed(1)} a second`);
  }, PROGRESS_MS);
  const work = async (): Promise<void> => {
    for (let part = parts.shift(); part !== undefined && !signal.aborted; part = parts.shift()) {
      const [variant, name] = part;
      const ok = await runPart(part, signal, ({ seeds = 0, found, failure }) => {
        passed.set(name, (passed.get(name) ?? 0) + seeds);
        if (found !== undefined) log(`${name}: found by seed ${found.seed}: ${plainly(found.plan)}`);
        if (failure !== undefined) log(`FAILED ${variant} ${name}: ${failure}`);
      });
      if (variant === 'bug') bugs++;
      if (!ok && !signal.aborted) failed.add(`${variant} ${name}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: options.jobs }, work));
  } finally {
    clearInterval(progress);
  }
  for (const [name, seeds] of passed) log(`${name.padEnd(20)} ${seeds} seeds passed`);
  const verdict = failed.size === 0 ? 'passed' : `FAILED: ${[...failed].join(', ')}`;
  log(`${verdict}; ${done()} seeds in ${elapsed().toFixed(1)} s`);
  return failed.size === 0 ? 0 : 1;
}

function plainly(plan: readonly string[]): string {
  return plan.length === 0 ? 'without any fault' : plan.join('; ');
}

await runProgram(main);
