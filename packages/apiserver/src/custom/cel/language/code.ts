import type { Meter } from '../cel-cost.ts';
import type { CheckedExpr } from './checked-expr.ts';
import type { Declarations } from './declarations.ts';
import type { Expr } from './expr.ts';

/** One evaluation. */
export interface Frame {
  readonly variables: Readonly<Record<string, unknown>>;
  /** The variables of loops. */
  readonly slots: unknown[];
  readonly meter: Meter;
}

/** A part of an expression, ready to be evaluated. */
export type Code = (frame: Frame) => unknown;

/** Makes the code of expressions, each within the loops around it. */
export interface CodeMaker {
  readonly checked: CheckedExpr;
  readonly declarations: Declarations;
  code(expr: Expr): Code;
  /** The slot of an accumulator that only this loop has seen, so that it may be added to. */
  ownedSlot(expr: Expr | undefined): number | undefined;
}
