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

/** The pieces of `wanted` that the rules together do not allow: empty when whoever has them may grant it. */
export function uncovered(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(pieces).filter((piece) => !owned.some((rule) => covers(rule, piece)));
}

/** A rule of one verb, one group, one resource and one name at most for each combination. */
function pieces(rule: PolicyRule): PolicyRule[] {
  const out: PolicyRule[] = [];
  for (const verb of rule.verbs) {
    for (const url of rule.nonResourceURLs ?? []) out.push({ verbs: [verb], nonResourceURLs: [url] });
    for (const group of rule.apiGroups ?? []) {
      for (const resource of rule.resources ?? []) {
        const piece = { verbs: [verb], apiGroups: [group], resources: [resource] };
        const names = rule.resourceNames ?? [];
        if (names.length === 0) out.push(piece);
        else for (const name of names) out.push({ ...piece, resourceNames: [name] });
      }
    }
  }
  return out;
}

function covers(rule: PolicyRule, piece: PolicyRule): boolean {
  if (!includesOrAll(rule.verbs, piece.verbs[0] ?? '')) return false;
  const url = piece.nonResourceURLs?.[0];
  if (url !== undefined) return urlCovered(rule.nonResourceURLs, url);
  const resource = piece.resources?.[0] ?? '';
  const slash = resource.indexOf('/');
  const name = piece.resourceNames?.[0];
  const names = rule.resourceNames ?? [];
  return (
    includesOrAll(rule.apiGroups, piece.apiGroups?.[0] ?? '') &&
    (includesOrAll(rule.resources, resource) ||
      (slash !== -1 && (rule.resources?.includes(`*${resource.slice(slash)}`) ?? false))) &&
    (names.length === 0 || (name !== undefined && names.includes(name)))
  );
}

function urlCovered(urls: readonly string[] | undefined, wanted: string): boolean {
  return (
    urls?.some(
      (url) => url === ALL || url === wanted || (url.endsWith(ALL) && wanted.startsWith(url.slice(0, -1))),
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
  const byRest = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, ...rest } = rule;
    const key = JSON.stringify(rest);
    const known = byRest.get(key);
    byRest.set(key, { ...rest, verbs: [...(known?.verbs ?? []), ...verbs] });
  }
  return [...byRest.values()].toSorted((a, b) => (describeRule(a) < describeRule(b) ? -1 : 1));
}
