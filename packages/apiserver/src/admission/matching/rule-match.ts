import type { DeepReadonly } from '@windlass/apimachinery';
import type { NamedRuleWithOperations } from '@windlass/apimachinery/api/admissionregistration/v1';
import type { Catalog } from '../../resource/catalog.ts';
import type { ResourceDefinition } from '../../resource/definition.ts';
import type { AdmissionRequest } from '../admission.ts';

/** A rule of a webhook or a policy; only those of policies name objects. */
export type MatchRule = DeepReadonly<NamedRuleWithOperations>;

/**
 * The resource as which one of the rules is about a write: its own, or with the match policy Equivalent
 * another version of it that is served too.
 */
export function matchedDefinition(
  rules: readonly MatchRule[] | undefined,
  matchPolicy: string | undefined,
  request: AdmissionRequest,
  catalog: Catalog,
): ResourceDefinition | undefined {
  if (rules === undefined) return undefined;
  if (rules.some((rule) => ruleMatches(rule, request, request.definition))) return request.definition;
  if (matchPolicy === 'Exact') return undefined;
  const { storage } = request.definition;
  for (const rule of rules) {
    for (const other of catalog.all()) {
      const isSame = other.storage.group === storage.group && other.storage.plural === storage.plural;
      if (isSame && other !== request.definition && ruleMatches(rule, request, other)) return other;
    }
  }
  return undefined;
}

function ruleMatches(
  rule: MatchRule,
  { operation, subresource, name }: AdmissionRequest,
  { group, version, plural, namespaced }: ResourceDefinition,
): boolean {
  const has = (values: readonly string[] | undefined, wanted: string): boolean =>
    values?.some((value) => value === '*' || value === wanted) ?? false;
  const scope = rule.scope ?? '*';
  if (scope !== '*' && (scope === 'Namespaced') !== namespaced) return false;
  const names = rule.resourceNames ?? [];
  return (
    has(rule.operations, operation) &&
    has(rule.apiGroups, group) &&
    has(rule.apiVersions, version) &&
    (rule.resources ?? []).some((resource) => resourceMatches(resource, plural, subresource)) &&
    (names.length === 0 || names.includes(name))
  );
}

function resourceMatches(pattern: string, plural: string, subresource: string): boolean {
  const [resource = '', part = ''] = pattern.split('/');
  return (resource === '*' || resource === plural) && (part === subresource || part === '*');
}
