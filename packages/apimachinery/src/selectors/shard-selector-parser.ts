// A shard selector is CEL of two operators: `shardRange(…)` and `||`, with parentheses around them if one likes.
import { InvalidSelectorError } from '../errors.ts';
import type { ShardField, ShardRange } from './shard-selector.ts';

const FIELDS: readonly string[] = [
  'object.metadata.uid',
  'object.metadata.namespace',
] satisfies readonly ShardField[];
const END_OF_ALL = '0x10000000000000000';
const TOKEN = /\s*(?:(?<text>'[^'\\\n]*'|"[^"\\\n]*")|(?<name>[A-Za-z_][\w.]*)|(?<sign>\|\||[(),]))/y;
const ONLY_SPACE = /\s*$/y;
/** A ring of so many replicas asks for fewer ranges, and each is looked at for each object. */
const MAX_RANGES = 1000;

interface Token {
  readonly kind: 'text' | 'name' | 'sign' | 'end';
  readonly value: string;
  readonly at: number;
}

export function parseShardRanges(text: string): readonly [ShardRange, ...ShardRange[]] {
  if (text.trim() === '')
    throw new InvalidSelectorError('a shard selector is empty; leave it out to have every object');
  const tokens = tokensOf(text);
  const parser = new Parser(tokens);
  const [first, ...others] = parser.expression();
  parser.take('end');
  if (first === undefined || others.length >= MAX_RANGES)
    throw new InvalidSelectorError(`a shard selector has at most ${MAX_RANGES} ranges`);
  const other = others.find(({ field }) => field !== first.field);
  if (other !== undefined)
    throw new InvalidSelectorError(
      `all ranges of a shard selector are of the same field, not of ${first.field} and ${other.field}`,
    );
  return [first, ...others];
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined) break;
    const [kind, value = ''] = Object.entries(groups).find(([, found]) => found !== undefined) ?? ['end'];
    // The names of the groups are those of the kinds.
    tokens.push({ kind: kind as Token['kind'], value, at });
    at = TOKEN.lastIndex;
  }
  ONLY_SPACE.lastIndex = at;
  if (!ONLY_SPACE.test(text))
    throw new InvalidSelectorError(`a shard selector cannot be read from character ${at + 1} on: "${text}"`);
  tokens.push({ kind: 'end', value: 'the end', at: text.length });
  return tokens;
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  expression(): ShardRange[] {
    const ranges: ShardRange[] = [];
    // Each opening one counts, so that no depth of parentheses takes the stack.
    let open = 0;
    for (;;) {
      while (this.#isNext('(')) {
        this.take('sign', '(');
        open++;
      }
      ranges.push(this.#range());
      for (; open > 0 && this.#isNext(')'); open--) this.take('sign', ')');
      if (!this.#isNext('||')) break;
      this.take('sign', '||');
    }
    if (open > 0) this.take('sign', ')');
    return ranges;
  }

  take(kind: Token['kind'], value?: string): string {
    const token = this.#tokens[this.#next];
    if (token === undefined || token.kind !== kind || (value !== undefined && token.value !== value))
      throw new InvalidSelectorError(
        `a shard selector has ${value ?? NAMES[kind]} at character ${(token?.at ?? 0) + 1}, not ${token?.value ?? 'the end'}`,
      );
    this.#next++;
    return token.value;
  }

  #isNext(sign: string): boolean {
    const token = this.#tokens[this.#next];
    return token?.kind === 'sign' && token.value === sign;
  }

  #range(): ShardRange {
    this.take('name', 'shardRange');
    this.take('sign', '(');
    const field = this.take('name');
    this.take('sign', ',');
    const start = boundOf(this.take('text'), 'start');
    this.take('sign', ',');
    const end = boundOf(this.take('text'), 'end');
    this.take('sign', ')');
    if (!isField(field))
      throw new InvalidSelectorError(`a shard is of one of ${FIELDS.join(', ')}, not of ${field}`);
    if (start.length > end.length || (start.length === end.length && start >= end))
      throw new InvalidSelectorError(`the start of a shard, ${start}, is not below its end, ${end}`);
    return { field, start, end };
  }
}

const NAMES = { text: "a text such as '0x8000000000000000'", name: 'a name', sign: 'a sign', end: 'the end' };

function isField(field: string): field is ShardField {
  return FIELDS.includes(field);
}

function boundOf(quoted: string, what: 'start' | 'end'): string {
  const text = quoted.slice(1, -1);
  if (text === END_OF_ALL || /^0x[0-9a-f]{16}$/.test(text)) return text;
  throw new InvalidSelectorError(
    `the ${what} of a shard is 0x and 16 digits of 0-9 and a-f, or ${END_OF_ALL}, not ${text}`,
  );
}
