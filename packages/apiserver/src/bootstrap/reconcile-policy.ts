import { deepEqual } from '@windlass/apimachinery';
import type { PolicyRule } from '../access/rbac/policy-rule.ts';
import {
  type BindingObject,
  RBAC_GROUP,
  type RoleObject,
  type Subject,
} from '../access/rbac/rbac-objects.ts';
import { uncovered } from '../access/rbac/rule-coverage.ts';
import type { Store } from '../storage/store.ts';
import { aggregatedRules } from './aggregation.ts';
import { AUTOUPDATE, type DefaultPolicy } from './default-policy.ts';
import type { OwnCalls } from './own-calls.ts';

const API = `/apis/${RBAC_GROUP}/v1`;

/**
 * Makes the default roles and bindings that are missing, and gives back to the others what they lack: rules,
 * subjects, labels. What somebody added stays, and what carries `autoupdate: "false"` is left alone.
 */
export async function reconcilePolicy(store: Store, calls: OwnCalls, policy: DefaultPolicy): Promise<void> {
  const all = withAggregatedRules(policy.clusterroles);
  // All at once: a store on disk commits them together.
  await Promise.all([
    reconcileEach(store, calls, 'clusterroles', all, completeRole),
    reconcileEach(store, calls, 'roles', policy.roles, completeRole),
    reconcileEach(store, calls, 'clusterrolebindings', policy.clusterrolebindings, completeBinding),
    reconcileEach(store, calls, 'rolebindings', policy.rolebindings, completeBinding),
  ]);
}

/** So that they are right from the first moment, before anything follows the changes of roles. */
function withAggregatedRules(roles: readonly RoleObject[]): RoleObject[] {
  let current = [...roles];
  // One takes in another that takes in a third: as many rounds as they are deep.
  for (let round = 0; round < 3; round++) {
    current = current.map((role) =>
      role.aggregationRule === undefined ? role : { ...role, rules: aggregatedRules(role, current) },
    );
  }
  return current;
}

type Named = Pick<RoleObject, 'metadata'>;

async function reconcileEach<T extends Named>(
  store: Store,
  calls: OwnCalls,
  plural: string,
  wanted: readonly T[],
  complete: (existing: T, wanted: T) => T | 'replace',
): Promise<void> {
  const { items } = await store.list(`/${RBAC_GROUP}/${plural}/`);
  // Stored by this server, so they have the shape of their kind.
  const existing = new Map(items.map(({ key, object }) => [key, object as unknown as T]));
  await Promise.all(
    wanted.map(async (object) => {
      const { name = '', namespace } = object.metadata ?? {};
      const place = namespace === undefined ? '' : `${namespace}/`;
      const collection =
        namespace === undefined ? `${API}/${plural}` : `${API}/namespaces/${namespace}/${plural}`;
      const found = existing.get(`/${RBAC_GROUP}/${plural}/${place}${name}`);
      if (found === undefined) return calls.ensure(collection, object);
      if (found.metadata?.annotations?.[AUTOUPDATE] === 'false') return undefined;
      const completed = complete(found, object);
      const path = `${collection}/${encodeURIComponent(name)}`;
      if (completed === 'replace') {
        await calls.remove(path);
        return calls.create(collection, object);
      }
      return deepEqual(completed, found) ? undefined : calls.update(path, completed);
    }),
  );
}

function completeRole(existing: RoleObject, wanted: RoleObject): RoleObject {
  const withMetadata = { ...existing, metadata: completeMetadata(existing, wanted) };
  if (wanted.aggregationRule !== undefined) {
    const selectors = existing.aggregationRule?.clusterRoleSelectors ?? [];
    const missing = (wanted.aggregationRule.clusterRoleSelectors ?? []).filter(
      (selector) => !selectors.some((known) => deepEqual(known, selector)),
    );
    return missing.length === 0
      ? withMetadata
      : { ...withMetadata, aggregationRule: { clusterRoleSelectors: [...selectors, ...missing] } };
  }
  const rules: readonly PolicyRule[] = existing.rules ?? [];
  const missing = (wanted.rules ?? []).filter((rule) => uncovered(rules, [rule]).length > 0);
  return missing.length === 0 ? withMetadata : { ...withMetadata, rules: [...rules, ...missing] };
}

function completeBinding(existing: BindingObject, wanted: BindingObject): BindingObject | 'replace' {
  // A binding's role cannot change.
  if (existing.roleRef.kind !== wanted.roleRef.kind || existing.roleRef.name !== wanted.roleRef.name)
    return 'replace';
  const subjects: readonly Subject[] = existing.subjects ?? [];
  const missing = (wanted.subjects ?? []).filter(
    (subject) => !subjects.some((known) => sameSubject(known, subject)),
  );
  const withMetadata = { ...existing, metadata: completeMetadata(existing, wanted) };
  return missing.length === 0 ? withMetadata : { ...withMetadata, subjects: [...subjects, ...missing] };
}

function sameSubject(a: Subject, b: Subject): boolean {
  return a.kind === b.kind && a.name === b.name && (a.namespace ?? '') === (b.namespace ?? '');
}

/** What is there already wins. */
function completeMetadata(existing: Named, wanted: Named): NonNullable<RoleObject['metadata']> {
  return {
    ...existing.metadata,
    labels: { ...wanted.metadata?.labels, ...existing.metadata?.labels },
    annotations: { ...wanted.metadata?.annotations, ...existing.metadata?.annotations },
  };
}
