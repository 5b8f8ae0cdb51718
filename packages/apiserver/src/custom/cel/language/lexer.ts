import type { Literal } from './expr.ts';
import { type Issue, SourceError } from './source.ts';
import { bytesOf, textOf } from './string-literal.ts';
import { MAX_INT, Uint } from './values.ts';

export type Token =
  | { readonly kind: 'punctuation' | 'ident' | 'quoted' | 'end'; readonly text: string; readonly at: number }
  | { readonly kind: 'literal'; readonly text: string; readonly at: number; readonly value: Literal };

const SPACE = /(?:[ \t\r\n\f]+|\/\/[^\n]*)+/y;
const PUNCTUATION = /==|!=|<=|>=|&&|\|\||[()[\]{}.,:?!<>+\-*/%]/y;
const NUMBER =
  /0[xX][0-9a-fA-F]+[uU]?|\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?|\d+[uU]?/y;
const STRING = /([bB]?[rR]?|[rR][bB])("""|'''|"|')/y;
const IDENT = /[A-Za-z_][A-Za-z0-9_]*/y;
const QUOTED = /`[A-Za-z0-9_.\-/ ]+`/y;

/**
 * The tokens of an expression, and what is none: that is left out.
 * @throws SourceError for a token that cannot be read
 */
export function tokenize(source: string): {
  readonly tokens: readonly Token[];
  readonly issues: readonly Issue[];
} {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(source);
  };
  while (at < source.length) {
    const space = match(SPACE);
    if (space !== null) {
      at += space[0].length;
      continue;
    }
    const quote = match(STRING);
    const quoted = quote === null ? undefined : stringAt(source, at, quote[1] ?? '', quote[2] ?? '');
    if (quoted !== undefined) {
      const { end, value } = quoted;
      tokens.push({ kind: 'literal', text: source.slice(at, end), at, value });
      at = end;
      continue;
    }
    const isNumber = /[0-9]|\.[0-9]/y;
    isNumber.lastIndex = at;
    const isAfterValue = tokens.at(-1)?.kind !== 'punctuation' || /[)\]}]/.test(tokens.at(-1)?.text ?? '');
    const startsNumber = isNumber.test(source) && !(source[at] === '.' && isAfterValue && tokens.length > 0);
    const number = startsNumber ? match(NUMBER) : null;
    const found = quote === null ? (number ?? match(IDENT) ?? match(QUOTED) ?? match(PUNCTUATION)) : null;
    if (found === null) {
      const unknown = unknownAt(source, at);
      issues.push({ at, message: `Syntax error: token recognition error at: '${unknown}'` });
      at += unknown.length;
      continue;
    }
    const [text] = found;
    if (number !== null) tokens.push({ kind: 'literal', text, at, value: numberOf(text, at) });
    else if (/^[A-Za-z_]/.test(text)) tokens.push(wordAt(text, at));
    else if (text.startsWith('`')) tokens.push({ kind: 'quoted', text: text.slice(1, -1), at });
    else tokens.push({ kind: 'punctuation', text, at });
    at += text.length;
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: source.length });
  return { tokens, issues };
}

/** A character that begins no token, or a text that does not end. */
function unknownAt(source: string, at: number): string {
  const char = String.fromCodePoint(source.codePointAt(at) ?? 0);
  return /["'`bBrR]/.test(char) ? (source.slice(at).split('\n')[0] ?? char) : char;
}

function wordAt(text: string, at: number): Token {
  switch (text) {
    case 'true':
    case 'false':
      return { kind: 'literal', text, at, value: text === 'true' };
    case 'null':
      return { kind: 'literal', text, at, value: null };
    case 'in':
      return { kind: 'punctuation', text, at };
    default:
      return { kind: 'ident', text, at };
  }
}

function numberOf(text: string, at: number): Literal {
  const digits = text.replace(/[uU]$/, '');
  if (digits !== text) {
    try {
      return new Uint(BigInt(digits));
    } catch {
      throw new SourceError([{ at, message: 'invalid uint literal' }]);
    }
  }
  if (/^\d+$|^0[xX]/.test(text)) {
    const value = BigInt(text);
    // A minus before the number may make it the smallest one.
    if (value > MAX_INT + 1n) throw new SourceError([{ at, message: 'invalid int literal' }]);
    return value;
  }
  const value = Number(text);
  if (!Number.isFinite(value)) throw new SourceError([{ at, message: 'invalid double literal' }]);
  return value;
}

/** Undefined for a text that does not end. */
function stringAt(
  source: string,
  at: number,
  prefix: string,
  quote: string,
): { readonly end: number; readonly value: Literal } | undefined {
  const isRaw = /[rR]/.test(prefix);
  const start = at + prefix.length + quote.length;
  for (let end = start; end < source.length; end++) {
    if (source.startsWith(quote, end)) {
      const body = source.slice(start, end);
      const value = /[bB]/.test(prefix) ? bytesOf(body, isRaw, at) : textOf(body, isRaw, at);
      return { end: end + quote.length, value };
    }
    if (source[end] === '\\' && !isRaw) end++;
    else if (quote.length === 1 && /[\r\n]/.test(source[end] ?? '')) return undefined;
  }
  return undefined;
}
