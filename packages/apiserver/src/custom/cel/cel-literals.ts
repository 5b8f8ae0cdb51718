import { compileGoRegexp } from '../regexp/go-regexp.ts';
import { type CelType, insideOptional, sameType, typeText } from './language/cel-type.ts';
import type { CheckedExpr } from './language/checked-expr.ts';
import { type Expr, partsOf } from './language/expr.ts';
import type { Issue } from './language/source.ts';
import { Duration } from './language/values.ts';
import { parseTime } from './standard/times.ts';

const CHECKS: Readonly<Record<string, (text: string) => unknown>> = {
  matches: compileGoRegexp,
  duration: (text) => Duration.parse(text),
  timestamp: parseTime,
};

/** What is wrong with what an expression writes down, where it can be seen without evaluating it. */
export function literalIssues(checked: CheckedExpr): Issue[] {
  const issues: Issue[] = [];
  const seen = new Set<Expr>();
  const visit = (expr: Expr, isFormat: boolean): void => {
    if (seen.has(expr)) return;
    seen.add(expr);
    if (expr.kind === 'call') checkCall(expr, issues);
    // The values of a format are of many types.
    if (!isFormat) checkMixture(expr, checked, issues);
    const isFormatCall = expr.kind === 'call' && expr.name === 'format';
    for (const part of partsOf(expr)) visit(part, isFormat || isFormatCall);
  };
  visit(checked.expr, false);
  return issues;
}

function checkCall(expr: Expr & { readonly kind: 'call' }, issues: Issue[]): void {
  const check = CHECKS[expr.name];
  const argument = expr.args.at(-1);
  if (check === undefined || argument?.kind !== 'literal' || typeof argument.value !== 'string') return;
  try {
    check(argument.value);
  } catch {
    issues.push({ at: argument.at, message: `invalid ${expr.name} argument` });
  }
}

/** All items of a list are of one type. */
function checkMixture(expr: Expr, checked: CheckedExpr, issues: Issue[]): void {
  const rows: readonly (readonly { readonly value: Expr; readonly isOptional: boolean }[])[] =
    expr.kind === 'list'
      ? [expr.items]
      : expr.kind === 'map'
        ? [expr.entries.map(({ key }) => ({ value: key, isOptional: false })), expr.entries]
        : [];
  for (const row of rows) {
    let first: CelType | undefined;
    for (const { value, isOptional } of row) {
      const given = checked.typeOf(value);
      const type = isOptional ? (insideOptional(given) ?? given) : given;
      first ??= type;
      if (sameType(first, type) || isOpen(first) || isOpen(type)) continue;
      issues.push({
        at: value.at,
        message: `expected type '${typeText(first)}' but found '${typeText(type)}'`,
      });
      break;
    }
  }
}

function isOpen(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'error' || type.parameters.some(isOpen);
}
