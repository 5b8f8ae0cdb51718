import { VERSION } from '@windlass/base';
import { asksForHelp, findCommand } from './command-line/command.ts';
import { EXIT_OK, UsageError } from './command-line/exit.ts';
import { overview } from './command-line/help.ts';
import { nearest } from './command-line/nearest-name.ts';
import { reportFailure } from './command-line/report-failure.ts';
import type { Terminal } from './command-line/terminal.ts';
import { COMMANDS } from './commands.ts';

/** Runs a command line without the program's name. Resolves with the exit code; never rejects. */
export async function main(
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  return reportFailure('windlass', terminal, () => dispatch(args, terminal, signal));
}

async function dispatch(args: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const [first, ...others] = args;
  switch (first) {
    case undefined:
    case '--help':
    case '-h':
      terminal.out(overview(COMMANDS));
      return EXIT_OK;
    case 'version':
    case '--version':
      terminal.out(`windlass ${VERSION}\n`);
      return EXIT_OK;
    case 'help':
      return help(others, terminal);
    default: {
      const { command, rest } = findCommand(COMMANDS, args);
      if (command === undefined) throw unknownCommand(first);
      if (!asksForHelp(command, rest)) return command.run(rest, terminal, signal);
      terminal.out(command.help);
      return EXIT_OK;
    }
  }
}

function help(words: readonly string[], terminal: Terminal): number {
  const { command, rest } = findCommand(COMMANDS, words);
  if (rest[0] !== undefined) throw unknownCommand(words.join(' '));
  terminal.out(command?.help ?? overview(COMMANDS));
  return EXIT_OK;
}

function unknownCommand(words: string): UsageError {
  const meant = nearest(
    words,
    COMMANDS.map(({ name }) => name),
  );
  const hint = meant === undefined ? 'windlass help lists them' : `did you mean "${meant}"?`;
  return new UsageError(`there is no command "${words}"; ${hint}`);
}
