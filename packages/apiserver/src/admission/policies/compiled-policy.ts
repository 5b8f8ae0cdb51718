import type { DeepReadonly } from '@windlass/apimachinery';
import type { ValidatingAdmissionPolicy } from '@windlass/apimachinery/api/admissionregistration/v1';
import { type CelBudget, STEPS_PER_OBJECT } from '../../custom/cel/cel-environment.ts';
import { type AdmissionInput, declareVariables, variablesOf } from './admission-variables.ts';
import { BudgetError, compileExpression, type Expression, evaluateExpression } from './expression.ts';
import { MatchConditions } from './match-conditions.ts';
import { PolicyVariables } from './policy-variables.ts';

/** What one validation says; undefined when it holds. */
export type Denial = { readonly message: string; readonly reason: string } | undefined;

export interface PolicyResult {
  /** One for each validation, in their order; or one for all, when it did not come that far. */
  readonly denials: readonly Denial[];
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
  /** Why annotations could not be made, where that refuses the request. */
  readonly problems: readonly string[];
}

interface CompiledValidation {
  readonly expression: Expression;
  readonly messageExpression: Expression | undefined;
  readonly message: string;
  readonly reason: string;
}

const INVALID = 'Invalid';
const MAX_MESSAGE_BYTES = 5 * 1024;
const MAX_ANNOTATION_BYTES = 10 * 1024;
const NOTHING: PolicyResult = { denials: [], annotations: [], problems: [] };

/** The expressions of a ValidatingAdmissionPolicy. */
export class CompiledPolicy {
  readonly #isIgnoring: boolean;
  readonly #variables: PolicyVariables;
  readonly #conditions: MatchConditions | undefined;
  readonly #validations: readonly CompiledValidation[];
  readonly #annotations: readonly { readonly key: string; readonly expression: Expression }[];

  constructor({ spec = {} }: DeepReadonly<ValidatingAdmissionPolicy>) {
    const { matchConditions = [], variables = [], validations = [], auditAnnotations = [] } = spec;
    const hasParams = spec.paramKind !== undefined;
    this.#isIgnoring = spec.failurePolicy === 'Ignore';
    this.#variables = new PolicyVariables(variables, () =>
      declareVariables({ hasParams, hasAuthorizer: true }),
    );
    const env = this.#variables.declare(declareVariables({ hasParams, hasAuthorizer: true }));
    // Messages are for whoever is refused; what others may do is not.
    const textEnv = this.#variables.declare(declareVariables({ hasParams, hasAuthorizer: false }));
    this.#conditions = matchConditions.length === 0 ? undefined : new MatchConditions(matchConditions, env);
    this.#validations = validations.map(({ expression, message = '', messageExpression = '', reason }) => ({
      expression: compileExpression(env, expression, ['bool']),
      messageExpression:
        messageExpression === '' ? undefined : compileExpression(textEnv, messageExpression, ['string']),
      message: message.trim(),
      reason: reason ?? INVALID,
    }));
    this.#annotations = auditAnnotations.map(({ key, valueExpression }) => ({
      key,
      expression: compileExpression(env, valueExpression, ['string', 'null']),
    }));
  }

  evaluate(input: AdmissionInput): PolicyResult {
    const budget: CelBudget = { remaining: STEPS_PER_OBJECT };
    const scope = this.#variables.bind(variablesOf(input), budget);
    const match = this.#conditions?.match(scope) ?? 'yes';
    if (match === 'no') return NOTHING;
    if (match !== 'yes') return { ...NOTHING, denials: [this.#failed(match.error)] };
    try {
      return {
        denials: this.#validations.map((validation) => this.#check(validation, scope, budget)),
        ...this.#annotate(scope, budget),
      };
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      return { ...NOTHING, denials: [this.#failed(error.message)] };
    }
  }

  #failed(message: string): Denial {
    return this.#isIgnoring ? undefined : { message, reason: INVALID };
  }

  #check(validation: CompiledValidation, scope: Record<string, unknown>, budget: CelBudget): Denial {
    const { expression, messageExpression, message, reason } = validation;
    const result = evaluateExpression(expression, scope, budget);
    if (result.type === 'error') return this.#failed(result.message);
    if (result.value === true) return undefined;
    const said = messageExpression === undefined ? '' : textOf(messageExpression, scope, budget);
    const text = said || message || `failed expression: ${expression.source.trim()}`;
    return { message: text, reason };
  }

  #annotate(
    scope: Record<string, unknown>,
    budget: CelBudget,
  ): Pick<PolicyResult, 'annotations' | 'problems'> {
    const annotations: { key: string; value: string }[] = [];
    const problems: string[] = [];
    for (const { key, expression } of this.#annotations) {
      const result = evaluateExpression(expression, scope, budget);
      if (result.type === 'error') {
        if (!this.#isIgnoring) problems.push(result.message);
      } else if (typeof result.value === 'string') {
        const value = result.value.trim().slice(0, MAX_ANNOTATION_BYTES);
        if (value !== '') annotations.push({ key, value });
      } else if (result.value !== null)
        problems.push(
          `valueExpression '${expression.source}' resulted in unsupported return type. Return type must be either string or null.`,
        );
    }
    return { annotations, problems };
  }
}

/** Empty when there is none that can be shown. */
function textOf(expression: Expression, scope: Record<string, unknown>, budget: CelBudget): string {
  const result = evaluateExpression(expression, scope, budget);
  if (result.type === 'error' || typeof result.value !== 'string') return '';
  const text = result.value.trim();
  return text.includes('\n') || Buffer.byteLength(text) > MAX_MESSAGE_BYTES ? '' : text;
}
