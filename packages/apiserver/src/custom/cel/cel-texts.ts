import type { Environment } from '@marcbachmann/cel-js';
import { compileGoRegexp } from '../regexp/go-regexp.ts';
import type { GoRegexp } from '../regexp/regexp-matcher.ts';
import { charge, STEPS_PER_CHARACTER } from './cel-cost.ts';
import { formatText } from './cel-format-text.ts';

/** Kubernetes' functions on texts: regular expressions, and what CEL's own extension of strings has. */
export function registerTextFunctions(env: Environment): void {
  const has = (signature: string): boolean =>
    env.getDefinitions().functions.some((known) => known.signature === signature);
  const add = (signature: string, handler: (...args: never[]) => unknown): void => {
    // Some come with the engine.
    if (!has(signature)) env.registerFunction(signature, handler);
  };
  add('string.find(string): string', (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? '');
  add('string.findAll(string): list<string>', (text: string, pattern: string) => findAll(text, pattern, -1n));
  add('string.findAll(string, int): list<string>', findAll);
  add('string.replace(string, string): string', (text: string, from: string, to: string) =>
    text.replaceAll(from, () => to),
  );
  add('string.replace(string, string, int): string', replaceSome);
  add('string.charAt(int): string', charAt);
  add('string.upperAscii(): string', (text: string) =>
    text.replaceAll(/[a-z]/g, (char) => char.toUpperCase()),
  );
  add('string.reverse(): string', (text: string) => Array.from(text).toReversed().join(''));
  add('string.format(list<dyn>): string', formatText);
}

/** Whether an expression in Go's syntax is found in a text. */
export function matchesText(text: string, pattern: string): boolean {
  return expressionFor(text, pattern).test(text);
}

function expressionFor(text: string, pattern: string): GoRegexp {
  charge(text.length * STEPS_PER_CHARACTER * Math.ceil(pattern.length / 4));
  try {
    return compileGoRegexp(pattern);
  } catch (error) {
    const problem = error instanceof Error ? error.message : '';
    throw new Error(`error parsing regexp: ${problem}`, { cause: error });
  }
}

function findAll(text: string, pattern: string, limit: bigint): string[] {
  const expression = expressionFor(text, pattern);
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
