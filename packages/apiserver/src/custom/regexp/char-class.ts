/** Reads what stands for one code point: escapes and classes. Answers how JavaScript writes it with `u`. */
export interface CharSource {
  /** Within a class, or alone. */
  readonly source: string;
  /** How much of the pattern it takes. */
  readonly length: number;
  /** A code point, when it stands for one only: what can begin or end a range. */
  readonly code?: number;
}

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
const CONTROL: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
const PERL: Readonly<Record<string, string>> = { d: '0-9', s: '\\t\\n\\f\\r ', w: '0-9A-Za-z_' };

export function charSource(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

/** An escape that stands for characters, at the start of `rest`. */
export function readEscape(rest: string): CharSource {
  const char = rest[1];
  if (char === undefined) throw new SyntaxError('trailing backslash at end of expression: ``');
  const control = CONTROL[char];
  if (control !== undefined) return single(control, 2);
  const perl = PERL[char.toLowerCase()];
  if (perl !== undefined) {
    const isNegated = char !== char.toLowerCase();
    return { source: isNegated ? complement(perl) : perl, length: 2 };
  }
  if (char === 'p' || char === 'P') return readProperty(rest);
  if (char === 'x') return readHex(rest);
  const octal = /^\\(0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(rest);
  if (octal !== null) return single(Number.parseInt(octal[1] ?? '0', 8), octal[0].length);
  if (/[A-Za-z0-9]/.test(char) || char.charCodeAt(0) >= 0x80)
    throw new SyntaxError(`invalid escape sequence: \`\\${char}\``);
  return single(char.charCodeAt(0), 2);
}

function single(code: number, length: number): CharSource {
  return { source: charSource(code), length, code };
}

/** A class within a class that has everything but these. Both are below the astral planes or ASCII. */
function complement(ascii: string): string {
  const expression = new RegExp(`[${ascii}]`, 'u');
  const parts: string[] = [];
  let start = 0;
  for (let code = 0; code <= 0x80; code++) {
    if (code < 0x80 && !expression.test(String.fromCodePoint(code))) continue;
    if (code > start) parts.push(`${charSource(start)}-${charSource(code - 1)}`);
    start = code + 1;
  }
  return `${parts.join('')}${charSource(0x80)}-${charSource(0x10ffff)}`;
}

function readHex(rest: string): CharSource {
  const match = /^\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/.exec(rest);
  const code = Number.parseInt(match?.[1] ?? match?.[2] ?? '', 16);
  if (match === null || !(code <= 0x10ffff))
    throw new SyntaxError(`invalid escape sequence: \`${rest.slice(0, 4)}\``);
  return single(code, match[0].length);
}

function readProperty(rest: string): CharSource {
  const match = /^\\([pP])(?:\{(\^?)(\w+)\}|(\w))/.exec(rest);
  const name = match?.[3] ?? match?.[4] ?? '';
  const isNegated = (match?.[1] === 'P') !== (match?.[2] === '^');
  const value = name === 'Any' ? 'Any' : name.length <= 2 ? name : `Script=${name}`;
  const source = `\\${isNegated ? 'P' : 'p'}{${value}}`;
  if (!isExpression(source))
    throw new SyntaxError(`invalid character class range: \`${match?.[0] ?? rest.slice(0, 2)}\``);
  return { source, length: match?.[0].length ?? 0 };
}

function isExpression(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** A class, at the start of `rest`: `[a-z]`. Its source stands alone. */
export function readClass(rest: string): CharSource {
  let at = 1;
  const isNegated = rest[at] === '^';
  if (isNegated) at++;
  let source = '';
  for (let isFirst = true; rest[at] !== ']' || isFirst; isFirst = false) {
    if (at >= rest.length) throw new SyntaxError(`missing closing ]: \`${rest}\``);
    const item = readItem(rest.slice(at));
    at += item.length;
    const isRange = item.code !== undefined && rest[at] === '-' && rest[at + 1] !== ']';
    if (!isRange || at + 1 >= rest.length) {
      source += item.source;
      continue;
    }
    const last = readItem(rest.slice(at + 1));
    if (last.code === undefined || last.code < (item.code ?? 0))
      throw new SyntaxError(
        `invalid character class range: \`${rest.slice(at - item.length, at + 1 + last.length)}\``,
      );
    source += `${item.source}-${last.source}`;
    at += 1 + last.length;
  }
  // A class of nothing matches nothing, and one of everything else matches all.
  return { source: `[${isNegated ? '^' : ''}${source}]`, length: at + 1 };
}

function readItem(rest: string): CharSource {
  const posix = /^\[:(\^?)(\w*):\]/.exec(rest);
  if (posix !== null) {
    const members = POSIX[posix[2] ?? ''];
    if (members === undefined) throw new SyntaxError(`invalid character class range: \`${posix[0]}\``);
    return { source: posix[1] === '^' ? complement(members) : members, length: posix[0].length };
  }
  if (rest.startsWith('\\')) return readEscape(rest);
  const code = rest.codePointAt(0) ?? 0;
  return single(code, code > 0xffff ? 2 : 1);
}
