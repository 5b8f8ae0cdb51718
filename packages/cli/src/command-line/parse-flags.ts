import { UsageError } from './exit.ts';

/** What is wrong with a flag, with the command that lists the right ones. */
export function parseFlags<T>(help: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(`${problemOf(error)}; ${help} lists the flags`);
  }
}

/** In one sentence: Node's parser speaks of options and arguments, in several lines. */
function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message } = error;
  const [, flag = ''] = /^Option '(?:-\w, )?(--[\w-]+)/.exec(message) ?? [];
  if (flag === '') return message.split('. ')[0] ?? message;
  if (message.includes('ambiguous'))
    return `${flag} needs a value, and what follows it looks like another flag; write ${flag}=VALUE if it is the value`;
  if (message.includes('argument missing')) return `${flag} needs a value`;
  if (message.includes('does not take an argument')) return `${flag} takes no value`;
  return message;
}
