import type { DeepReadonly } from '@windlass/apimachinery';
import type { MutatingAdmissionPolicy } from '@windlass/apimachinery/api/admissionregistration/v1';
import { type CelEnvironment, STEPS_PER_OBJECT } from '../../custom/cel/cel-environment.ts';
import { type AdmissionInput, declareVariables, variablesOf } from '../policies/admission-variables.ts';
import { type Match, MatchConditions } from '../policies/match-conditions.ts';
import { PolicyVariables } from '../policies/policy-variables.ts';
import { CompiledMutation } from './mutation.ts';
import { registerPatchTypes } from './patch-value.ts';

/** The environment of a policy's expressions that make patches. */
export function patchEnvironment(hasParams: boolean): CelEnvironment {
  return declareVariables({ hasParams, hasAuthorizer: true }).use(registerPatchTypes);
}

/** The expressions of a MutatingAdmissionPolicy. */
export class CompiledMutatingPolicy {
  readonly mutations: readonly CompiledMutation[];
  readonly #variables: PolicyVariables;
  readonly #conditions: MatchConditions | undefined;

  constructor({ spec = {} }: DeepReadonly<MutatingAdmissionPolicy>) {
    const { matchConditions = [], variables = [], mutations = [] } = spec;
    const hasParams = spec.paramKind !== undefined;
    const base = (): CelEnvironment => declareVariables({ hasParams, hasAuthorizer: true });
    this.#variables = new PolicyVariables(variables, base);
    this.#conditions =
      matchConditions.length === 0
        ? undefined
        : new MatchConditions(matchConditions, this.#variables.declare(base()));
    const env = this.#variables.declare(patchEnvironment(hasParams));
    this.mutations = mutations.map((mutation) => new CompiledMutation(mutation, env));
  }

  match(scope: Readonly<Record<string, unknown>>): Match {
    return this.#conditions?.match(scope) ?? 'yes';
  }

  /** The variables of one run. Those of the policy are evaluated once, with the object as it was first. */
  scope(input: AdmissionInput): Record<string, unknown> {
    return this.#variables.bind(variablesOf(input), { remaining: STEPS_PER_OBJECT });
  }
}
