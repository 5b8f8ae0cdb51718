import type { CallExpr, Expr, ListItem, MapEntry, StructField } from './expr.ts';
import { type Token, tokenize } from './lexer.ts';
import { expandMacro } from './macros.ts';
import { SourceError } from './source.ts';
import { MAX_INT } from './values.ts';

const MAX_DEPTH = 250;
const MAX_LENGTH = 100_000;
const STARTERS =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
const FOLLOWERS =
  "{<EOF>, '==', '!=', 'in', '<', '<=', '>=', '>', '&&', '||', '[', '{', '(', ')', '.', ',', '-', '?', '+', '*', '/', '%%'}";
const RESERVED: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
);
/** From the loosest on. */
const BINARY: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** So many of the first are logical: long chains of them are no deeper than they must be. */
const LOGICAL = 2;

/**
 * @param hasBindings whether `cel.bind` is a macro
 * @throws SourceError with all that is wrong
 */
export function parseExpression(source: string, hasBindings = false): Expr {
  if (source.length > MAX_LENGTH)
    throw new SourceError([
      {
        at: 0,
        message: `expression code point size exceeds limit: size: ${source.length}, limit ${MAX_LENGTH}`,
      },
    ]);
  const { tokens, issues } = tokenize(source);
  try {
    const expr = new Parser(tokens, hasBindings).parse();
    if (issues.length === 0) return expr;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new SourceError([...issues, ...error.issues]);
  }
  throw new SourceError(issues);
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #hasBindings: boolean;
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], hasBindings: boolean) {
    this.#tokens = tokens;
    this.#hasBindings = hasBindings;
  }

  parse(): Expr {
    const expr = this.#expression();
    if (this.#token.kind !== 'end') throw this.#unexpected('extraneous', '<EOF>');
    return expr;
  }

  get #token(): Token {
    const token = this.#tokens[this.#next];
    // The last token is the end, and nothing goes beyond it.
    if (token === undefined) throw new Error('read beyond the end of an expression');
    return token;
  }

  #is(...texts: readonly string[]): boolean {
    return this.#token.kind === 'punctuation' && texts.includes(this.#token.text);
  }

  #take(): Token {
    const token = this.#token;
    this.#next++;
    return token;
  }

  #accept(text: string): Token | undefined {
    return this.#is(text) ? this.#take() : undefined;
  }

  #expect(text: string, expected = `'${text}'`): Token {
    if (this.#is(text)) return this.#take();
    throw this.#unexpected('mismatched', expected);
  }

  #unexpected(how: 'mismatched' | 'extraneous', expected: string): SourceError {
    const { text, at } = this.#token;
    return new SourceError([{ at, message: `Syntax error: ${how} input '${text}' expecting ${expected}` }]);
  }

  #expression(): Expr {
    if (++this.#depth > MAX_DEPTH)
      throw new SourceError([
        { at: this.#token.at, message: `expression recursion limit exceeded: ${MAX_DEPTH}` },
      ]);
    const condition = this.#binary(0);
    const mark = this.#accept('?');
    let expr = condition;
    if (mark !== undefined) {
      const yes = this.#binary(0);
      this.#expect(':');
      expr = call('_?_:_', mark.at, [condition, yes, this.#expression()]);
    }
    this.#depth--;
    return expr;
  }

  #binary(level: number): Expr {
    const operators = BINARY[level];
    if (operators === undefined) return this.#unary();
    const operands = [this.#binary(level + 1)];
    const between: Token[] = [];
    while (this.#is(...operators)) {
      between.push(this.#take());
      operands.push(this.#binary(level + 1));
    }
    if (level < LOGICAL) return balanced(operands, between, 0, between.length - 1);
    const tooMany = between[MAX_DEPTH];
    if (tooMany !== undefined)
      throw new SourceError([
        { at: tooMany.at, message: `expression recursion limit exceeded: ${MAX_DEPTH}` },
      ]);
    return operands.reduce((left, right, index) => {
      const operator = between[index - 1];
      if (operator === undefined) return right;
      const { text, at } = operator;
      return call(text === 'in' ? '@in' : `_${text}_`, at, [left, right]);
    });
  }

  #unary(): Expr {
    const { text, at } = this.#token;
    if (!this.#is('!', '-')) return this.#member();
    this.#take();
    if (text === '-' && this.#token.kind === 'literal') {
      const number = this.#token.value;
      if (typeof number === 'bigint' || typeof number === 'number') {
        this.#take();
        return this.#postfix({ kind: 'literal', at, value: -number });
      }
    }
    if (++this.#depth > MAX_DEPTH)
      throw new SourceError([{ at, message: `expression recursion limit exceeded: ${MAX_DEPTH}` }]);
    // Two of the same undo each other.
    const again = this.#accept(text);
    const operand = again === undefined ? this.#unaryOrMember() : undefined;
    this.#depth--;
    if (operand === undefined) return this.#unaryOrMember();
    return call(text === '!' ? '!_' : '-_', at, [operand]);
  }

  #unaryOrMember(): Expr {
    return this.#is('!', '-') ? this.#unary() : this.#member();
  }

  #member(): Expr {
    return this.#postfix(this.#primary());
  }

  #postfix(start: Expr): Expr {
    let expr = start;
    const depth = this.#depth;
    for (;;) {
      if (++this.#depth > MAX_DEPTH * 4)
        throw new SourceError([
          { at: this.#token.at, message: `expression recursion limit exceeded: ${MAX_DEPTH}` },
        ]);
      const dot = this.#accept('.');
      const bracket = dot === undefined ? this.#accept('[') : undefined;
      if (dot !== undefined) expr = this.#selection(expr, dot.at);
      else if (bracket !== undefined) expr = this.#index(expr, bracket.at);
      else break;
    }
    this.#depth = depth;
    return expr;
  }

  #selection(operand: Expr, at: number): Expr {
    const isOptional = this.#accept('?') !== undefined;
    const field = this.#fieldName();
    if (isOptional) return call('_?._', at, [operand, { kind: 'literal', at, value: field.text }]);
    const open = field.kind === 'ident' ? this.#accept('(') : undefined;
    if (open === undefined) return { kind: 'select', at, operand, field: field.text, isTest: false };
    return this.#call(field.text, open.at, operand);
  }

  #index(operand: Expr, at: number): Expr {
    const isOptional = this.#accept('?') !== undefined;
    const index = this.#expression();
    this.#expect(']');
    return call(isOptional ? '_[?_]' : '_[_]', at, [operand, index]);
  }

  #fieldName(): Token {
    if (this.#token.kind === 'ident' || this.#token.kind === 'quoted') return this.#take();
    if (this.#is('in')) return this.#take();
    throw this.#unexpected('mismatched', 'IDENTIFIER');
  }

  #call(name: string, at: number, target: Expr | undefined): Expr {
    const args: Expr[] = [];
    if (!this.#is(')')) {
      do args.push(this.#expression());
      while (this.#accept(',') !== undefined);
    }
    this.#expect(')', FOLLOWERS.includes(this.#token.text) ? "')'" : FOLLOWERS);
    const made: CallExpr = { kind: 'call', at, name, target, args };
    return expandMacro(made, this.#hasBindings) ?? made;
  }

  #primary(): Expr {
    const token = this.#token;
    if (token.kind === 'literal') {
      this.#take();
      if (typeof token.value === 'bigint' && token.value > MAX_INT)
        throw new SourceError([{ at: token.at, message: 'invalid int literal' }]);
      return { kind: 'literal', at: token.at, value: token.value };
    }
    if (this.#accept('(') !== undefined) {
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    if (this.#accept('[') !== undefined)
      return { kind: 'list', at: token.at, items: this.#sequence(']', () => this.#listItem()) };
    if (this.#accept('{') !== undefined)
      return { kind: 'map', at: token.at, entries: this.#sequence('}', () => this.#mapEntry()) };
    const leading = this.#accept('.');
    if (this.#token.kind === 'ident') return this.#named(leading !== undefined);
    throw this.#unexpected('mismatched', STARTERS);
  }

  #named(isAbsolute: boolean): Expr {
    const { text, at } = this.#take();
    if (RESERVED.has(text)) throw new SourceError([{ at, message: `reserved identifier: ${text}` }]);
    const open = this.#accept('(');
    if (open !== undefined) return this.#call(text, open.at, undefined);
    const brace = this.#structBrace(text);
    if (brace === undefined) return { kind: 'ident', at, name: isAbsolute ? `.${text}` : text };
    return {
      kind: 'struct',
      at: brace.at,
      name: brace.name,
      fields: this.#sequence('}', () => this.#structField()),
    };
  }

  /** The brace of `a.b.C{`, after which its fields come; undefined when there is none. */
  #structBrace(first: string): { readonly name: string; readonly at: number } | undefined {
    let name = first;
    let ahead = this.#next;
    for (;;) {
      const [dot, part] = [this.#tokens[ahead], this.#tokens[ahead + 1]];
      if (dot?.kind !== 'punctuation' || dot.text !== '.' || part?.kind !== 'ident') break;
      name += `.${part.text}`;
      ahead += 2;
    }
    const brace = this.#tokens[ahead];
    if (brace?.kind !== 'punctuation' || brace.text !== '{') return undefined;
    this.#next = ahead + 1;
    return { name, at: brace.at };
  }

  #sequence<T>(close: string, one: () => T): T[] {
    const all: T[] = [];
    while (!this.#is(close)) {
      all.push(one());
      if (this.#accept(',') === undefined) break;
    }
    this.#expect(close);
    return all;
  }

  #listItem(): ListItem {
    const isOptional = this.#accept('?') !== undefined;
    return { isOptional, value: this.#expression() };
  }

  #mapEntry(): MapEntry {
    const isOptional = this.#accept('?') !== undefined;
    const key = this.#expression();
    const { at } = this.#expect(':');
    return { at, isOptional, key, value: this.#expression() };
  }

  #structField(): StructField {
    const isOptional = this.#accept('?') !== undefined;
    const { text: name } = this.#fieldName();
    const { at } = this.#expect(':');
    return { at, isOptional, name, value: this.#expression() };
  }
}

function call(name: string, at: number, args: readonly Expr[]): CallExpr {
  return { kind: 'call', at, name, target: undefined, args };
}

/** `a && b && c && d` as `(a && b) && (c && d)`. */
function balanced(operands: readonly Expr[], operators: readonly Token[], from: number, to: number): Expr {
  const middle = Math.floor((from + to + 1) / 2);
  const operator = operators[middle];
  const at = (index: number): Expr => {
    const operand = operands[index];
    if (operand === undefined) throw new Error('an operator lacks an operand');
    return operand;
  };
  if (operator === undefined) return at(0);
  const left = middle === from ? at(middle) : balanced(operands, operators, from, middle - 1);
  const right = middle === to ? at(middle + 1) : balanced(operands, operators, middle + 1, to);
  return call(`_${operator.text}_`, operator.at, [left, right]);
}
