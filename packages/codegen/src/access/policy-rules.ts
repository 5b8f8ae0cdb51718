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

interface Entry {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Empty for all objects. */
  readonly names: readonly string[];
}

/** The least that allows all of these, in a stable order: one rule for each group, set of verbs and set of names. */
export function policyRules(accesses: Iterable<Access>): PolicyRule[] {
  const keyOf = ({ group, verbs, names }: Entry): string =>
    `${group} ${verbs.join(' ')}${names.map((name) => ` ${name}`).join('')}`;
  return [...Map.groupBy(entriesOf(accesses), keyOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) =>
      first === undefined
        ? []
        : [
            {
              apiGroups: [first.group],
              resources: [first, ...others].map(({ resource }) => resource).sort(),
              ...(first.names.length > 0 && { resourceNames: [...first.names] }),
              verbs: [...first.verbs],
            },
          ],
    );
}

/** One for each resource and set of verbs. What is allowed for all objects is not said again for one. */
function entriesOf(accesses: Iterable<Access>): Entry[] {
  const byResource = Map.groupBy(accesses, ({ group, resource }) => `${group}/${resource}`);
  return [...byResource.values()].flatMap((some) => {
    const verbsOf = new Map<string, Set<string>>();
    for (const access of some) {
      const name = access.name ?? '';
      verbsOf.set(name, (verbsOf.get(name) ?? new Set()).union(new Set(completed(access))));
    }
    const everywhere = verbsOf.get('') ?? new Set();
    const namesOf = Map.groupBy(verbsOf, ([name, verbs]) =>
      [...(name === '' ? verbs : verbs.difference(everywhere))].sort().join(' '),
    );
    const [first] = some;
    if (first === undefined) return [];
    const { group, resource } = first;
    return [...namesOf].flatMap(([verbs, named]) =>
      verbs === ''
        ? []
        : [
            {
              group,
              resource,
              verbs: verbs.split(' '),
              names: named
                .map(([name]) => name)
                .filter(Boolean)
                .sort(),
            },
          ],
    );
  });
}
