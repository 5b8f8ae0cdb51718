import { EXIT_FAILED, EXIT_USAGE, UsageError } from './exit.ts';
import { explainError } from './explain-error.ts';
import type { Terminal } from './terminal.ts';

/** Runs it; a failure is told in one sentence and becomes the exit code. Never rejects. */
export async function reportFailure(
  program: string,
  terminal: Terminal,
  run: () => Promise<number>,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    const isUsage = error instanceof UsageError;
    terminal.err(`${program}: ${isUsage ? error.message : explainError(error)}\n`);
    return isUsage ? EXIT_USAGE : EXIT_FAILED;
  }
}
