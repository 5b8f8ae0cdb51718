import type { PolicyRule } from '../rbac/policy-rule.ts';

/** Short forms of rules: lists are words, and `core` is the group without a name. */
export function allow(verbs: string, groups: string, resources: string, names?: string): PolicyRule {
  return {
    verbs: words(verbs),
    apiGroups: words(groups).map((group) => (group === 'core' ? '' : group)),
    resources: words(resources),
    ...(names !== undefined && { resourceNames: words(names) }),
  };
}

/** Paths that are no resources. */
export function paths(verbs: string, urls: string): PolicyRule {
  return { verbs: words(verbs), nonResourceURLs: words(urls) };
}

function words(text: string): string[] {
  return text.split(' ');
}
