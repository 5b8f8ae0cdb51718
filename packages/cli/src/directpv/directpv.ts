import type { Command } from '../command-line/command.ts';
import { asksForHelp, findCommand } from '../command-line/command.ts';
import { EXIT_OK, UsageError } from '../command-line/exit.ts';
import { nearest } from '../command-line/nearest-name.ts';
import { type AdminCommand, toCommand } from './admin-command.ts';
import { cordonCommand, removeCommand, repairCommand, uncordonCommand } from './change-drives.ts';
import { cleanCommand, resumeCommand, suspendCommand } from './change-volumes.ts';
import { type Connect, connectByKubeconfig } from './connect.ts';
import { discoverCommand, initCommand } from './discover.ts';
import { infoCommand } from './info.ts';
import { installCommand, uninstallCommand } from './install.ts';
import { labelCommand } from './label.ts';
import { listCommand } from './list.ts';
import { moveCommand } from './move.ts';

const ADMINISTRATION: readonly AdminCommand[] = [
  installCommand,
  discoverCommand,
  initCommand,
  infoCommand,
  listCommand,
  labelCommand,
  cordonCommand,
  uncordonCommand,
  moveCommand,
  cleanCommand,
  suspendCommand,
  resumeCommand,
  repairCommand,
  removeCommand,
  uninstallCommand,
];

/** Flags that may also stand before the command, as kubectl's own do. */
const LEADING_WITH_VALUE = new Set(['--kubeconfig', '--context']);

/**
 * The administration of drives, as `windlass directpv` and as `kubectl directpv`.
 * @param program what stands before `directpv`
 * @param others commands that only one of the two has
 */
export function directpvCommand(
  program: string,
  others: readonly Command[] = [],
  connect: Connect = connectByKubeconfig,
): Command {
  const path = `${program} directpv`;
  const subcommands = [...ADMINISTRATION.map((admin) => toCommand(admin, path, connect)), ...others];
  const command: Command = {
    name: 'directpv',
    summary: 'local storage on drives: administration and the driver',
    help: overview(path, subcommands),
    subcommands,
    async run(args, terminal, signal) {
      const words = withLeadingFlagsLast(args);
      const [first] = words;
      if (first === undefined) {
        terminal.out(command.help);
        return EXIT_OK;
      }
      const aliased = ADMINISTRATION.find(({ aliases }) => aliases?.includes(first));
      const { command: meant, rest } = findCommand(subcommands, [aliased?.name ?? first, ...words.slice(1)]);
      if (meant === undefined) throw unknownCommand(path, first, subcommands);
      if (!asksForHelp(meant, rest)) return meant.run(rest, terminal, signal);
      terminal.out(meant.help);
      return EXIT_OK;
    },
  };
  return command;
}

function withLeadingFlagsLast(args: readonly string[]): readonly string[] {
  let at = 0;
  while (args[at]?.startsWith('-') === true) at += LEADING_WITH_VALUE.has(args[at] ?? '') ? 2 : 1;
  return [...args.slice(at), ...args.slice(0, at)];
}

function unknownCommand(path: string, word: string, commands: readonly Command[]): UsageError {
  if (word.startsWith('-')) return new UsageError(`name a command; ${path} --help lists them`);
  const meant = nearest(
    word,
    commands.map(({ name }) => name),
  );
  return new UsageError(
    `there is no command "${word}"; ${meant === undefined ? `${path} --help lists them` : `did you mean "${meant}"?`}`,
  );
}

function overview(path: string, commands: readonly Command[]): string {
  const wide = Math.max(...commands.map(({ name }) => name.length)) + 2;
  return `${path}: local storage on drives

Usage: ${path} COMMAND [flags]

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(wide)}${summary}`).join('\n')}

Ranges such as {1...4} may stand in names of nodes, drives, pods and namespaces.
${path} COMMAND --help says more.

Examples:
  ${path} install
  ${path} discover
  ${path} init drives.yaml --dangerous
  ${path} list drives
`;
}
