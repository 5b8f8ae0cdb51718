import type { DeepReadonly } from '@windlass/apimachinery';
import type {
  MutatingWebhook,
  RuleWithOperations,
  ValidatingWebhook,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import type { Store } from '../../storage/store.ts';
import type { AdmissionRequest } from '../admission.ts';

/** One webhook of one configuration, of either sort. */
export interface Hook {
  /** `CONFIGURATION/WEBHOOK`, which is how it is known in messages. */
  readonly id: string;
  readonly hook: DeepReadonly<MutatingWebhook> | DeepReadonly<ValidatingWebhook>;
}

export const MUTATING = '/admissionregistration.k8s.io/mutatingwebhookconfigurations/';
export const VALIDATING = '/admissionregistration.k8s.io/validatingwebhookconfigurations/';

/** In the order of the configurations' names, and in each in its own order. */
export async function hooksOf(store: Store, prefix: string): Promise<Hook[]> {
  const { items } = await store.list(prefix);
  return items.flatMap(({ object }) =>
    // Stored under the prefix of configurations, so it is one.
    ((object as { webhooks?: readonly DeepReadonly<ValidatingWebhook>[] }).webhooks ?? []).map((hook) => ({
      id: `${object.metadata?.name ?? ''}/${hook.name}`,
      hook,
    })),
  );
}

/** Whether one of the hook's rules is about the write. */
export function rulesMatch({ hook }: Hook, request: AdmissionRequest): boolean {
  return (hook.rules ?? []).some((rule) => ruleMatches(rule, request, hook.matchPolicy !== 'Exact'));
}

function ruleMatches(
  rule: DeepReadonly<RuleWithOperations>,
  { definition, operation, subresource }: AdmissionRequest,
  isEquivalent: boolean,
): boolean {
  const has = (values: readonly string[] | undefined, wanted: string): boolean =>
    values?.some((value) => value === '*' || value === wanted) ?? false;
  const scope = rule.scope ?? '*';
  if (scope !== '*' && (scope === 'Namespaced') !== definition.namespaced) return false;
  // Versions of one resource are one resource: with Equivalent a rule for any of them is about all.
  return (
    has(rule.operations, operation) &&
    has(rule.apiGroups, definition.group) &&
    (isEquivalent || has(rule.apiVersions, definition.version)) &&
    (rule.resources ?? []).some((resource) => resourceMatches(resource, definition.plural, subresource))
  );
}

function resourceMatches(pattern: string, plural: string, subresource: string): boolean {
  const [resource = '', part = ''] = pattern.split('/');
  if (resource !== '*' && resource !== plural) return false;
  return pattern === '*' ? subresource === '' : part === subresource || part === '*';
}
