import {
  type Cached,
  type DeepReadonly,
  deepCopy,
  deepEqual,
  selectorFromObject,
} from '@windlass/apimachinery';
import { ClusterRole, type PolicyRule } from '@windlass/apimachinery/api/rbac/v1';
import type { Manager } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { labelsOf } from '../shared/meta.ts';

type ReadonlyRole = Cached<ClusterRole>;

/** The rules of all other roles that the role's selectors name, each once, in the order of selectors and names. */
export function aggregatedRules(
  role: ReadonlyRole,
  all: readonly ReadonlyRole[],
): DeepReadonly<PolicyRule>[] {
  const sorted = all
    .filter((other) => other.metadata.name !== role.metadata.name)
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const rules: DeepReadonly<PolicyRule>[] = [];
  for (const object of role.aggregationRule?.clusterRoleSelectors ?? []) {
    const selector = selectorFromObject(object);
    for (const other of sorted) {
      if (!selector.matches(labelsOf(other))) continue;
      for (const rule of other.rules ?? [])
        if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule);
    }
  }
  return rules;
}

/** Keeps the rules of roles that are made of others. Any role that changes may be a part of any of them. */
export function addClusterRoleAggregationController(
  manager: Manager,
  { name, concurrency }: ControllerOptions,
): void {
  const roles = manager.objects(ClusterRole);
  const cached = manager.cluster.cache.kind(ClusterRole);
  const toAggregated = (): string[] =>
    cached
      .list()
      .filter(({ aggregationRule }) => aggregationRule !== undefined)
      .map(({ metadata }) => metadata.name);
  manager
    .controller(name)
    .watches(ClusterRole, toAggregated)
    .reconcile(
      async (key, { signal }) => {
        const role = await roles.find(key, { signal });
        if (role?.aggregationRule === undefined) return;
        const rules = aggregatedRules(role, await roles.list({ signal }));
        if (deepEqual(rules, role.rules ?? [])) return;
        await roles.apply(
          // The rules are copies; the cache keeps its own.
          {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'ClusterRole',
            metadata: { name: key },
            rules: deepCopy<PolicyRule[]>(rules),
          },
          { fieldManager: name, signal },
        );
      },
      { concurrency },
    );
}
