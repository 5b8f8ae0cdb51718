import type { CelType } from './cel-type.ts';
import type { Overload } from './declarations.ts';
import type { CallExpr, Expr } from './expr.ts';

/** What a call is of. */
export interface ResolvedCall {
  readonly name: string;
  /** Undefined when the target was a part of the name. */
  readonly target: Expr | undefined;
  readonly overloads: readonly Overload[];
}

/** An expression with its types. */
export interface CheckedExpr {
  readonly expr: Expr;
  readonly type: CelType;
  readonly typeOf: (expr: Expr) => CelType;
  readonly callOf: (expr: CallExpr) => ResolvedCall | undefined;
  /** The name of a variable or a type that an expression is: `a`, `google.protobuf.Timestamp`. */
  readonly nameOf: (expr: Expr) => string | undefined;
}
