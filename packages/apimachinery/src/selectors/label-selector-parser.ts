import { InvalidSelectorError } from '../errors.ts';
import { fieldErrorMessage } from '../status/field-error.ts';
import { type LabelOperator, LabelRequirement, labelKeyError } from './label-requirement.ts';

const OPERATORS = ['(', ')', ',', '!', '=', '==', '!=', '>', '<'] as const;

type TokenKind = 'end' | 'word' | 'in' | 'notin' | (typeof OPERATORS)[number];

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const SYMBOLS = '=!(),<>';
const BLANKS = ' \t\r\n';
/** Kubernetes reads it as the end of the text where a token begins, and skips it where one ends. */
const NUL = '\0';

const KINDS: ReadonlyMap<string, TokenKind> = new Map(OPERATORS.map((operator) => [operator, operator]));

/** Texts are short, so that all tokens are taken at once. The last one is `end`. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && BLANKS.includes(text.charAt(at))) at++;
    const first = text.charAt(at);
    if (first === '' || first === NUL) {
      tokens.push({ kind: 'end', text: '' });
      return tokens;
    }
    const pair = text.slice(at, at + 2);
    const symbol = KINDS.has(pair) ? pair : first;
    const kind = KINDS.get(symbol);
    if (kind !== undefined) {
      tokens.push({ kind, text: symbol });
      at += symbol.length;
    } else {
      const start = at;
      while (at < text.length && !`${SYMBOLS}${BLANKS}${NUL}`.includes(text.charAt(at))) at++;
      const word = text.slice(start, at);
      tokens.push({ kind: word === 'in' || word === 'notin' ? word : 'word', text: word });
    }
    if (text.charAt(at) === NUL) at++;
  }
}

/**
 * The requirements of a selector's text, in the order of their keys. The grammar and the messages are
 * those of Kubernetes:
 *
 *     selector    = [ requirement { "," requirement } ]
 *     requirement = [ "!" ] KEY | KEY ( "=" | "==" | "!=" | ">" | "<" ) [ VALUE ]
 *                 | KEY ( "in" | "notin" ) "(" [ VALUE ] { "," [ VALUE ] } ")"
 */
export function parseLabelRequirements(text: string): LabelRequirement[] {
  const parser = new Parser(tokensOf(text));
  return parser.parse().sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const next = this.#peek();
      if (next.kind === 'end') return requirements;
      if (!isKeyStart(next)) fail(`found '${next.text}', expected: !, identifier, or 'end of string'`);
      requirements.push(this.#requirement());
      const after = this.#take();
      if (after.kind === 'end') return requirements;
      if (after.kind !== ',') fail(`found '${after.text}', expected: ',' or 'end of string'`);
      if (!isKeyStart(this.#peek())) fail(`found '${this.#peek().text}', expected: identifier after ','`);
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' };
  }

  #take(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }

  #requirement(): LabelRequirement {
    const prefix = 'unable to parse requirement: ';
    try {
      return this.#unprefixedRequirement();
    } catch (error) {
      if (error instanceof InvalidSelectorError) throw new InvalidSelectorError(prefix + error.message);
      throw error;
    }
  }

  #unprefixedRequirement(): LabelRequirement {
    const negated = this.#peek().kind === '!';
    if (negated) this.#take();
    const key = this.#take();
    if (!isWord(key)) fail(`found '${key.text}', expected: identifier`);
    const problem = labelKeyError(key.text, undefined);
    if (problem !== undefined) fail(fieldErrorMessage(problem));
    const ends = this.#peek().kind === 'end' || this.#peek().kind === ',';
    if (negated || ends) return LabelRequirement.of(key.text, negated ? '!' : 'exists');
    const operator = this.#operator();
    const values = operator === 'in' || operator === 'notin' ? this.#valueSet() : [this.#exactValue()];
    return LabelRequirement.of(key.text, operator, [...new Set(values)].sort());
  }

  #operator(): LabelOperator {
    const token = this.#take();
    switch (token.kind) {
      case '=':
      case '==':
      case '!=':
      case 'in':
      case 'notin':
        return token.kind;
      case '>':
        return 'gt';
      case '<':
        return 'lt';
      default:
        return fail(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  #exactValue(): string {
    const next = this.#peek();
    if (next.kind === 'end' || next.kind === ',') return '';
    this.#take();
    return isWord(next) ? next.text : fail(`found '${next.text}', expected: identifier`);
  }

  /** Between its parentheses an absent value is the empty one: `(a,,b)`, `(,)`, `()`. */
  #valueSet(): string[] {
    const open = this.#take();
    if (open.kind !== '(') fail(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.kind === ')') {
      this.#take();
      return [''];
    }
    if (!isWord(first) && first.kind !== ',') fail(`found '${first.text}', expected: ',', ')' or identifier`);
    const values: string[] = [];
    for (;;) {
      const token = this.#take();
      const next = this.#peek();
      if (isWord(token)) {
        values.push(token.text);
        if (next.kind === ',') continue;
        if (next.kind !== ')') fail(`found '${next.text}', expected: ',' or ')'`);
        break;
      }
      if (token.kind !== ',') fail(`found '${token.text}', expected: ',', or identifier`);
      if (values.length === 0 || next.kind === ',' || next.kind === ')') values.push('');
      if (next.kind === ')') break;
    }
    this.#take();
    return values;
  }
}

/** `in` and `notin` are operators only where an operator must stand. */
function isWord(token: Token): boolean {
  return token.kind === 'word' || token.kind === 'in' || token.kind === 'notin';
}

function isKeyStart(token: Token): boolean {
  return isWord(token) || token.kind === '!';
}

function fail(message: string): never {
  throw new InvalidSelectorError(message);
}
