/**
 * A JavaScript expression for one in Go's syntax (RE2): what both write differently is translated, and
 * what RE2 does not have (lookaround, back references) is refused.
 *
 * @throws SyntaxError with what is wrong
 */
export function compileGoRegExp(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const { source, flags } = new Translation(pattern).run();
  const expression = new RegExp(source, flags);
  if (compiled.size >= MAX_KEPT) compiled.clear();
  compiled.set(pattern, expression);
  return expression;
}

const compiled = new Map<string, RegExp>();
const MAX_KEPT = 1000;

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

const SYNTAX = new Set('^$\\.*+?()[]{}|/');
const MAX_REPEAT = 1000;

class Translation {
  readonly #pattern: string;
  #at = 0;
  #out = '';
  #flags = 'u';
  #isDotAll = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  run(): { source: string; flags: string } {
    while (this.#at < this.#pattern.length) this.#next();
    return { source: this.#out, flags: this.#flags };
  }

  #next(): void {
    const rest = this.#pattern.slice(this.#at);
    const char = rest[0] ?? '';
    if (char === '\\') this.#escape(false);
    else if (char === '[') this.#class();
    else if (rest.startsWith('(?')) this.#group(rest);
    else if (char === '.') this.#take(1, this.#isDotAll ? '[^]' : '[^\\n]');
    else if (char === '{') this.#repeat(rest);
    else if (char === '}' || char === ']') this.#take(1, `\\${char}`);
    else this.#take(1, char);
  }

  #take(length: number, text: string): void {
    this.#at += length;
    this.#out += text;
  }

  #group(rest: string): void {
    const named = /^\(\?P?<([A-Za-z_]\w*)>/.exec(rest);
    if (named !== null) {
      this.#take(named[0].length, `(?<${named[1]}>`);
      return;
    }
    const flags = /^\(\?([imsU]*)(?:-[imsU]*)?([:)])/.exec(rest);
    if (flags === null) throw new SyntaxError(`invalid or unsupported Perl syntax: \`${rest.slice(0, 3)}\``);
    const [whole, set = '', end] = flags;
    if (set.includes('U')) throw new SyntaxError('the ungreedy flag is not supported');
    if (set.includes('s')) this.#isDotAll = true;
    const others = set.split('').filter((flag) => flag === 'i' || flag === 'm');
    if (end === ':') {
      this.#take(whole.length, others.length === 0 ? '(?:' : `(?${others.join('')}:`);
      return;
    }
    if (this.#out === '') {
      this.#flags += others.join('');
      this.#at += whole.length;
      return;
    }
    throw new SyntaxError('flags within an expression are not supported');
  }

  #repeat(rest: string): void {
    const counts = /^\{(\d+)(?:,(\d*))?\}/.exec(rest);
    if (counts === null) {
      this.#take(1, '\\{');
      return;
    }
    if (Number(counts[1]) > MAX_REPEAT || Number(counts[2] ?? 0) > MAX_REPEAT)
      throw new SyntaxError(`invalid repeat count: \`${counts[0]}\``);
    this.#take(counts[0].length, counts[0]);
  }

  #escape(inClass: boolean): void {
    const rest = this.#pattern.slice(this.#at);
    const char = rest[1];
    if (char === undefined) throw new SyntaxError('trailing backslash at end of expression: ``');
    if (char === 'Q' && !inClass) {
      const end = rest.indexOf('\\E', 2);
      const literal = rest.slice(2, end < 0 ? undefined : end);
      this.#take(end < 0 ? rest.length : end + 2, Array.from(literal).map(quoted).join(''));
    } else if (char === 's') this.#take(2, inClass ? '\\t\\n\\f\\r ' : '[\\t\\n\\f\\r ]');
    else if (char === 'S' && !inClass) this.#take(2, '[^\\t\\n\\f\\r ]');
    else if (char === 'A' && !inClass) this.#take(2, '(?<![^])');
    else if (char === 'z' && !inClass) this.#take(2, '(?![^])');
    else if (char === 'a') this.#take(2, '\\x07');
    else if (/[pP]/.test(char)) this.#property(rest, char);
    else if (/[1-9]/.test(char)) throw new SyntaxError(`invalid escape sequence: \`\\${char}\``);
    else if (rest.startsWith('\\x{')) {
      const end = rest.indexOf('}');
      this.#take(end + 1, `\\u{${rest.slice(3, end)}}`);
    } else if (/[dDwWbBtnrfvxS0]/.test(char)) this.#take(2, `\\${char}`);
    else if (/[A-Za-z]/.test(char)) throw new SyntaxError(`invalid escape sequence: \`\\${char}\``);
    else this.#take(2, inClass && char === '-' ? '\\-' : quoted(char));
  }

  #property(rest: string, char: string): void {
    const name = /^\\[pP](?:\{(\^?)(\w+)\}|(\w))/.exec(rest);
    if (name === null) throw new SyntaxError('invalid character class range');
    const text = name[2] ?? name[3] ?? '';
    const isNegated = (char === 'P') !== (name[1] === '^');
    const value = text.length <= 2 ? text : `Script=${text}`;
    this.#take(name[0].length, `\\${isNegated ? 'P' : 'p'}{${value}}`);
  }

  #class(): void {
    this.#take(1, '[');
    if (this.#pattern[this.#at] === '^') this.#take(1, '^');
    // A bracket that comes first is itself.
    if (this.#pattern[this.#at] === ']') this.#take(1, '\\]');
    while (this.#pattern[this.#at] !== ']') {
      const rest = this.#pattern.slice(this.#at);
      if (rest === '') throw new SyntaxError(`missing closing ]: \`${this.#pattern}\``);
      const posix = /^\[:(\^?)(\w+):\]/.exec(rest);
      const members = posix === null ? undefined : POSIX[posix[2] ?? ''];
      if (posix !== null && members !== undefined && posix[1] === '') this.#take(posix[0].length, members);
      else if (rest.startsWith('\\')) this.#escape(true);
      else if (rest.startsWith('[')) this.#take(1, '\\[');
      else this.#take(1, rest[0] ?? '');
    }
    this.#take(1, ']');
  }
}

function quoted(char: string): string {
  return SYNTAX.has(char) ? `\\${char}` : char;
}
