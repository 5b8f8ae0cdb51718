import type { PolicyRule } from '@windlass/apimachinery/api/rbac/v1';
import type { Access } from './access.ts';

/**
 * Verbs that go together, although one run may not need all of them: a cache that watches also lists, and
 * reads one object when it is behind; an event that comes again is patched; a lease is renewed.
 */
function completed({ group, resource, verbs }: Access): readonly string[] {
  if (group === 'coordination.k8s.io' && resource === 'leases') return ['create', 'get', 'update', ...verbs];
  if (group === 'events.k8s.io' && verbs.includes('create')) return [...verbs, 'patch'];
  return verbs.includes('watch') ? [...verbs, 'get', 'list'] : verbs;
}

/** The least that allows all of these, in a stable order: one rule for each group and set of verbs. */
export function policyRules(accesses: Iterable<Access>): PolicyRule[] {
  const verbsOf = new Map<string, { group: string; resource: string; verbs: Set<string> }>();
  for (const access of accesses) {
    const { group, resource } = access;
    const key = `${group}/${resource}`;
    const entry = verbsOf.get(key) ?? { group, resource, verbs: new Set<string>() };
    for (const verb of completed(access)) entry.verbs.add(verb);
    verbsOf.set(key, entry);
  }
  const entries = [...verbsOf.values()].map(({ verbs, ...entry }) => ({
    ...entry,
    verbs: [...verbs].sort(),
  }));
  return [...Map.groupBy(entries, ({ group, verbs }) => `${group} ${verbs.join(' ')}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) =>
      first === undefined
        ? []
        : [
            {
              apiGroups: [first.group],
              resources: [first, ...others].map(({ resource }) => resource).sort(),
              verbs: first.verbs,
            },
          ],
    );
}
