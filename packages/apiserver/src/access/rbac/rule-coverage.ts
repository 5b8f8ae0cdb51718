import type { PolicyRule } from './policy-rule.ts';

const ALL = '*';
/**
 * So many comparisons of a piece with a rule are made: about a tenth of a second. A rule of a thousand verbs, resources
 * and names has a billion pieces; what is not compared counts as not allowed.
 */
const MAX_COMPARISONS = 1_000_000;
/** A refusal names so many pieces of a rule, and then the rule itself. */
const MAX_MISSING = 10_000;

/** The pieces of `wanted` that the rules together do not allow: empty when whoever has them may grant it. */
export function uncovered(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  const coverage = new Coverage(owned);
  return wanted.flatMap((rule) => coverage.missingOf(rule));
}

/** A rule whose lists are asked often. */
interface OwnedRule {
  readonly verbs: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  /** Empty when every name is allowed. */
  readonly names: ReadonlySet<string>;
  readonly urls: readonly string[];
}

class Coverage {
  readonly #byResource = new Map<string, OwnedRule[]>();
  readonly #ofUrls: OwnedRule[] = [];
  #comparisons = 0;

  constructor(owned: readonly PolicyRule[]) {
    for (const rule of owned) {
      const known: OwnedRule = {
        verbs: new Set(rule.verbs),
        groups: new Set(rule.apiGroups),
        resources: new Set(rule.resources),
        names: new Set(rule.resourceNames),
        urls: rule.nonResourceURLs ?? [],
      };
      if (known.urls.length > 0) this.#ofUrls.push(known);
      for (const resource of known.resources) {
        const others = this.#byResource.get(resource);
        if (others === undefined) this.#byResource.set(resource, [known]);
        else others.push(known);
      }
    }
  }

  missingOf(rule: PolicyRule): PolicyRule[] {
    if (this.#isCoveredByOne(rule)) return [];
    const missing: PolicyRule[] = [];
    for (const piece of pieces(rule)) {
      if (this.#comparisons++ > MAX_COMPARISONS || missing.length > MAX_MISSING) return [...missing, rule];
      if (!this.#covers(piece)) missing.push(piece);
    }
    return missing;
  }

  /** Most rules are part of one that is owned, and need not be taken to pieces. */
  #isCoveredByOne({
    verbs,
    apiGroups = [],
    resources = [],
    resourceNames = [],
    nonResourceURLs = [],
  }: PolicyRule): boolean {
    const [first] = resources;
    if (first === undefined || nonResourceURLs.length > 0) return false;
    for (const owned of this.#of(first)) {
      this.#comparisons++;
      if (
        hasAll(owned.verbs, verbs) &&
        hasAll(owned.groups, apiGroups) &&
        resources.every((resource) => hasResource(owned, resource)) &&
        (owned.names.size === 0 ||
          (resourceNames.length > 0 && resourceNames.every((name) => owned.names.has(name))))
      )
        return true;
    }
    return false;
  }

  #covers({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): boolean {
    const [verb = ''] = verbs;
    const [group = ''] = apiGroups ?? [];
    const name = resourceNames?.[0];
    const url = nonResourceURLs?.[0];
    for (const owned of url === undefined ? this.#of(resources?.[0] ?? '') : this.#ofUrls) {
      this.#comparisons += 1 + owned.urls.length;
      if (this.#comparisons > MAX_COMPARISONS) return false;
      if (!has(owned.verbs, verb)) continue;
      if (url !== undefined) {
        if (hasUrl(owned.urls, url)) return true;
      } else if (
        has(owned.groups, group) &&
        (owned.names.size === 0 || (name !== undefined && owned.names.has(name)))
      )
        return true;
    }
    return false;
  }

  /** The rules that allow the resource to somebody. */
  *#of(resource: string): Iterable<OwnedRule> {
    const slash = resource.indexOf('/');
    const keys = new Set([resource, ALL, ...(slash === -1 ? [] : [`*${resource.slice(slash)}`])]);
    for (const key of keys) yield* this.#byResource.get(key) ?? [];
  }
}

/** A rule of one verb, one group, one resource and one name at most for each combination. */
function* pieces(rule: PolicyRule): Iterable<PolicyRule> {
  for (const verb of rule.verbs) {
    for (const url of rule.nonResourceURLs ?? []) yield { verbs: [verb], nonResourceURLs: [url] };
    for (const group of rule.apiGroups ?? []) {
      for (const resource of rule.resources ?? []) {
        const piece = { verbs: [verb], apiGroups: [group], resources: [resource] };
        const names = rule.resourceNames ?? [];
        if (names.length === 0) yield piece;
        else for (const name of names) yield { ...piece, resourceNames: [name] };
      }
    }
  }
}

function has(values: ReadonlySet<string>, wanted: string): boolean {
  return values.has(ALL) || values.has(wanted);
}

function hasAll(values: ReadonlySet<string>, wanted: readonly string[]): boolean {
  return values.has(ALL) || wanted.every((value) => values.has(value));
}

function hasResource({ resources }: OwnedRule, resource: string): boolean {
  const slash = resource.indexOf('/');
  return has(resources, resource) || (slash !== -1 && resources.has(`*${resource.slice(slash)}`));
}

function hasUrl(urls: readonly string[], wanted: string): boolean {
  return urls.some(
    (url) => url === ALL || url === wanted || (url.endsWith(ALL) && wanted.startsWith(url.slice(0, -1))),
  );
}
