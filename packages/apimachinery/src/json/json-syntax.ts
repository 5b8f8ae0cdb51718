// Where and why a text is no JSON, in the words of Go's decoder: they are what clients of an API server
// see. JSON.parse does the work as long as all is well; this is for when it is not.

import { goQuote } from '../text/go-text.ts';

export interface JsonProblem {
  readonly offset: number;
  /** `invalid character '}' looking for beginning of value`. */
  readonly problem: string;
}

/** Go's decoder looks no deeper. */
const MAX_DEPTH = 10_000;

type Expected = 'value' | 'item or end' | 'key' | 'key or end' | 'colon' | 'comma or end';

/** Undefined for a text that is JSON after all. */
export function findJsonProblem(text: string): JsonProblem | undefined {
  try {
    new Scanner(text).scan();
    return undefined;
  } catch (error) {
    if (error instanceof Found) return error;
    throw error;
  }
}

/** Ends the scan from wherever it is. No Error, because nobody sees it. */
class Found implements JsonProblem {
  readonly offset: number;
  readonly problem: string;

  constructor(offset: number, problem: string) {
    this.offset = offset;
    this.problem = problem;
  }
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): void {
    const open: ('{' | '[')[] = [];
    let expected: Expected = 'value';
    for (;;) {
      while (' \t\r\n'.includes(this.#char() || 'x')) this.#at++;
      if (this.#char() === '' && expected === 'comma or end' && open.length === 0) return;
      const next = this.#need();
      switch (expected) {
        case 'colon':
          expected = next === ':' ? 'value' : this.#fail('after object key');
          this.#at++;
          break;
        case 'comma or end':
          expected = this.#afterValue(open, next);
          break;
        case 'key or end':
        case 'key':
          if (next === '}' && expected === 'key or end') {
            expected = this.#close(open);
          } else {
            if (next !== '"') this.#fail('looking for beginning of object key string');
            this.#string();
            expected = 'colon';
          }
          break;
        case 'item or end':
        case 'value':
          if (next === ']' && expected === 'item or end') {
            expected = this.#close(open);
          } else if (next === '{' || next === '[') {
            if (open.push(next) > MAX_DEPTH) throw new Found(this.#at, 'exceeded max depth');
            this.#at++;
            expected = next === '{' ? 'key or end' : 'item or end';
          } else {
            this.#scalar(next);
            expected = 'comma or end';
          }
          break;
      }
    }
  }

  #afterValue(open: ('{' | '[')[], next: string): Expected {
    const within = open.at(-1);
    if (within === undefined) this.#fail('after top-level value');
    if (next === (within === '{' ? '}' : ']')) return this.#close(open);
    if (next !== ',') this.#fail(within === '{' ? 'after object key:value pair' : 'after array element');
    this.#at++;
    return within === '{' ? 'key' : 'value';
  }

  #close(open: ('{' | '[')[]): Expected {
    open.pop();
    this.#at++;
    return 'comma or end';
  }

  #char(): string {
    return this.#text.charAt(this.#at);
  }

  #need(): string {
    const char = this.#char();
    if (char === '') throw new Found(this.#at, 'unexpected end of JSON input');
    return char;
  }

  /** Within a word or a number Go takes the end of the text for a blank. */
  #inner(): string {
    return this.#char() || ' ';
  }

  /** Go reads bytes, and shows the first one of a character as if it were one itself. */
  #fail(context: string): never {
    const byte = Buffer.from(String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 32))[0] ?? 0;
    const char = String.fromCharCode(byte);
    const shown = char === "'" ? "\\'" : char === '"' ? '"' : goQuote(char).slice(1, -1);
    throw new Found(this.#at, `invalid character '${shown}' ${context}`);
  }

  #scalar(first: string): void {
    if (first === '"') return this.#string();
    if (first === '-' || isDigit(first)) return this.#number();
    const word = ['true', 'false', 'null'].find((candidate) => candidate.startsWith(first));
    if (word === undefined) this.#fail('looking for beginning of value');
    for (const letter of word ?? '') {
      if (this.#inner() !== letter) this.#fail(`in literal ${word} (expecting '${letter}')`);
      this.#at++;
    }
  }

  #string(): void {
    this.#at++;
    for (let char = this.#need(); char !== '"'; char = this.#need()) {
      if (char < ' ') this.#fail('in string literal');
      this.#at++;
      if (char === '\\') this.#escape();
    }
    this.#at++;
  }

  #escape(): void {
    const char = this.#inner();
    if (!'bfnrt\\/"u'.includes(char)) this.#fail('in string escape code');
    this.#at++;
    if (char !== 'u') return;
    for (let digit = 0; digit < 4; digit++, this.#at++)
      if (!/[0-9a-fA-F]/.test(this.#inner())) this.#fail('in \\u hexadecimal character escape');
  }

  #number(): void {
    if (this.#char() === '-') this.#at++;
    if (this.#char() === '0') this.#at++;
    else this.#digits('in numeric literal');
    if (this.#char() === '.') {
      this.#at++;
      this.#digits('after decimal point in numeric literal');
    }
    if (this.#char() === 'e' || this.#char() === 'E') {
      this.#at++;
      if (this.#char() === '+' || this.#char() === '-') this.#at++;
      this.#digits('in exponent of numeric literal');
    }
  }

  /** At least one. */
  #digits(context: string): void {
    if (!isDigit(this.#inner())) this.#fail(context);
    while (isDigit(this.#char())) this.#at++;
  }
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9';
}
