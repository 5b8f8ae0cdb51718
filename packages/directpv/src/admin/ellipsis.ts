import { InvalidRequestError } from './errors.ts';

/** More names than any cluster has drives; a slip such as `{1...1000000000}` must not fill the memory. */
const MAX_NAMES = 10_000;
const PATTERN = /\{([^{}]*?)\.\.\.([^{}]*?)\}/;
const LETTERS = 26;

/**
 * The names that a pattern stands for: `node{1...3}` is node1, node2, node3; `sd{a...c}`, `sd{az...bc}` count in
 * letters; several patterns in one text give every combination, the last changing fastest. The ends may come in
 * either order. Zeros in front are kept: `{08...10}` is 08, 09, 10.
 * @throws InvalidRequestError for a pattern that is none
 */
export function expandEllipses(text: string): string[] {
  const found = PATTERN.exec(text);
  if (found === null) {
    if (/[{}]|\.\.\./.test(text)) throw malformed(text);
    return [text];
  }
  const before = text.slice(0, found.index);
  if (/[{}]/.test(before)) throw malformed(text);
  const range = expandRange(found[1] ?? '', found[2] ?? '', text);
  const rest = expandEllipses(text.slice(found.index + found[0].length));
  if (range.length * rest.length > MAX_NAMES)
    throw new InvalidRequestError(
      `"${text}" stands for more than ${MAX_NAMES} names; write a smaller range, or leave the selector out`,
    );
  return range.flatMap((middle) => rest.map((end) => `${before}${middle}${end}`));
}

/** A comma-separated list of patterns, or several lists, without doubles and in the order given. */
export function expandNames(texts: readonly string[]): string[] {
  const names = texts
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
  return [...new Set(names.flatMap(expandEllipses))];
}

function expandRange(from: string, to: string, text: string): string[] {
  const kinds = [/^\d+$/, /^[a-z]+$/, /^[A-Z]+$/];
  const kind = kinds.findIndex((pattern) => pattern.test(from) && pattern.test(to));
  if (kind === -1) throw malformed(text);
  const base = kind === 2 ? 'A' : 'a';
  const read = kind === 0 ? Number : (letters: string): number => fromLetters(letters, base);
  const write = kind === 0 ? digitsLike(from, to) : (value: number): string => toLetters(value, base);
  const [low = 0, high = 0] = [read(from), read(to)].sort((a, b) => a - b);
  // Beyond the limit only the count matters, and an array of that length would not fit.
  const count = Math.min(high - low + 1, MAX_NAMES + 1);
  return Array.from({ length: count }, (_, index) => write(low + index));
}

function digitsLike(from: string, to: string): (value: number) => string {
  const isPadded = [from, to].some((digits) => digits.length > 1 && digits.startsWith('0'));
  const width = isPadded ? Math.max(from.length, to.length) : 0;
  return (value) => String(value).padStart(width, '0');
}

/** As devices are named: after z comes aa, after az comes ba. */
function fromLetters(letters: string, base: string): number {
  let value = 0;
  for (const letter of letters) value = value * LETTERS + letter.charCodeAt(0) - base.charCodeAt(0) + 1;
  return value;
}

function toLetters(value: number, base: string): string {
  let text = '';
  for (let left = value; left > 0; left = Math.floor((left - 1) / LETTERS))
    text = String.fromCharCode(base.charCodeAt(0) + ((left - 1) % LETTERS)) + text;
  return text;
}

function malformed(text: string): InvalidRequestError {
  return new InvalidRequestError(
    `"${text}" is no name and no pattern; a range is written {1...4}, {a...d} or {az...bc}`,
  );
}
