import { appendAll } from '@windlass/base';
import { charSource, readClass, readEscape } from './char-class.ts';
import type { RegexpNode } from './regexp-node.ts';

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly U: boolean;
}

interface Repeat {
  readonly text: string;
  readonly min: number;
  readonly max: number;
}

const MAX_REPEAT = 1000;
const MAX_DEPTH = 1000;
const EMPTY: RegexpNode = { type: 'empty' };

/**
 * Parses Go's syntax.
 * @throws SyntaxError with what is wrong, in Go's words
 */
export function parseGoPattern(pattern: string): RegexpNode {
  return new Parser(pattern).parse();
}

class Parser {
  readonly #pattern: string;
  #at = 0;
  #depth = 0;
  #flags: Flags = { i: false, m: false, s: false, U: false };

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  parse(): RegexpNode {
    const node = this.#choice();
    if (this.#at < this.#pattern.length) throw new SyntaxError(`unexpected ): \`${this.#pattern}\``);
    return node;
  }

  get #rest(): string {
    return this.#pattern.slice(this.#at);
  }

  #choice(): RegexpNode {
    const parts = [this.#sequence()];
    while (this.#pattern[this.#at] === '|') {
      this.#at++;
      parts.push(this.#sequence());
    }
    return parts.length === 1 ? (parts[0] ?? EMPTY) : { type: 'choice', parts };
  }

  #sequence(): RegexpNode {
    const parts: RegexpNode[] = [];
    for (;;) {
      const char = this.#pattern[this.#at];
      if (char === undefined || char === '|' || char === ')') break;
      const repeat = this.#repeatAhead();
      if (repeat === undefined) {
        appendAll(parts, this.#atom());
        continue;
      }
      // What came last, also where only flags stand between.
      const body = parts.pop();
      if (body === undefined)
        throw new SyntaxError(`missing argument to repetition operator: \`${repeat.text}\``);
      parts.push(this.#repeated(body, repeat));
    }
    return parts.length === 1 ? (parts[0] ?? EMPTY) : { type: 'sequence', parts };
  }

  #repeated(body: RegexpNode, { text, min, max }: Repeat): RegexpNode {
    this.#at += text.length;
    const next = this.#repeatAhead();
    if (next !== undefined)
      throw new SyntaxError(`invalid nested repetition operator: \`${text}${next.text}\``);
    if (min > MAX_REPEAT || (max !== Number.POSITIVE_INFINITY && max > MAX_REPEAT) || min > max)
      throw new SyntaxError(`invalid repeat count: \`${text}\``);
    const isGreedy = text.endsWith('?') && text !== '?' ? this.#flags.U : !this.#flags.U;
    return { type: 'repeat', body, min, max, isGreedy };
  }

  #repeatAhead(): Repeat | undefined {
    const match = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(this.#rest);
    if (match === null) return undefined;
    const [text, sign, min, comma, max] = match;
    const infinite = Number.POSITIVE_INFINITY;
    if (sign !== undefined) return { text, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : infinite };
    const most = comma === undefined ? Number(min) : max === '' ? infinite : Number(max);
    return { text, min: Number(min), max: most };
  }

  /** Several for `\Q…\E`, none for flags alone. */
  #atom(): readonly RegexpNode[] {
    const rest = this.#rest;
    switch (rest[0]) {
      case '(':
        return this.#group(rest);
      case '[':
        return [this.#take(readClass(rest))];
      case '.':
        this.#at++;
        return [{ type: 'char', source: this.#flags.s ? '[^]' : '[^\\n]' }];
      case '^':
        this.#at++;
        return [{ type: 'assert', kind: this.#flags.m ? 'line-start' : 'text-start' }];
      case '$':
        this.#at++;
        return [{ type: 'assert', kind: this.#flags.m ? 'line-end' : 'text-end' }];
      case '\\':
        return this.#escape(rest);
      default:
        return [this.#literal(rest.codePointAt(0) ?? 0)];
    }
  }

  #literal(code: number): RegexpNode {
    this.#at += code > 0xffff ? 2 : 1;
    return this.#char(charSource(code));
  }

  #take({ source, length }: { readonly source: string; readonly length: number }): RegexpNode {
    this.#at += length;
    return this.#char(source);
  }

  #char(source: string): RegexpNode {
    return { type: 'char', source: this.#flags.i ? `(?i:${source})` : source };
  }

  #escape(rest: string): readonly RegexpNode[] {
    const assertion = (
      {
        A: 'text-start',
        z: 'text-end',
        b: 'word-boundary',
        B: 'no-word-boundary',
      } as const
    )[rest[1] ?? ''];
    if (assertion !== undefined) {
      this.#at += 2;
      return [{ type: 'assert', kind: assertion }];
    }
    if (rest[1] === 'Q') {
      const end = rest.indexOf('\\E', 2);
      const literal = Array.from(rest.slice(2, end < 0 ? undefined : end));
      this.#at += end < 0 ? rest.length : end + 2;
      return literal.map((char) => this.#char(charSource(char.codePointAt(0) ?? 0)));
    }
    const item = readEscape(rest);
    return [this.#take(item.code === undefined ? { ...item, source: `[${item.source}]` } : item)];
  }

  #group(rest: string): readonly RegexpNode[] {
    if (++this.#depth > MAX_DEPTH) throw new SyntaxError('expression nests too deeply');
    const outer = this.#flags;
    if (rest.startsWith('(?')) {
      const named = /^\(\?P?<\w+>/.exec(rest);
      const flags = /^\(\?([imsU]*)(?:-([imsU]+))?([:)])/.exec(rest);
      if (named === null && (flags === null || flags[0] === '(?)'))
        throw new SyntaxError(
          `invalid or unsupported Perl syntax: \`${rest.slice(0, rest[2] === '<' ? 4 : 3)}\``,
        );
      this.#at += (named ?? flags)?.[0].length ?? 0;
      if (flags !== null) {
        const set = (name: keyof Flags): boolean =>
          (flags[1] ?? '').includes(name) || (outer[name] && !(flags[2] ?? '').includes(name));
        this.#flags = { i: set('i'), m: set('m'), s: set('s'), U: set('U') };
        // Flags alone hold to the end of the group that they are in.
        if (flags[3] === ')') {
          this.#depth--;
          return [];
        }
      }
    } else this.#at++;
    const node = this.#choice();
    if (this.#pattern[this.#at] !== ')') throw new SyntaxError(`missing closing ): \`${this.#pattern}\``);
    this.#at++;
    this.#flags = outer;
    this.#depth--;
    return [node];
  }
}
