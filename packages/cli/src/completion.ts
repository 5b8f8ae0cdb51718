import { type Command, flagsOf } from './command-line/command.ts';
import { EXIT_OK, UsageError } from './command-line/exit.ts';

const HELP = `windlass completion: lets the shell complete commands and flags

Usage: windlass completion bash|zsh|fish

Prints a script for the shell that is named.

Examples:
  source <(windlass completion bash)
  windlass completion zsh > ~/.zfunc/_windlass
  windlass completion fish > ~/.config/fish/completions/windlass.fish
`;

/** A line of words that may be completed after the words before it: `generate` gives `types crds --help`. */
export interface Completion {
  readonly path: readonly string[];
  readonly commands: readonly Command[];
  readonly flags: readonly string[];
}

/** `commands` is a function because the command is itself in the list. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'let the shell complete commands and flags',
    help: HELP,
    run([shell, ...more], terminal) {
      const write = SHELLS[shell ?? ''];
      if (write === undefined || more.length > 0)
        throw new UsageError(`name one shell: ${Object.keys(SHELLS).join(', ')}`);
      terminal.out(write(completions(commands())));
      return Promise.resolve(EXIT_OK);
    },
  };
}

/** What may follow each command, the top one first. */
export function completions(commands: readonly Command[], path: readonly string[] = []): Completion[] {
  const top = path.length === 0 ? [{ path, commands, flags: ['--help', '--version'] }] : [];
  return [
    ...top,
    ...commands.flatMap((command) => {
      const here = [...path, command.name];
      const subcommands = command.subcommands ?? [];
      const own = { path: here, commands: subcommands, flags: [...new Set([...flagsOf(command), '--help'])] };
      return [own, ...completions(subcommands, here)];
    }),
  ];
}

const SHELLS: Readonly<Record<string, (all: readonly Completion[]) => string>> = { bash, zsh, fish };

const names = ({ commands }: Completion): string[] => commands.map(({ name }) => name);

function bash(all: readonly Completion[]): string {
  const cases = all
    .map((one) => `    '${one.path.join(' ')}') words='${[...names(one), ...one.flags].join(' ')}' ;;`)
    .join('\n');
  return `# bash completion for windlass
_windlass() {
  local word path='' words='' current=\${COMP_WORDS[COMP_CWORD]}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case $path in
${cases}
  esac
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}
complete -o default -F _windlass windlass
`;
}

function zsh(all: readonly Completion[]): string {
  const quote = (text: string): string => text.replaceAll("'", "'\\''").replaceAll(':', '\\:');
  const cases = all
    .map((one) => {
      const described = one.commands.map(({ name, summary }) => `'${name}:${quote(summary)}'`).join(' ');
      return `    '${one.path.join(' ')}') commands=(${described}); flags=(${one.flags.join(' ')}) ;;`;
    })
    .join('\n');
  return `#compdef windlass
_windlass() {
  local word path_words='' current=\${words[CURRENT]}
  local -a commands flags
  for word in \${words[2,CURRENT-1]}; do
    case $word in -*) ;; *) path_words="\${path_words:+$path_words }$word" ;; esac
  done
  case $path_words in
${cases}
  esac
  (( \${#commands} )) && _describe 'command' commands
  (( \${#flags} )) && compadd -- $flags
  _files
}
compdef _windlass windlass
`;
}

function fish(all: readonly Completion[]): string {
  const quote = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  const lines = all.flatMap(({ path, commands, flags }) => {
    const when = `-n "__windlass_at '${path.join(' ')}'"`;
    return [
      ...commands.map(
        ({ name, summary }) => `complete -c windlass ${when} -f -a ${name} -d '${quote(summary)}'`,
      ),
      ...flags.map((flag) => `complete -c windlass ${when} -l ${flag.slice('--'.length)}`),
    ];
  });
  return `# fish completion for windlass
function __windlass_at
  set -l words (commandline -opc)
  set -l path (string match -v -- '-*' $words[2..-1])
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`;
}
