import { controllerManager } from './controller-manager.ts';
import { EXIT_FAILED, EXIT_OK, EXIT_USAGE, UsageError } from './exit.ts';
import { explainError } from './explain-error.ts';
import { generate } from './generate/generate.ts';
import { HELP, VERSION } from './help.ts';
import { kubelet } from './kubelet.ts';
import { newProject } from './new/new-command.ts';
import { scheduler } from './scheduler.ts';
import type { Terminal } from './terminal.ts';
import { up } from './up.ts';

const DEFAULT_NODES = 3;

/** Runs a command line without the program's name. Resolves with the exit code; never rejects. */
export async function main(
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const [command, ...rest] = args;
  try {
    switch (command) {
      case undefined:
      case 'help':
      case '--help':
      case '-h':
        terminal.out(HELP);
        return EXIT_OK;
      case 'version':
      case '--version':
        terminal.out(`windlass ${VERSION}\n`);
        return EXIT_OK;
      case 'up':
        return await up(rest, terminal, signal, { controllers: ['*'], nodes: DEFAULT_NODES });
      case 'apiserver':
        return await up(rest, terminal, signal);
      case 'controller-manager':
        return await controllerManager(rest, terminal, signal);
      case 'scheduler':
        return await scheduler(rest, terminal, signal);
      case 'kubelet':
        return await kubelet(rest, terminal, signal);
      case 'generate':
        return await generate(rest, terminal, signal);
      case 'new':
        return await newProject(rest, terminal);
      default:
        throw new UsageError(`there is no command "${command}"; windlass help lists them`);
    }
  } catch (error) {
    const isUsage = error instanceof UsageError;
    terminal.err(`windlass: ${isUsage ? error.message : explainError(error)}\n`);
    return isUsage ? EXIT_USAGE : EXIT_FAILED;
  }
}
