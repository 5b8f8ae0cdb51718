import { callCost, resultCost } from '../cel-call-cost.ts';
import { CostExceeded } from '../cel-cost.ts';
import { isTrue, optionalField } from './access.ts';
import { isKnown } from './cel-type.ts';
import type { Code, CodeMaker } from './code.ts';
import type { Overload } from './declarations.ts';
import { type CallExpr, type Expr } from './expr.ts';
import { hasType } from './has-type.ts';
import { Optional } from './values.ts';

/** The code of a call: a logical operator, which may leave out operands, or a function. */
export function callCode(expr: CallExpr, compiler: CodeMaker): Code {
  const [first, second, third] = expr.args;
  switch (expr.name) {
    case '_&&_':
      return logical(compiler.code(required(first)), compiler.code(required(second)), false);
    case '_||_':
      return logical(compiler.code(required(first)), compiler.code(required(second)), true);
    case '_?_:_': {
      const [condition, yes, no] = [first, second, third].map((part) => compiler.code(required(part)));
      return (frame) => (isTrue(condition?.(frame)) ? yes?.(frame) : no?.(frame));
    }
    case '@not_strictly_false': {
      const value = compiler.code(required(first));
      return (frame) => {
        try {
          return value(frame) !== false;
        } catch (error) {
          if (error instanceof CostExceeded) throw error;
          return true;
        }
      };
    }
    case '_?._': {
      const operand = compiler.code(required(first));
      const field = second?.kind === 'literal' ? String(second.value) : '';
      return (frame) => {
        const value = operand(frame);
        frame.meter.spend(1);
        return optionalField(value, field);
      };
    }
    case 'or':
    case 'orValue':
      return alternative(expr, compiler) ?? functionCode(expr, compiler);
    case '_+_':
      return appended(expr, compiler) ?? functionCode(expr, compiler);
    default:
      return functionCode(expr, compiler);
  }
}

function required(expr: Expr | undefined): Expr {
  if (expr === undefined) throw new Error('an operator lacks an operand');
  return expr;
}

/** What one operand decides, the other cannot change, not even by failing. */
function logical(left: Code, right: Code, decisive: boolean): Code {
  return (frame) => {
    let failed: { readonly error: unknown } | undefined;
    try {
      if (isTrue(left(frame)) === decisive) return decisive;
    } catch (error) {
      if (error instanceof CostExceeded) throw error;
      failed = { error };
    }
    if (isTrue(right(frame)) === decisive) return decisive;
    if (failed !== undefined) throw failed.error;
    return !decisive;
  };
}

/** `a.or(b)`, `a.orValue(b)`: `b` is evaluated only when `a` is absent. */
function alternative(expr: CallExpr, compiler: CodeMaker): Code | undefined {
  if (expr.target === undefined || expr.args.length !== 1) return undefined;
  const of = compiler.code(expr.target);
  const other = compiler.code(required(expr.args[0]));
  const isValue = expr.name === 'orValue';
  return (frame) => {
    const value = of(frame);
    if (!(value instanceof Optional)) throw new Error('no such overload');
    frame.meter.spend(1);
    if (!value.hasValue()) return other(frame);
    return isValue ? value.value() : value;
  };
}

/** `accumulator + [item]` in a loop: the accumulator is nobody else's, and so it may grow in place. */
function appended(expr: CallExpr, compiler: CodeMaker): Code | undefined {
  const [left, right] = expr.args;
  const slot = compiler.ownedSlot(left);
  if (slot === undefined || right?.kind !== 'list') return undefined;
  const added = compiler.code(right);
  return (frame) => {
    const items = added(frame);
    const list = frame.slots[slot];
    // Reading the accumulator, and adding to it.
    frame.meter.spend(2);
    if (!Array.isArray(list) || !Array.isArray(items)) throw new Error('no such overload');
    for (const item of items) list.push(item);
    return list;
  };
}

function functionCode(expr: CallExpr, compiler: CodeMaker): Code {
  const call = compiler.checked.callOf(expr);
  if (call === undefined) throw new Error(`the call of ${expr.name} was not checked`);
  const parts = call.target === undefined ? expr.args : [call.target, ...expr.args];
  const args = parts.map((part) => compiler.code(part));
  const [only] = call.overloads;
  const { declarations } = compiler;
  const isCertain =
    call.overloads.length === 1 && parts.every((part) => isKnown(compiler.checked.typeOf(part)));
  const choose = (values: readonly unknown[]): Overload => {
    if (isCertain && only !== undefined) return only;
    const found = call.overloads.find(({ parameters }) =>
      parameters.every((type, index) => hasType(values[index], type, declarations)),
    );
    if (found === undefined) throw new Error('no such overload');
    return found;
  };
  return (frame) => {
    const values = args.map((arg) => arg(frame));
    const { id, run } = choose(values);
    frame.meter.spend(callCost(call.name, id, values));
    // The types of the values have been checked, here or before.
    const result = (run as (...given: readonly unknown[]) => unknown)(...values);
    frame.meter.spend(resultCost(call.name, id, values, result));
    return result;
  };
}
