import { VERSION } from '@windlass/base';
import { asksForHelp, findCommand } from '../command-line/command.ts';
import { EXIT_OK } from '../command-line/exit.ts';
import { reportFailure } from '../command-line/report-failure.ts';
import type { Terminal } from '../command-line/terminal.ts';
import type { Connect } from './connect.ts';
import { directpvCommand } from './directpv.ts';

const PROGRAM = 'kubectl';

/** Runs what follows `kubectl directpv`. Resolves with the exit code; never rejects. */
export function kubectlPlugin(
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
  connect?: Connect,
): Promise<number> {
  const plugin = directpvCommand(PROGRAM, [], connect);
  return reportFailure(`${PROGRAM} directpv`, terminal, async () => {
    if (args[0] === '--version' || args[0] === 'version') {
      terminal.out(`${PROGRAM} directpv ${VERSION}\n`);
      return EXIT_OK;
    }
    const words = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
    const { command = plugin, rest } = findCommand(plugin.subcommands ?? [], words);
    if (!asksForHelp(command, rest)) return command.run(rest, terminal, signal);
    terminal.out(command.help);
    return EXIT_OK;
  });
}
