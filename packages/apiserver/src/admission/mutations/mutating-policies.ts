import { type DeepReadonly, deepEqual, StatusError } from '@windlass/apimachinery';
import {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import { Namespace } from '@windlass/apimachinery/api/core/v1';
import type { ResourceDefinition } from '../../resource/definition.ts';
import { type Draft, draftOf, type Stored } from '../../resource/strategy.ts';
import { getOfKind, listOfKind } from '../../storage/stored-kinds.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { matchResources } from '../matching/match-resources.ts';
import { convert, objectsIn } from '../matching/versioned-objects.ts';
import { valueOf } from '../policies/admission-variables.ts';
import { ConfigurationError, collectParams, paramDefinition } from '../policies/policy-params.ts';
import type { PolicyOptions } from '../policies/validating-policies.ts';
import { forbidden } from '../request-kind.ts';
import { CompiledMutatingPolicy } from './compiled-mutating-policy.ts';
import { MutationError } from './mutation.ts';

type Policy = DeepReadonly<MutatingAdmissionPolicy>;
type Binding = DeepReadonly<MutatingAdmissionPolicyBinding>;

/** One policy with one binding and one of its parameters. */
interface Invocation {
  readonly policy: Policy;
  readonly binding: Binding;
  readonly as: ResourceDefinition;
  readonly params: Stored | undefined;
}

interface Refusal {
  readonly policy: Policy;
  readonly binding: Binding | undefined;
  readonly message: string;
  /** Undefined for what is not set up well. */
  readonly reason: string | undefined;
}

/** Those who could remove a policy that changes everything must not be changed by it. */
const OWN_GROUP = 'admissionregistration.k8s.io';
const OWN = /^(?:mutating|validating)(?:webhookconfigurations|admissionpolic)/;

/**
 * Changes writes as MutatingAdmissionPolicies say, where they are bound. Each sees what those before it changed. Those
 * that ask for it are run once more after all that changes objects has run.
 */
export function mutatingPolicies(options: PolicyOptions): AdmissionPlugin {
  // What is stored never changes, so a policy is compiled once for each of its versions.
  const compiled = new WeakMap<object, CompiledMutatingPolicy>();
  const compile = (policy: Policy): CompiledMutatingPolicy => {
    const known = compiled.get(policy) ?? new CompiledMutatingPolicy(policy);
    compiled.set(policy, known);
    return known;
  };
  /** Which were run for a request, and want to be again. */
  const again = new WeakMap<AdmissionRequest, ReadonlySet<string>>();
  const run = async (request: AdmissionRequest, only: ReadonlySet<string> | undefined): Promise<boolean> => {
    const policies = await listOfKind(options.store, MutatingAdmissionPolicy);
    if (policies.length === 0) return false;
    const work = new MutationRun(options, request, compile);
    await work.run(policies, only);
    again.set(request, work.reinvocable);
    return work.hasPatched;
  };
  return {
    name: 'MutatingAdmissionPolicy',
    handles: ({ definition, operation }) =>
      (operation === 'CREATE' || operation === 'UPDATE') &&
      !(definition.group === OWN_GROUP && OWN.test(definition.plural)),
    mutate: async (request) => ((await run(request, undefined)) ? 'reinvoke' : undefined),
    async reinvoke(request) {
      const only = again.get(request) ?? new Set();
      if (only.size > 0) await run(request, only);
    },
  };
}

/** All policies and one write. */
class MutationRun {
  readonly reinvocable = new Set<string>();
  hasPatched = false;
  readonly #options: PolicyOptions;
  readonly #request: AdmissionRequest;
  readonly #compile: (policy: Policy) => CompiledMutatingPolicy;
  readonly #refusals: Refusal[] = [];

  constructor(
    options: PolicyOptions,
    request: AdmissionRequest,
    compile: (policy: Policy) => CompiledMutatingPolicy,
  ) {
    this.#options = options;
    this.#request = request;
    this.#compile = compile;
  }

  /** @throws StatusError when one that may not fail did */
  async run(policies: readonly Policy[], only: ReadonlySet<string> | undefined): Promise<void> {
    for (const invocation of await this.#invocations(policies)) {
      const key = keyOf(invocation);
      if (only === undefined || only.has(key)) await this.#invoke(invocation);
      if (invocation.policy.spec?.reinvocationPolicy === 'IfNeeded') this.reinvocable.add(key);
    }
    const counted = this.#refusals.filter(({ policy }) => policy.spec?.failurePolicy !== 'Ignore');
    const [first] = counted;
    if (first !== undefined) throw refusal(this.#request, first, counted);
  }

  /** What is about this write; found before anything changes. */
  async #invocations(policies: readonly Policy[]): Promise<Invocation[]> {
    const { store, catalog } = this.#options;
    const bindings = await listOfKind(store, MutatingAdmissionPolicyBinding);
    const found: Invocation[] = [];
    for (const policy of policies) {
      const own = bindings.filter(({ spec }) => spec?.policyName === policy.metadata?.name);
      if (own.length === 0) continue;
      const as = await matchResources(policy.spec?.matchConstraints, this.#request, this.#options);
      if (as === undefined) continue;
      await this.#guard(policy, undefined, async () => {
        const paramKind = paramDefinition(policy.spec?.paramKind, catalog);
        for (const binding of own) {
          await this.#guard(policy, binding, async () => {
            const { matchResources: narrowed, paramRef } = binding.spec ?? {};
            if (
              narrowed !== undefined &&
              (await matchResources(narrowed, this.#request, this.#options)) === undefined
            )
              return;
            for (const params of await collectParams(paramKind, paramRef, this.#request.namespace, store))
              found.push({ policy, binding, as, params });
          });
        }
      });
    }
    return found;
  }

  async #guard(policy: Policy, binding: Binding | undefined, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      const what = binding === undefined ? 'policy' : 'binding';
      const message = `failed to configure ${what}: ${error.message}`;
      this.#refusals.push({ policy, binding, message, reason: undefined });
    }
  }

  async #invoke({ policy, binding, as, params }: Invocation): Promise<void> {
    const { store, authorizer } = this.#options;
    const request = this.#request;
    const compiled = this.#compile(policy);
    const fail = (message: string): void => {
      this.#refusals.push({ policy, binding, message, reason: 'Invalid' });
    };
    const objects = await objectsIn(as, request);
    const namespace =
      request.namespace === '' || isNamespace(request)
        ? undefined
        : await getOfKind(store, Namespace, request.namespace);
    const scope = compiled.scope({ request, objects, authorizer, namespace, params });
    const match = compiled.match(scope);
    if (match === 'no') return;
    if (match !== 'yes') return fail(match.error);
    let object = objects.object;
    if (object === undefined || request.object === undefined) return;
    // What has a kind of its own has no schema of the resource.
    const schema = request.kind === undefined ? as.schema : undefined;
    for (const mutation of compiled.mutations) {
      try {
        object = mutation.apply(object, as, schema, { ...scope, object: valueOf(object) });
        this.hasPatched = true;
      } catch (error) {
        if (!(error instanceof MutationError)) throw error;
        fail(error.message);
      }
    }
    if (deepEqual(object, objects.object)) return;
    replaceWith(
      request.object,
      request.kind === undefined ? await convert(object, as, request.definition) : object,
    );
  }
}

function isNamespace({ definition }: AdmissionRequest): boolean {
  return definition.group === '' && definition.plural === 'namespaces';
}

function keyOf({ policy, binding, params }: Invocation): string {
  const { name = '', namespace = '' } = params?.metadata ?? {};
  return JSON.stringify([policy.metadata?.name, binding.metadata?.name, namespace, name]);
}

/** Later plugins hold the same draft, so it changes in place. */
function replaceWith(draft: Draft, changed: Stored): void {
  const copy = draftOf(changed);
  for (const key of Object.keys(draft)) if (!(key in copy)) delete draft[key];
  Object.assign(draft, copy);
}

function refusal(request: AdmissionRequest, first: Refusal, all: readonly Refusal[]): StatusError {
  const { status } = forbidden(request, '');
  return new StatusError({
    ...status,
    message: textOf(first),
    ...(first.reason !== undefined && { reason: first.reason }),
    details: { ...status.details, causes: all.map((one) => ({ message: textOf(one) })) },
  });
}

function textOf({ policy, binding, message }: Refusal): string {
  const name = policy.metadata?.name ?? '';
  const by = binding === undefined ? '' : ` with binding '${binding.metadata?.name ?? ''}'`;
  return `policy '${name}'${by} denied request: ${message}`;
}
