import type { CelBudget, CelEnvironment } from '../../custom/cel/cel-environment.ts';
import { type CelType, DYN, typeText } from '../../custom/cel/language/cel-type.ts';
import { BudgetError, compileExpression, type Expression, evaluateExpression } from './expression.ts';

interface Variable {
  readonly name: string;
  readonly expression: string;
}

const TYPE = 'kubernetes.variables';

/**
 * The variables of a policy. Each may use those before it. They are evaluated when first used, once for
 * all expressions of a run, at the expense of the one that used them.
 */
export class PolicyVariables {
  readonly expressions: readonly Expression[];
  readonly #names: readonly string[];
  readonly #types: Readonly<Record<string, CelType>>;
  readonly #Values = class Values {};

  /** @param base makes an environment that has everything but the variables */
  constructor(variables: readonly Variable[], base: () => CelEnvironment) {
    const expressions: Expression[] = [];
    const types = new Map<string, CelType>();
    // An environment takes a fifth of a millisecond and much memory; those who use the same variables share one.
    const environments = new Map<string, CelEnvironment>();
    for (const { name, expression } of variables) {
      const used = usedOf(expression, types);
      const key = JSON.stringify(Object.entries(used).map(([word, type]) => [word, typeText(type)]));
      const env = environments.get(key) ?? this.#declare(base(), used);
      environments.set(key, env);
      const compiled = compileExpression(env, expression, undefined);
      expressions.push(compiled);
      types.set(name, compiled.program?.checked.type ?? DYN);
    }
    this.expressions = expressions;
    this.#names = variables.map(({ name }) => name);
    this.#types = Object.fromEntries(types);
  }

  /** Adds `variables` to an environment. */
  declare(env: CelEnvironment): CelEnvironment {
    return this.#declare(env, this.#types);
  }

  /** The scope with `variables` in it. */
  bind(scope: Readonly<Record<string, unknown>>, budget: CelBudget): Record<string, unknown> {
    const values = new this.#Values();
    const whole = { ...scope, variables: values };
    for (const [index, name] of this.#names.entries()) {
      let get = (): unknown => {
        const outcome = this.#evaluate(index, whole, budget);
        get = outcome;
        return outcome();
      };
      Object.defineProperty(values, name, { enumerable: true, get: () => get() });
    }
    return whole;
  }

  #evaluate(index: number, scope: Readonly<Record<string, unknown>>, budget: CelBudget): () => unknown {
    const expression = this.expressions[index];
    const fail = (message: string) => () => {
      throw new Error(`composited variable "${this.#names[index]}" fails to evaluate: ${message}`);
    };
    if (expression === undefined) return fail('it is not declared');
    try {
      const result = evaluateExpression(expression, scope, budget);
      return result.type === 'value' ? () => result.value : fail(result.cause);
    } catch (error) {
      if (error instanceof BudgetError) return fail(error.message);
      throw error;
    }
  }

  #declare(env: CelEnvironment, types: Readonly<Record<string, CelType>>): CelEnvironment {
    return env.objectType(TYPE, this.#Values, types).variable('variables', TYPE);
  }
}

/**
 * The variables that an expression may mean: those whose name is a word of it. Each would otherwise be compiled
 * with all that stand before it.
 */
function usedOf(expression: string, types: ReadonlyMap<string, CelType>): Record<string, CelType> {
  const used: Record<string, CelType> = {};
  for (const [word] of expression.matchAll(/[_a-zA-Z][_a-zA-Z0-9]*/g)) {
    const type = types.get(word);
    if (type !== undefined) used[word] = type;
  }
  return used;
}
