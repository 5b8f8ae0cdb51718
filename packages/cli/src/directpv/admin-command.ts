import type { ParseArgsConfig } from 'node:util';
import { InvalidLabelError, InvalidRequestError } from '@windlass/directpv';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { AdminCall } from './admin-call.ts';
import type { Connect } from './connect.ts';

/** A flag of an administration command. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** What follows it, for the help; a flag without is a switch. */
  readonly value?: string;
  /** Whether it may be given again, and hold commas. */
  readonly isList?: boolean;
  readonly text: string;
}

/** One command of `kubectl directpv`; its help and its parsing are both made from this. */
export interface AdminCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** What may stand beside flags: `[DRIVE-ID...]`. @default nothing */
  readonly positionals?: string;
  /** Between the usage and the flags. */
  readonly about?: string;
  readonly flags?: readonly Flag[];
  /** Without the program and the command in front. */
  readonly examples: readonly string[];
  readonly subcommands?: readonly AdminCommand[];
  run?(call: AdminCall): Promise<number>;
}

const GLOBAL_FLAGS: readonly Flag[] = [
  {
    name: 'kubeconfig',
    value: 'FILE',
    text: 'the cluster (default $KUBECONFIG, ~/.kube/config, or that of the pod)',
  },
  { name: 'context', value: 'NAME', text: 'one of its contexts (default the current one)' },
  { name: 'quiet', text: 'print results only: no notes, no progress' },
];

/** The command as the command line knows it. `path` is what has been typed before it. */
export function toCommand(admin: AdminCommand, path: string, connect: Connect): Command {
  const here = `${path} ${admin.name}`;
  const subcommands = admin.subcommands?.map((sub) => toCommand(sub, here, connect));
  const run = async (args: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> => {
    const [first, ...rest] = args;
    const meant = admin.subcommands?.findIndex(({ aliases }) => aliases?.includes(first ?? '')) ?? -1;
    const aliased = subcommands?.[meant];
    if (aliased !== undefined) return aliased.run(rest, terminal, signal);
    if (admin.run === undefined)
      throw new UsageError(
        first === undefined
          ? `say what: ${here} ${admin.subcommands?.map(({ name }) => name).join(', or ')}`
          : `there is no "${here} ${first}"; there are ${admin.subcommands?.map(({ name }) => name).join(' and ')}`,
      );
    const flags = [...(admin.flags ?? []), ...GLOBAL_FLAGS];
    const { values, positionals } = parseFlags(`${here} --help`, args, {
      allowPositionals: true,
      options: optionsOf(flags),
    });
    if (admin.positionals === undefined && positionals.length > 0)
      throw new UsageError(`"${positionals[0]}" is too much here; ${here} --help says what may follow`);
    await using call = new AdminCall({ values, positionals, terminal, signal, command: here, connect });
    try {
      return await admin.run(call);
    } catch (error) {
      if (error instanceof InvalidRequestError || error instanceof InvalidLabelError)
        throw new UsageError(error.message);
      throw error;
    }
  };
  return {
    name: admin.name,
    summary: admin.summary,
    help: helpOf(admin, here),
    ...(subcommands !== undefined && { subcommands }),
    run,
  };
}

function optionsOf(flags: readonly Flag[]): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(
    flags.map(({ name, short, value, isList = false }) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: isList,
        ...(short !== undefined && { short }),
      },
    ]),
  );
}

function helpOf(admin: AdminCommand, here: string): string {
  const { summary, positionals, about, subcommands, flags = [], examples, aliases = [] } = admin;
  const usage =
    subcommands === undefined
      ? `Usage: ${here}${positionals === undefined ? '' : ` ${positionals}`} [flags]`
      : `Usage: ${subcommands.map((sub) => `${here} ${sub.name}${sub.positionals === undefined ? '' : ` ${sub.positionals}`}`).join('\n       ')}`;
  const parts = [
    `${here}: ${summary}`,
    usage,
    ...(aliases.length === 0 ? [] : [`Also: ${aliases.join(', ')}`]),
    ...(about === undefined ? [] : [about]),
    ...(subcommands === undefined ? [`Flags:\n${flagLines([...flags, ...GLOBAL_FLAGS])}`] : []),
    `Examples:\n${examples.map((example) => `  ${here}${example === '' ? '' : ` ${example}`}`).join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function flagLines(flags: readonly Flag[]): string {
  const heads = flags.map(({ name, short, value }) => {
    return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
  });
  const wide = Math.max(...heads.map(({ length }) => length)) + 2;
  return flags.map(({ text }, at) => `  ${(heads[at] ?? '').padEnd(wide)}${text}`).join('\n');
}
