import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit.ts';
import { notEmpty, wholeNumber } from '../command-line/flag-values.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import { type SimOptions, simulateFiles } from './simulate-files.ts';

const DEFAULT_SEEDS = 100;
const FIRST_SEED = 1;
const MAX_SEEDS = 1_000_000_000;
const MAX_JOBS = 256;
const MAX_MINUTES = 10_000;

export const simCommand: Command = {
  name: 'sim',
  summary: 'run an operator through bad days, and show what breaks it',
  help: `windlass sim: many bad days of a whole cluster, in minutes

Usage: windlass sim FILE... [--exec COMMAND] [flags]

Runs what FILE exports with defineSimulation of windlass/simulation, once for each seed. A run is a
cluster on virtual time in which requests are lost, watches break and processes are killed, as the
seed says; the same seed always gives the same run. The first seed that breaks the program is shrunk
to the smallest plan that still does, and printed with its timeline and a test to paste.

Flags:
  --seeds N            run so many seeds              (default ${DEFAULT_SEEDS}; without an end with --minutes)
  --from N             begin with this seed           (default ${FIRST_SEED})
  --seed N             run this seed alone, and print its timeline
  --jobs N             processes at the same time     (default one for each processor; 1 with --exec)
  --minutes N          begin no more seeds after N minutes
  --json               print a line for each seed and one at the end, as JSON
  --html FILE          write a page of the run that failed, or of that of --seed
  --journal FILE       write every write of every run, in the order of seeds
  --exec COMMAND       the program is this command, in any language, and not a process of FILE: it gets
                       KUBECONFIG, also as {kubeconfig} in the command, and is called exec in plans. What
                       goes wrong is the seed's choice as ever, but the time is real: a run takes as long
                       as it takes, and two runs of one seed need not be equal

Exit code 1 says that a seed failed, 2 that the call or the file was wrong.

Examples:
  windlass sim src/operator.simulation.ts
  windlass sim src/operator.simulation.ts --minutes 10 --html failure.html
  windlass sim src/operator.simulation.ts --minutes 10 --from 2350
  windlass sim src/operator.simulation.ts --seed 17
  windlass sim workload.ts --exec './operator --kubeconfig {kubeconfig}' --seeds 20
`,
  async run(args, terminal, signal) {
    return simulateFiles(simOptions(args), terminal, signal);
  },
};

/** @throws UsageError */
export function simOptions(args: readonly string[]): SimOptions {
  const { values, positionals } = parse(args);
  const number = (
    flag: 'seeds' | 'from' | 'seed' | 'jobs' | 'minutes',
    min: number,
    max: number,
  ): number | undefined =>
    values[flag] === undefined ? undefined : wholeNumber(`--${flag}`, values[flag], min, max);
  const seeds = number('seeds', 1, MAX_SEEDS);
  const from = number('from', 0, MAX_SEEDS);
  const seed = number('seed', 0, MAX_SEEDS);
  const exec = notEmpty('--exec', values.exec);
  // Real programs listen on ports and take their time: one after the other.
  const jobs = number('jobs', 1, MAX_JOBS) ?? (exec === undefined ? availableParallelism() : 1);
  const minutes = number('minutes', 1, MAX_MINUTES);
  const file = (flag: 'html' | 'journal'): string | undefined => {
    const path = notEmpty(`--${flag}`, values[flag]);
    return path === undefined ? undefined : resolve(path);
  };
  const html = file('html');
  const journal = file('journal');
  if (seed !== undefined && (seeds !== undefined || from !== undefined || minutes !== undefined))
    throw new UsageError('--seed runs one seed; leave out --seeds, --from and --minutes, or --seed');
  if (positionals.length === 0)
    throw new UsageError('windlass sim takes a file that exports a simulation; windlass help sim says how');
  return {
    files: positionals.map((path) => resolve(path)),
    seeds: seeds ?? (minutes === undefined ? DEFAULT_SEEDS : undefined),
    from: from ?? FIRST_SEED,
    seed,
    jobs,
    minutes,
    isJson: values.json === true,
    exec,
    html,
    journal,
  };
}

/** Whether a command line has a file, or only flags. Flags that are wrong are told by the command itself. */
export function namesFile(args: readonly string[]): boolean {
  try {
    return parse(args).positionals.length > 0;
  } catch {
    return false;
  }
}

function parse(args: readonly string[]) {
  return parseFlags('windlass help sim', args, {
    allowPositionals: true,
    options: {
      seeds: { type: 'string' },
      from: { type: 'string' },
      seed: { type: 'string' },
      jobs: { type: 'string' },
      minutes: { type: 'string' },
      json: { type: 'boolean' },
      html: { type: 'string' },
      journal: { type: 'string' },
      exec: { type: 'string' },
    },
  });
}
