import { appendAll } from '@windlass/base';
import type { AccessAttributes } from '../authorizer.ts';

/** What a role allows. An absent list allows nothing; `*` allows all of its kind. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  /** `pods`, `pods/log`, `*`, a star before `/scale`. */
  readonly resources?: readonly string[];
  /** When there are any, only these names: never a create or a list of all. */
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const ALL = '*';

export function ruleAllows(rule: PolicyRule, attributes: AccessAttributes): boolean {
  if (!includesOrAll(rule.verbs, attributes.verb)) return false;
  if (!attributes.isResourceRequest) return pathMatches(rule.nonResourceURLs, attributes.path);
  return (
    includesOrAll(rule.apiGroups, attributes.group) &&
    resourceMatches(rule.resources, attributes.resource, attributes.subresource) &&
    nameMatches(rule.resourceNames, attributes.name)
  );
}

function includesOrAll(values: readonly string[] | undefined, wanted: string): boolean {
  return values !== undefined && (values.includes(ALL) || values.includes(wanted));
}

function resourceMatches(
  resources: readonly string[] | undefined,
  resource: string,
  subresource: string,
): boolean {
  if (resources === undefined) return false;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  return (
    resources.includes(ALL) ||
    resources.includes(full) ||
    (subresource !== '' && resources.includes(`*/${subresource}`))
  );
}

function nameMatches(names: readonly string[] | undefined, name: string): boolean {
  return names === undefined || names.length === 0 || names.includes(name);
}

function pathMatches(paths: readonly string[] | undefined, path: string): boolean {
  return (
    paths?.some(
      (allowed) =>
        allowed === ALL ||
        allowed === path ||
        (allowed.endsWith(ALL) && path.startsWith(allowed.slice(0, -1))),
    ) ?? false
  );
}

/** `{APIGroups:["apps"], Resources:["deployments"], Verbs:["get" "list"]}`, as refusals show rules. */
export function describeRule(rule: PolicyRule): string {
  const list = (values: readonly string[]): string =>
    `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
  const parts: string[] = [];
  const add = (label: string, values: readonly string[] | undefined): void => {
    if (values !== undefined && values.length > 0) parts.push(`${label}:${list(values)}`);
  };
  add('APIGroups', rule.apiGroups);
  add('Resources', rule.resources);
  add('ResourceNames', rule.resourceNames);
  add('NonResourceURLs', rule.nonResourceURLs);
  add('Verbs', rule.verbs);
  return `{${parts.join(', ')}}`;
}

/** Joins pieces that differ in their verb only, in a stable order, so that a refusal is short. */
export function joinPieces(rules: readonly PolicyRule[]): PolicyRule[] {
  const byRest = new Map<string, PolicyRule & { readonly verbs: string[] }>();
  for (const { verbs, ...rest } of rules) {
    const key = JSON.stringify(rest);
    const known = byRest.get(key);
    if (known === undefined) byRest.set(key, { ...rest, verbs: [...verbs] });
    else appendAll(known.verbs, verbs);
  }
  return [...byRest.values()]
    .map((rule) => ({ rule, text: describeRule(rule) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ rule }) => rule);
}
