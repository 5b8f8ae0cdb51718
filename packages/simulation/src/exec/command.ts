import { InvalidArgumentError } from '@windlass/base';
import { fillPlaces, type Places, withoutPlaces } from './places.ts';

/** A program and its arguments. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/** What only a shell understands: then it is given to one. */
const SHELL = /[|&;<>()$`*?[\]#~\n]|^\s*\w+=/;

/**
 * A command line as an argument list, with its places filled in. Quotes and backslashes mean what they mean
 * in a shell. A line that needs one, because of a pipe, a variable or a pattern, is run by `sh -c`: it is the user's own.
 * @throws InvalidArgumentError when it is empty or a quote is open
 */
export function parseCommand(line: string, places: Places): Command {
  if (needsShell(line))
    return { file: 'sh', args: ['-c', fillPlaces(line, places, (value) => `'${value}'`)] };
  const [file, ...args] = words(line).map((word) => fillPlaces(word, places));
  if (file === undefined || file === '')
    throw new InvalidArgumentError('command', line, 'a program, with its arguments if it has some');
  return { file, args };
}

/** Whether there is something outside of quotes that only a shell understands. */
function needsShell(line: string): boolean {
  const bare = withoutPlaces(line).replaceAll(/\\.|'[^']*'/g, '');
  // Within double quotes a shell still looks for variables and commands.
  return SHELL.test(bare.replaceAll(/"[^"$`]*"/g, ''));
}

/** What a state of the reader takes from a line, and whether the text it takes is part of a word. */
const TOKEN = /\s+|'(?<single>[^']*)'|"(?<double>(?:\\.|[^"\\])*)"|\\(?<escaped>.)|(?<bare>[^\s'"\\]+)/gy;

function words(line: string): string[] {
  const found: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const { 0: text, index, groups = {} } of line.matchAll(TOKEN)) {
    end = index + text.length;
    const { single, double, escaped, bare } = groups;
    const part = single ?? double?.replaceAll(/\\(["\\])/g, '$1') ?? escaped ?? bare;
    if (part !== undefined) word = (word ?? '') + part;
    else if (word !== undefined) {
      found.push(word);
      word = undefined;
    }
  }
  if (end !== line.length)
    throw new InvalidArgumentError(
      'command',
      line,
      `a command line whose quotes are closed; column ${end + 1} opens one`,
    );
  return word === undefined ? found : [...found, word];
}
