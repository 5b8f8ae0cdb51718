// A small part of what a shell reads: lists of simple commands with `;`, `&&`, `||` and new lines, quotes, variables,
// `$(date)`-like substitutions of one simple command, redirections to files, and `while true; do …; done`.
import { WindlassError } from '@windlass/base';

/** A script that is more than the simulation knows. */
export class ScriptError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'SCRIPT' });
  }
}

/** A piece of a word: text as it is, the value of a variable, or what a command prints. */
export type WordPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'command'; readonly words: readonly Word[] };

export type Word = readonly WordPart[];

export interface SimpleCommand {
  readonly type: 'command';
  readonly words: readonly Word[];
  /** Where its output goes; undefined: to its caller. */
  readonly output: { readonly path: Word; readonly isAppended: boolean } | undefined;
}

export interface Loop {
  readonly type: 'loop';
  readonly body: readonly Step[];
}

export interface Step {
  /** `;` always, `&&` after a success, `||` after a failure. */
  readonly after: ';' | '&&' | '||';
  readonly run: SimpleCommand | Loop;
}

type Token =
  | { readonly type: 'word'; readonly word: Word }
  | { readonly type: 'operator'; readonly text: string };

const OPERATORS = ['&&', '||', '>>', ';', '\n', '>'];
const PLAIN_LIMIT = 64 * 1024;

/** @throws ScriptError when the script is more than that */
export function parseScript(script: string): readonly Step[] {
  if (script.length > PLAIN_LIMIT)
    throw new ScriptError(`the script has more than ${PLAIN_LIMIT} characters`);
  const tokens = tokensOf(script);
  const { steps, next } = list(tokens, 0, undefined);
  if (next < tokens.length) throw new ScriptError('syntax error: unexpected "done"');
  return steps;
}

function list(
  tokens: readonly Token[],
  from: number,
  end: string | undefined,
): { readonly steps: Step[]; readonly next: number } {
  const steps: Step[] = [];
  let after: Step['after'] = ';';
  let at = from;
  for (let token = tokens[at]; token !== undefined; token = tokens[at]) {
    if (token.type === 'operator') {
      if (token.text === '>' || token.text === '>>')
        throw new ScriptError('syntax error: nothing to redirect');
      // Both of these and the end of a line are the same here.
      after = token.text === '&&' || token.text === '||' ? token.text : ';';
      at++;
      continue;
    }
    const keyword = textOf(token.word);
    if (keyword === end || keyword === 'done') return { steps, next: at };
    const parsed = keyword === 'while' ? loop(tokens, at) : command(tokens, at);
    steps.push({ after, run: parsed.run });
    after = ';';
    at = parsed.next;
  }
  if (end !== undefined) throw new ScriptError(`syntax error: "${end}" is missing`);
  return { steps, next: at };
}

function loop(tokens: readonly Token[], at: number): { readonly run: Loop; readonly next: number } {
  const condition = list(tokens, at + 1, 'do');
  const [only] = condition.steps;
  const isEndless =
    condition.steps.length === 1 &&
    only?.run.type === 'command' &&
    ['true', ':'].includes(textOf(only.run.words[0] ?? []) ?? '');
  if (!isEndless) throw new ScriptError('only "while true" is simulated');
  const body = list(tokens, condition.next + 1, 'done');
  return { run: { type: 'loop', body: body.steps }, next: body.next + 1 };
}

function command(
  tokens: readonly Token[],
  from: number,
): { readonly run: SimpleCommand; readonly next: number } {
  const words: Word[] = [];
  let output: SimpleCommand['output'];
  let at = from;
  for (let token = tokens[at]; token !== undefined; token = tokens[at]) {
    if (token.type === 'word') {
      words.push(token.word);
      at++;
      continue;
    }
    if (token.text !== '>' && token.text !== '>>') break;
    const target = tokens[at + 1];
    if (target?.type !== 'word') throw new ScriptError('syntax error: a redirection names no file');
    output = { path: target.word, isAppended: token.text === '>>' };
    at += 2;
  }
  return { run: { type: 'command', words, output }, next: at };
}

/** The text of a word without variables; undefined when it has some. */
function textOf(word: Word): string | undefined {
  return word.every((part) => part.type === 'text')
    ? word.map((part) => (part.type === 'text' ? part.text : '')).join('')
    : undefined;
}

function tokensOf(script: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < script.length) {
    const rest = script.slice(at, at + 2);
    const operator = OPERATORS.find((text) => rest.startsWith(text));
    if (operator !== undefined) {
      tokens.push({ type: 'operator', text: operator });
      at += operator.length;
    } else if (/\s/.test(rest[0] ?? '')) at++;
    else if (rest[0] === '#') {
      const end = script.indexOf('\n', at);
      at = end === -1 ? script.length : end;
    } else {
      const read = wordAt(script, at);
      tokens.push({ type: 'word', word: read.word });
      at = read.next;
    }
  }
  return tokens;
}

function wordAt(script: string, from: number): { readonly word: Word; readonly next: number } {
  const parts: WordPart[] = [];
  let at = from;
  let quote = '';
  const text = (value: string): void => void parts.push({ type: 'text', text: value });
  for (; at < script.length; at++) {
    const char = script[at] ?? '';
    if (quote === "'") {
      if (char === "'") quote = '';
      else text(char);
    } else if (char === '\\') {
      at++;
      text(quote === '"' && !/["\\$`]/.test(script[at] ?? '') ? `\\${script[at] ?? ''}` : (script[at] ?? ''));
    } else if (char === '"') {
      quote = quote === '"' ? '' : '"';
      text('');
    } else if (char === '$') {
      const read = substitution(script, at);
      parts.push(read.part);
      at = read.next - 1;
    } else if (quote === '"') text(char);
    else if (char === "'") {
      quote = "'";
      text('');
    } else if (/[\s;>]/.test(char) || OPERATORS.some((operator) => script.startsWith(operator, at))) break;
    else if (/[`(){}<|&*?[\]]/.test(char)) throw new ScriptError(`"${char}" is not simulated`);
    else text(char);
  }
  if (quote !== '') throw new ScriptError('syntax error: unterminated quoted string');
  return { word: parts, next: at };
}

function substitution(script: string, at: number): { readonly part: WordPart; readonly next: number } {
  const [variable, braced, plain] =
    /^\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*|\?))/.exec(script.slice(at)) ?? [];
  if (variable !== undefined)
    return { part: { type: 'variable', name: braced ?? plain ?? '' }, next: at + variable.length };
  if (script[at + 1] !== '(') return { part: { type: 'text', text: '$' }, next: at + 1 };
  const end = script.indexOf(')', at);
  if (end === -1) throw new ScriptError('syntax error: unterminated substitution');
  const [only, ...others] = parseScript(script.slice(at + 2, end));
  if (only?.run.type !== 'command' || others.length > 0)
    throw new ScriptError('only one command in "$(…)" is simulated');
  return { part: { type: 'command', words: only.run.words }, next: end + 1 };
}
