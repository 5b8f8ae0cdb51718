import type { CelBudget, CelEnvironment } from '../../custom/cel/cel-environment.ts';
import { BudgetError, compileExpression, type Expression, evaluateExpression } from './expression.ts';

interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** All that the conditions of one webhook or policy may cost together. */
const STEPS_PER_CONDITIONS = 2_500_000;

export type Match = 'yes' | 'no' | { readonly error: string };

/** Conditions under which a webhook or a policy is asked at all: every one of them must hold. */
export class MatchConditions {
  readonly #expressions: readonly Expression[];

  constructor(conditions: readonly MatchCondition[], env: CelEnvironment) {
    this.#expressions = conditions.map(({ expression }) => compileExpression(env, expression, ['bool']));
  }

  /** One that does not hold decides, whatever else went wrong. */
  match(variables: Readonly<Record<string, unknown>>): Match {
    const budget: CelBudget = { remaining: STEPS_PER_CONDITIONS };
    const errors: string[] = [];
    try {
      for (const expression of this.#expressions) {
        const result = evaluateExpression(expression, variables, budget);
        if (result.type === 'error') errors.push(result.message);
        else if (result.value === false) return 'no';
      }
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      return { error: error.message };
    }
    if (errors.length === 0) return 'yes';
    const distinct = [...new Set(errors)];
    return { error: distinct.length === 1 ? distinct.join('') : `[${distinct.join(', ')}]` };
  }
}
