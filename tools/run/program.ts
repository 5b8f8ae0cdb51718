// What every lane, the tests, the soak and the benchmarks share: a signal ends them with all that they started.
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { InvalidArgumentError } from '@windlass/base';
import { endProcesses } from './end-processes.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Together with the time that ending processes takes, less than the 30 s that .ci/run gives before it kills. */
const ORDERLY_MS = 12_000;
/** Bad arguments or a bad environment, as of `node --test` and most tools. */
const USAGE_EXIT_CODE = 2;

export interface ProgramOptions {
  /** May end some processes in an order of its own; it gets 12 s. */
  readonly before?: () => Promise<unknown>;
  /** How long what is ended may take, before it is killed. @default 8000 */
  readonly graceMs?: number;
}

/**
 * From now on SIGINT, SIGTERM and SIGHUP end all processes that this one started, and theirs, and then this one with
 * 128 + n. Answers whether a signal has come.
 */
export function endOnSignals({ before, ...options }: ProgramOptions = {}): () => boolean {
  let got: NodeJS.Signals | undefined;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const orderly = before?.().catch(() => {}); // It was interrupted: what it says of that helps nobody.
    if (orderly !== undefined) await Promise.race([orderly, delay(ORDERLY_MS)]);
    await endProcesses(process.pid, options);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (got !== undefined) return;
      got = signal;
      void end(signal);
    });
  return () => got !== undefined;
}

/** Runs a program whose answer is its exit code. A signal aborts it, and then goes as for `endOnSignals`. */
export async function runProgram(
  main: (signal: AbortSignal) => Promise<number>,
  options: Omit<ProgramOptions, 'before'> = {},
): Promise<void> {
  const stopping = new AbortController();
  const done = Promise.withResolvers<void>();
  const isEnding = endOnSignals({
    ...options,
    before: () => {
      stopping.abort();
      return done.promise;
    },
  });
  try {
    const code = await main(stopping.signal);
    if (!isEnding()) process.exitCode = code;
  } catch (error) {
    if (isEnding()) return;
    if (!(error instanceof InvalidArgumentError)) throw error;
    console.error(error.message);
    process.exitCode = USAGE_EXIT_CODE;
  } finally {
    done.resolve();
  }
}
