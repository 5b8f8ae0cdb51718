import { createWriteStream, type WriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { realClock, toError } from '@windlass/base';
import { EXIT_FAILED, EXIT_OK, UsageError } from '../command-line/exit.ts';
import { ProgressLine } from '../command-line/progress-line.ts';
import type { Terminal } from '../command-line/terminal.ts';
import type { SeedResult, SeedTask, ToldRun } from './messages.ts';
import { SeedRuns } from './seed-runs.ts';
import { progressText, seedLine, summaryLine, Tally } from './sim-text.ts';

export interface SimOptions {
  /** Absolute paths of modules that export simulations. */
  readonly files: readonly string[];
  /** Undefined: as many as there is time for. */
  readonly seeds: number | undefined;
  /** The first of them. */
  readonly from: number;
  /** This one alone. */
  readonly seed: number | undefined;
  readonly jobs: number;
  readonly minutes: number | undefined;
  readonly isJson: boolean;
  /** The program is this command, in real time. */
  readonly exec: string | undefined;
  readonly html: string | undefined;
  readonly journal: string | undefined;
}

/** Runs the seeds, tells of the first that failed, and of all. Resolves with the exit code. @throws UsageError */
export async function simulateFiles(
  options: SimOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const progress = new ProgressLine(terminal, !options.isJson);
  const begun = realClock.monotonic();
  const deadline = options.minutes === undefined ? undefined : begun + options.minutes * 60_000;
  let done = 0;
  let failed = 0;
  let virtualMs = 0;
  const isVirtual = options.exec === undefined;
  const journal = await journalFile(options.journal);
  await using runs = new SeedRuns(
    {
      files: options.files,
      exec: options.exec,
      jobs: options.jobs,
      journalled: journal !== undefined,
      onLine: (line) => progress.err(`${line}\n`),
      isOver: () => deadline !== undefined && realClock.monotonic() >= deadline,
      onDone: (result) => {
        done++;
        if (result.failure !== undefined) failed++;
        virtualMs += result.virtualMs;
        const now = realClock.monotonic();
        const leftMs = deadline === undefined ? undefined : deadline - now;
        const elapsedMs = now - begun;
        progress.show(progressText({ done, of, failed, virtualMs, isVirtual, elapsedMs, leftMs }));
      },
      onResult: (result) => {
        tally.add(result);
        if (options.isJson) terminal.out(seedLine(result));
        journal?.write(`# ${result.simulation}, seed ${result.seed}\n${result.journal}`);
      },
    },
    signal,
  );
  progress.show('loading');
  let names: readonly string[];
  try {
    names = await runs.names();
  } catch (error) {
    if (signal.aborted) return EXIT_OK;
    throw error;
  } finally {
    progress.end();
  }
  if (options.exec !== undefined)
    terminal.err('the program runs in real time: two runs of one seed need not be equal\n');
  const of = options.seed === undefined ? options.seeds && options.seeds * names.length : names.length;
  const tally = new Tally(names, { from: options.from, isVirtual });
  await runs.run((index) => taskAt(index, names, options)).finally(() => progress.end());
  await closed(journal);
  await tell(tally, names, { options, runs, progress, terminal, signal });
  const isCutShort = options.seed === undefined && tally.seeds < (of ?? Number.POSITIVE_INFINITY);
  if (options.isJson) terminal.out(summaryLine(tally, isCutShort));
  else terminal.out(tally.text());
  if (isCutShort && !options.isJson) terminal.out(`to go on from here: --from ${tally.nextSeed}\n`);
  return tally.failed > 0 ? EXIT_FAILED : EXIT_OK;
}

/** All simulations with the first seed, then all with the second: so each gets its share of the minutes. */
export function taskAt(
  index: number,
  names: readonly string[],
  { seed, seeds, from }: Pick<SimOptions, 'seed' | 'seeds' | 'from'>,
): SeedTask | undefined {
  const round = Math.floor(index / names.length);
  const simulation = names[index % names.length];
  if (simulation === undefined || round >= (seed === undefined ? (seeds ?? Number.POSITIVE_INFINITY) : 1))
    return undefined;
  return { simulation, seed: seed ?? from + round };
}

interface Telling {
  readonly options: SimOptions;
  readonly runs: SeedRuns;
  readonly progress: ProgressLine;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** The first failure, or with `--seed` every run. Scripts get it on stderr. */
async function tell(tally: Tally, names: readonly string[], telling: Telling): Promise<void> {
  const { options, terminal } = telling;
  const { firstFailed } = tally;
  const { seed, html } = options;
  const say = (text: string): void => (options.isJson ? terminal.err(text) : terminal.out(text));
  const tasks: readonly SeedTask[] =
    seed !== undefined && firstFailed === undefined
      ? names.map((simulation) => ({ simulation, seed }))
      : firstFailed === undefined
        ? []
        : [firstFailed];
  for (const [index, task] of tasks.entries()) {
    const run = await toldRun(task, telling);
    if (run === undefined) {
      if (firstFailed !== undefined) say(untold(firstFailed));
      return;
    }
    say(told(run, firstFailed !== undefined));
    if (html === undefined || index > 0) continue;
    await writeFile(html, run.page).catch((error: unknown) => {
      throw new Error(`--html ${html} could not be written: ${toError(error).message}`, { cause: error });
    });
    terminal.err(`the run is in ${html}\n`);
  }
  if (html !== undefined && tasks.length === 0)
    terminal.err(`no seed failed, so ${html} is not written; --seed N writes the page of one run\n`);
}

/** Undefined when somebody stopped it, or the program ended its process. */
async function toldRun(task: SeedTask, { runs, progress, signal }: Telling): Promise<ToldRun | undefined> {
  if (signal.aborted) return undefined;
  progress.show(`looking at seed ${task.seed} of ${task.simulation} again`);
  try {
    return await (await runs.worker()).tell(task);
  } catch (error) {
    if (error instanceof UsageError && !signal.aborted) throw error;
    return undefined;
  } finally {
    progress.end();
  }
}

function told({ failure, timeline, test, faults, faultsBefore }: ToldRun, isFailed: boolean): string {
  if (!isFailed) return `${timeline}${failure}\n`;
  const shrunk =
    faults === faultsBefore
      ? ''
      : `shrunk from ${faultsBefore} faults to ${faults === 0 ? 'none' : faults}\n`;
  return `${timeline}\n${failure}${shrunk}\nthe same as a test:\n\n${test}\n`;
}

function untold({ simulation, seed, failure }: SeedResult): string {
  return `${simulation}, seed ${seed}: ${failure?.oracle}: ${failure?.message}\n\n`;
}

async function journalFile(path: string | undefined): Promise<WriteStream | undefined> {
  if (path === undefined) return undefined;
  const stream = createWriteStream(path);
  await new Promise<void>((resolve, reject) => {
    stream.once('open', () => resolve());
    stream.once('error', (error) =>
      reject(new UsageError(`--journal ${path} cannot be written: ${error.message}`)),
    );
  });
  return stream;
}

async function closed(stream: WriteStream | undefined): Promise<void> {
  if (stream === undefined) return;
  stream.end();
  await finished(stream);
}
