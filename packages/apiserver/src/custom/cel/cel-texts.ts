import { goQuote } from '@windlass/apimachinery';
import { compileGoRegexp } from '../regexp/go-regexp.ts';
import type { GoRegexp } from '../regexp/regexp-matcher.ts';
import { formatText } from './cel-format-text.ts';
import type { Declarations } from './language/declarations.ts';

/** Regular expressions, and what CEL's own extension of strings has in the version that Kubernetes takes. */
export function registerTextFunctions(env: Declarations): void {
  env
    .function('matches(string, string): bool', matchesText, 'matches')
    .function('string.matches(string): bool', matchesText, 'matches_string')
    .function(
      'string.find(string): string',
      (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? '',
    )
    .function('string.findAll(string): list<string>', (text: string, pattern: string) =>
      findAll(text, pattern, -1n),
    )
    .function('string.findAll(string, int): list<string>', findAll)
    .function('string.replace(string, string): string', (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    )
    .function('string.replace(string, string, int): string', replaceSome)
    .function('string.charAt(int): string', charAt)
    .function('string.indexOf(string): int', (text: string, part: string) => indexOf(text, part, 0n))
    .function('string.indexOf(string, int): int', indexOf)
    .function('string.lastIndexOf(string): int', (text: string, part: string) =>
      lastIndexOf(text, part, undefined),
    )
    .function('string.lastIndexOf(string, int): int', lastIndexOf)
    .function('string.substring(int): string', (text: string, from: bigint) =>
      substring(text, from, undefined),
    )
    .function('string.substring(int, int): string', substring)
    .function('string.trim(): string', (text: string) => text.replace(/^[\s\u0085]+|[\s\u0085]+$/g, ''))
    .function('string.split(string): list<string>', (text: string, by: string) => split(text, by, -1n))
    .function('string.split(string, int): list<string>', split)
    .function('list<string>.join(): string', (list: readonly string[]) => list.join(''))
    .function('list<string>.join(string): string', (list: readonly string[], by: string) => list.join(by))
    .function('string.lowerAscii(): string', (text: string) =>
      text.replaceAll(/[A-Z]/g, (char) => char.toLowerCase()),
    )
    .function('string.upperAscii(): string', (text: string) =>
      text.replaceAll(/[a-z]/g, (char) => char.toUpperCase()),
    )
    .function('strings.quote(string): string', goQuote)
    .function('string.format(list<dyn>): string', formatText, 'string_format');
}

/** Whether an expression in Go's syntax is found in a text. */
function matchesText(text: string, pattern: string): boolean {
  return expressionFor(pattern).test(text);
}

function expressionFor(pattern: string): GoRegexp {
  try {
    return compileGoRegexp(pattern);
  } catch (error) {
    const problem = error instanceof Error ? error.message : '';
    throw new Error(`error parsing regexp: ${problem}`, { cause: error });
  }
}

function findAll(text: string, pattern: string, limit: bigint): string[] {
  const expression = expressionFor(pattern);
  const found: string[] = [];
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  for (let from = 0, last = -1; from <= text.length && found.length < most; ) {
    const match = expression.find(text, from);
    if (match === undefined) break;
    const { start, end } = match;
    // Nothing right after a match is no match of its own.
    if (end > start || start !== last) found.push(text.slice(start, end));
    last = end;
    from = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
  }
  return found;
}

function replaceSome(text: string, from: string, to: string, limit: bigint): string {
  if (limit < 0n) return text.replaceAll(from, () => to);
  let left = limit;
  return text.replaceAll(from, (match) => (left-- > 0n ? to : match));
}

function charAt(text: string, index: bigint): string {
  const chars = Array.from(text);
  if (index < 0n || index > BigInt(chars.length)) throw new Error(`index out of range: ${index}`);
  return chars[Number(index)] ?? '';
}

function characterIndex(text: string, units: number): bigint {
  return units < 0 ? -1n : BigInt(Array.from(text.slice(0, units)).length);
}

function indexOf(text: string, part: string, from: bigint): bigint {
  const chars = Array.from(text);
  if (from < 0n || from > BigInt(chars.length)) throw new Error(`index out of range: ${from}`);
  const start = chars.slice(0, Number(from)).join('').length;
  return characterIndex(text, text.indexOf(part, start));
}

function lastIndexOf(text: string, part: string, from: bigint | undefined): bigint {
  const chars = Array.from(text);
  if (from !== undefined && (from < 0n || from > BigInt(chars.length)))
    throw new Error(`index out of range: ${from}`);
  const start = from === undefined ? undefined : chars.slice(0, Number(from)).join('').length;
  return characterIndex(text, text.lastIndexOf(part, start));
}

function substring(text: string, from: bigint, to: bigint | undefined): string {
  const chars = Array.from(text);
  const end = to ?? BigInt(chars.length);
  if (from < 0n || from > BigInt(chars.length)) throw new Error(`index out of range: ${from}`);
  if (end < 0n || end > BigInt(chars.length)) throw new Error(`index out of range: ${end}`);
  if (from > end) throw new Error(`invalid substring range. start: ${from}, end: ${end}`);
  return chars.slice(Number(from), Number(end)).join('');
}

function split(text: string, by: string, limit: bigint): string[] {
  const parts = by === '' ? Array.from(text) : text.split(by);
  if (limit < 0n || parts.length <= limit) return parts;
  if (limit === 0n) return [];
  const whole = Number(limit) - 1;
  return [...parts.slice(0, whole), parts.slice(whole).join(by)];
}
