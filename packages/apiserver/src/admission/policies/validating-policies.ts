import { type DeepReadonly, StatusError } from '@windlass/apimachinery';
import {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import { Namespace } from '@windlass/apimachinery/api/core/v1';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Catalog } from '../../resource/catalog.ts';
import type { ResourceDefinition } from '../../resource/definition.ts';
import type { Stored } from '../../resource/strategy.ts';
import type { Store } from '../../storage/store.ts';
import { getOfKind, listOfKind } from '../../storage/stored-kinds.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { matchResources } from '../matching/match-resources.ts';
import { objectsIn } from '../matching/versioned-objects.ts';
import { forbidden } from '../request-kind.ts';
import { CompiledPolicy } from './compiled-policy.ts';
import { ConfigurationError, collectParams, paramDefinition } from './policy-params.ts';

type Policy = DeepReadonly<ValidatingAdmissionPolicy>;
type Binding = DeepReadonly<ValidatingAdmissionPolicyBinding>;

export interface PolicyOptions {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly authorizer: Authorizer;
}

interface Refusal {
  readonly policy: string;
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason: string;
}

/** Those who could remove a policy that refuses everything must not be refused by it. */
const OWN_GROUP = 'admissionregistration.k8s.io';
const OWN = /^(?:mutating|validating)(?:webhookconfigurations|admissionpolic)/;
const CODES: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
};
const FAILURE_KEY = 'validation.policy.admission.k8s.io/validation_failure';

/** What the expressions of ValidatingAdmissionPolicies say about writes, where they are bound. */
export function validatingPolicies(options: PolicyOptions): AdmissionPlugin {
  // What is stored never changes, so a policy is compiled once for each of its versions.
  const compiled = new WeakMap<object, CompiledPolicy>();
  const compile = (policy: Policy): CompiledPolicy => {
    const known = compiled.get(policy) ?? new CompiledPolicy(policy);
    compiled.set(policy, known);
    return known;
  };
  return {
    name: 'ValidatingAdmissionPolicy',
    handles: ({ definition }) => !(definition.group === OWN_GROUP && OWN.test(definition.plural)),
    async validate(request) {
      const { store } = options;
      const policies = await listOfKind(store, ValidatingAdmissionPolicy);
      if (policies.length === 0) return;
      const bindings = await listOfKind(store, ValidatingAdmissionPolicyBinding);
      const refusals: Refusal[] = [];
      for (const policy of policies) {
        const own = bindings.filter(({ spec }) => spec.policyName === policy.metadata?.name);
        if (own.length > 0) await new PolicyRun(options, request, policy, refusals).run(compile(policy), own);
      }
      const [first] = refusals;
      if (first !== undefined) throw refusal(request, first);
    },
  };
}

/** One policy and one write. */
class PolicyRun {
  readonly #options: PolicyOptions;
  readonly #request: AdmissionRequest;
  readonly #policy: Policy;
  readonly #refusals: Refusal[];
  readonly #annotations = new Map<string, Set<string>>();

  constructor(options: PolicyOptions, request: AdmissionRequest, policy: Policy, refusals: Refusal[]) {
    this.#options = options;
    this.#request = request;
    this.#policy = policy;
    this.#refusals = refusals;
  }

  async run(compiled: CompiledPolicy, bindings: readonly Binding[]): Promise<void> {
    const { catalog, store } = this.#options;
    const matched = await matchResources(this.#policy.spec?.matchConstraints, this.#request, this.#options);
    if (matched === undefined) return;
    await this.#guard(undefined, async () => {
      const paramKind = paramDefinition(this.#policy.spec?.paramKind, catalog);
      for (const binding of bindings) {
        await this.#guard(binding, async () => {
          const { matchResources: narrowed, paramRef } = binding.spec;
          if (
            narrowed !== undefined &&
            (await matchResources(narrowed, this.#request, this.#options)) === undefined
          )
            return;
          const params = await collectParams(paramKind, paramRef, this.#request.namespace, store);
          if (params.length > 0) await this.#evaluate(compiled, binding, matched, params);
        });
      }
    });
    const name = this.#policy.metadata?.name ?? '';
    for (const [key, values] of this.#annotations)
      this.#request.context.annotate(`${name}/${key}`, [...values].join(', '));
  }

  /** What is not set up well refuses the request, unless failures are to be ignored. */
  async #guard(binding: Binding | undefined, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      if (this.#policy.spec?.failurePolicy === 'Ignore') return;
      const what = binding === undefined ? 'policy' : 'binding';
      this.#refuse(binding, `failed to configure ${what}: ${error.message}`, 'Invalid');
    }
  }

  async #evaluate(
    compiled: CompiledPolicy,
    binding: Binding,
    matched: ResourceDefinition,
    params: readonly (Stored | undefined)[],
  ): Promise<void> {
    const { authorizer, store } = this.#options;
    const request = this.#request;
    const objects = await objectsIn(matched, request);
    const namespace =
      request.namespace === '' ? undefined : await getOfKind(store, Namespace, request.namespace);
    for (const one of params) {
      const result = compiled.evaluate({ request, objects, authorizer, namespace, params: one });
      for (const [index, denial] of result.denials.entries()) {
        if (denial === undefined) continue;
        const { message, reason } = denial;
        for (const action of binding.spec.validationActions) {
          if (action === 'Deny') this.#refuse(binding, message, reason);
          else if (action === 'Warn') this.#warn(binding, message);
          else if (action === 'Audit') this.#audit(binding, index, message);
        }
      }
      for (const problem of result.problems) this.#refuse(binding, problem, 'Invalid');
      for (const { key, value } of result.annotations)
        this.#annotations.set(key, (this.#annotations.get(key) ?? new Set()).add(value));
    }
  }

  #refuse(binding: Binding | undefined, message: string, reason: string): void {
    const policy = this.#policy.metadata?.name ?? '';
    this.#refusals.push({ policy, binding: binding?.metadata?.name, message, reason });
  }

  #warn(binding: Binding, message: string): void {
    const policy = this.#policy.metadata?.name ?? '';
    this.#request.context.warn(
      `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding.metadata?.name ?? ''}': ${message}`,
    );
  }

  #audit(binding: Binding, expressionIndex: number, message: string): void {
    const { policyName: policy, validationActions } = binding.spec;
    const failure = {
      message,
      policy,
      binding: binding.metadata?.name ?? '',
      expressionIndex,
      validationActions,
    };
    this.#request.context.annotate(FAILURE_KEY, JSON.stringify([failure]));
  }
}

function refusal(request: AdmissionRequest, { policy, binding, message, reason }: Refusal): StatusError {
  const who = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy ${who} denied request: ${message}`;
  const { status } = forbidden(request, text);
  return new StatusError({
    ...status,
    reason,
    code: CODES[reason] ?? 422,
    details: { ...status.details, causes: [...(status.details?.causes ?? []), { message: text }] },
  });
}
