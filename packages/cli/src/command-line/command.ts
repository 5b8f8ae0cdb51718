import type { Terminal } from './terminal.ts';

/** One command of `windlass`. Help, the overview and shell completion are all made from this. */
export interface Command {
  /** As it is typed. */
  readonly name: string;
  /** One line for the overview. */
  readonly summary: string;
  /** What `--help` prints: usage, every flag, examples. */
  readonly help: string;
  /** What may follow it. Its own `run` is called only when none of them does. */
  readonly subcommands?: readonly Command[];
  /** Resolves with the exit code. */
  run(args: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number>;
}

/** The command that the words name, as deep as they go, and the words that are left. */
export function findCommand(
  commands: readonly Command[],
  words: readonly string[],
): { readonly command: Command | undefined; readonly rest: readonly string[] } {
  let command: Command | undefined;
  let rest = words;
  let level: readonly Command[] = commands;
  for (;;) {
    const next = level.find(({ name }) => name === rest[0]);
    if (next === undefined) return { command, rest };
    command = next;
    rest = rest.slice(1);
    level = next.subcommands ?? [];
  }
}

/** The flags that a help text names, without those that its examples repeat. */
export function flagsOf({ help }: Command): readonly string[] {
  return [...new Set(help.match(/(?<![\w-])--[a-z][a-z-]*[a-z]/g))].sort();
}

/** Whether somebody asks for help rather than for the thing itself. */
export function asksForHelp({ subcommands }: Command, args: readonly string[]): boolean {
  if (subcommands !== undefined && args[0] === 'help') return true;
  const end = args.indexOf('--');
  const flags = end === -1 ? args : args.slice(0, end);
  return flags.includes('--help') || flags.includes('-h');
}
