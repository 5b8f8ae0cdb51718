import { type CelBudget, type CelEnvironment, type CelProgram } from '../../custom/cel/cel-environment.ts';
import { CelError } from '../../custom/cel/cel-error.ts';

/** An expression, or why it is none. */
export interface Expression {
  readonly source: string;
  readonly program: CelProgram | undefined;
  /** Undefined when there is a program. */
  readonly error: string | undefined;
}

/** What came of an expression. */
export type Result =
  | { readonly type: 'value'; readonly value: unknown }
  /** `cause` is what the engine said, `message` also where. */
  | { readonly type: 'error'; readonly message: string; readonly cause: string };

/** All that shared a budget is over. */
export class BudgetError extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

const SHOWN: Readonly<Record<string, string>> = { null: 'null_type' };

/** @param types those of which the value must be; every type when undefined */
export function compileExpression(
  env: CelEnvironment,
  source: string,
  types: readonly string[] | undefined,
): Expression {
  const failed = (error: string): Expression => ({ source, program: undefined, error });
  let program: CelProgram;
  try {
    program = env.compile(source);
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return failed(`compilation failed: ${error.message}`);
  }
  if (types !== undefined && !types.includes(program.type)) {
    const wanted = types.map((type) => SHOWN[type] ?? type);
    const shown = wanted.length === 1 ? wanted.join('') : `one of [${wanted.join(' ')}]`;
    return failed(`must evaluate to ${shown} but got ${SHOWN[program.type] ?? program.type}`);
  }
  return { source, program, error: undefined };
}

/** @throws BudgetError */
export function evaluateExpression(
  { source, program, error }: Expression,
  variables: Readonly<Record<string, unknown>>,
  budget: CelBudget,
): Result {
  if (program === undefined) {
    const cause = `compilation error: ${error ?? ''}`;
    return { type: 'error', message: cause, cause };
  }
  try {
    return { type: 'value', value: program.evaluate(variables, budget) };
  } catch (thrown) {
    if (!(thrown instanceof CelError)) throw thrown;
    if (budget.remaining <= 0) throw new BudgetError();
    const cause = thrown.message;
    return { type: 'error', message: `expression '${source}' resulted in error: ${cause}`, cause };
  }
}
