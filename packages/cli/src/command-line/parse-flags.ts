import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './exit.ts';
import { nearest } from './nearest-name.ts';

type Config = Omit<ParseArgsConfig, 'args'>;

/**
 * Parses a command line. What is wrong with it is said in one sentence, with the command that lists the right flags:
 * Node's parser speaks of options and arguments, in several lines.
 * @throws UsageError
 */
export function parseFlags<T extends Config>(
  help: string,
  args: readonly string[],
  config: T,
): ReturnType<typeof parseArgs<T>> {
  const { options = {} } = config;
  try {
    // With the arguments it is the same configuration, and the result depends on nothing else.
    return parseArgs({ ...config, args: joinNegatives(args, options) }) as ReturnType<typeof parseArgs<T>>;
  } catch (error) {
    const problem = problemOf(error, options);
    throw new UsageError(`${problem}${problem.endsWith('?') ? '' : ';'} ${help} lists the flags`);
  }
}

type Options = NonNullable<Config['options']>;

/** `--nodes -1` is a bad value and no flag `-1`: whoever checks the value can say what is wrong with it. */
function joinNegatives(args: readonly string[], options: Options): string[] {
  const joined: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? '';
    const next = args[at + 1];
    const takesValue = argument.startsWith('--') && options[argument.slice(2)]?.type === 'string';
    if (argument === '--') return [...joined, ...args.slice(at)];
    if (takesValue && next !== undefined && /^-\d/.test(next)) {
      joined.push(`${argument}=${next}`);
      at++;
    } else joined.push(argument);
  }
  return joined;
}

function problemOf(error: unknown, options: Options): string {
  if (!(error instanceof Error)) return String(error);
  const { message } = error;
  const code = 'code' in error ? error.code : undefined;
  const [, quoted = ''] = /'([^']*)'/.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return unknownFlag(quoted, options);
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
    return `"${quoted}" is no flag, and only flags may stand here${'name' in options ? `; write --name ${quoted} if it is a name` : ''}`;
  // Both names where there is a short one, and what stands for the value: `-o, --output <value>`.
  const [, flag = quoted] = /(--[\w-]+)/.exec(quoted) ?? [];
  if (message.includes('ambiguous'))
    return `${flag} needs a value, and what follows it looks like another flag; write ${flag}=VALUE if it is the value`;
  if (message.includes('argument missing')) return `${flag} needs a value`;
  if (message.includes('does not take an argument')) return `${flag} takes no value`;
  return message;
}

function unknownFlag(flag: string, options: Options): string {
  const meant = nearest(
    flag,
    Object.keys(options).map((name) => `--${name}`),
  );
  return `there is no flag ${flag}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}
