import type { Command } from './command.ts';
import { EXIT_OK, UsageError } from './exit.ts';
import { nearest } from './nearest-name.ts';

/** A command that does nothing but hold others. Alone it prints its help. */
export function commandGroup(
  name: string,
  summary: string,
  subcommands: readonly Command[],
  about = '',
): Command {
  const path = `windlass ${name}`;
  const names = subcommands.map((one) => one.name);
  const wide = Math.max(...names.map(({ length }) => length));
  const lines = subcommands.map((one) => `  ${one.name.padEnd(wide)}  ${one.summary}\n`);
  const help = `${path}: ${summary}\n\nUsage: ${path} COMMAND [flags]\n\n${about}Commands:\n${lines.join('')}
${path} COMMAND --help says more.
`;
  return {
    name,
    summary,
    help,
    subcommands,
    async run([first], terminal) {
      if (first !== undefined) {
        const meant = nearest(first, names);
        const hint = meant === undefined ? '' : `; did you mean ${path} ${meant}?`;
        throw new UsageError(`there is no command ${path} ${first}${hint || `; ${path} --help lists them`}`);
      }
      terminal.out(help);
      return EXIT_OK;
    },
  };
}
