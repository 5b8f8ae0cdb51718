import type { Uint } from './values.ts';

/** What a literal may be. */
export type Literal = string | bigint | number | boolean | null | Uint8Array | Uint;

/** A part of an expression. `at` is where the source names it: an operator, a dot, a bracket. */
export type Expr =
  | { readonly kind: 'literal'; readonly at: number; readonly value: Literal }
  | { readonly kind: 'ident'; readonly at: number; readonly name: string }
  | SelectExpr
  | CallExpr
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly ListItem[] }
  | { readonly kind: 'map'; readonly at: number; readonly entries: readonly MapEntry[] }
  | StructExpr
  | LoopExpr;

export interface SelectExpr {
  readonly kind: 'select';
  readonly at: number;
  readonly operand: Expr;
  readonly field: string;
  /** Asks whether the field is there: `has(a.b)`. */
  readonly isTest: boolean;
}

export interface CallExpr {
  readonly kind: 'call';
  readonly at: number;
  /** Operators are functions too: `_+_`, `_[_]`. */
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListItem {
  readonly value: Expr;
  /** `[?a]`: is there only when the optional has a value. */
  readonly isOptional: boolean;
}

export interface MapEntry {
  readonly at: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly isOptional: boolean;
}

export interface StructExpr {
  readonly kind: 'struct';
  readonly at: number;
  readonly name: string;
  readonly fields: readonly StructField[];
}

export interface StructField {
  readonly at: number;
  readonly name: string;
  readonly value: Expr;
  readonly isOptional: boolean;
}

/**
 * What macros become: starting with `init`, `step` makes the next value of `accumulator` for each item of
 * `range`, as long as `condition` holds; then `result` is evaluated.
 */
export interface LoopExpr {
  readonly kind: 'loop';
  readonly at: number;
  readonly range: Expr;
  readonly variable: string;
  /** With two variables the first is the index or the key, and the second the value. */
  readonly second: string | undefined;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** The name of the accumulator. No expression can write it. */
export const RESULT = '@result';

/** `a.b.c` as a name; undefined for what is none. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.isTest) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

/** The parts of which an expression is made, in their order. */
export function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.items.map(({ value }) => value);
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.fields.map(({ value }) => value);
    case 'loop':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
    default:
      return expr satisfies never;
  }
}
