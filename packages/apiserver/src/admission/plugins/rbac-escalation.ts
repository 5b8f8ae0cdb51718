import { newForbidden, newNotFound } from '@windlass/apimachinery';
import type { Authorizer } from '../../access/authorizer.ts';
import { describeRule, joinPieces, type PolicyRule } from '../../access/rbac/policy-rule.ts';
import type { RuleSource } from '../../access/rbac/rbac-authorizer.ts';
import type { RbacIndex } from '../../access/rbac/rbac-index.ts';
import { type BindingObject, RBAC_GROUP, type RoleObject } from '../../access/rbac/rbac-objects.ts';
import { uncovered } from '../../access/rbac/rule-coverage.ts';
import { SYSTEM_MASTERS } from '../../access/user.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';

export interface EscalationOptions {
  readonly authorizer: Authorizer;
  readonly rules: RuleSource;
  readonly rbac: RbacIndex;
}

const ROLES: ReadonlySet<string> = new Set(['roles', 'clusterroles']);
const BINDINGS: ReadonlySet<string> = new Set(['rolebindings', 'clusterrolebindings']);

/**
 * Nobody grants what they do not have: a role's rules, and those of a role that is bound, must be the
 * writer's own already, unless they may `escalate` roles, or `bind` that one.
 */
export function rbacEscalation(options: EscalationOptions): AdmissionPlugin {
  return {
    name: 'RBACEscalation',
    handles: ({ definition, operation, context }) =>
      definition.group === RBAC_GROUP &&
      (operation === 'CREATE' || operation === 'UPDATE') &&
      !context.user.groups.includes(SYSTEM_MASTERS),
    validate(request) {
      const { definition, object, oldObject } = request;
      if (ROLES.has(definition.plural)) {
        // Validation has passed, so the object has the shape of its kind.
        checkRole(options, request, object as RoleObject, oldObject);
      } else if (BINDINGS.has(definition.plural)) {
        // The same holds for a binding.
        checkBinding(options, request, object as unknown as BindingObject);
      }
    },
  };
}

function checkRole(
  options: EscalationOptions,
  request: AdmissionRequest,
  role: RoleObject,
  old: RoleObject | undefined,
): void {
  const { definition, namespace, name } = request;
  if (isAllowed(options, request, 'escalate', definition.plural, namespace, name)) return;
  // Whoever chooses what is aggregated chooses rules that are not known yet.
  const chooses =
    role.aggregationRule !== undefined &&
    JSON.stringify(role.aggregationRule) !== JSON.stringify(old?.aggregationRule);
  checkRules(options, request, chooses ? EVERYTHING : (role.rules ?? []));
}

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

function checkBinding(
  options: EscalationOptions,
  request: AdmissionRequest,
  { roleRef }: BindingObject,
): void {
  const { namespace } = request;
  const plural = roleRef.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  if (isAllowed(options, request, 'bind', plural, namespace, roleRef.name)) return;
  const rules = options.rbac.rulesOf(roleRef, namespace);
  if (rules === undefined) throw newNotFound({ group: RBAC_GROUP, resource: plural }, roleRef.name);
  checkRules(options, request, rules);
}

function isAllowed(
  { authorizer }: EscalationOptions,
  { context }: AdmissionRequest,
  verb: string,
  resource: string,
  namespace: string,
  name: string,
): boolean {
  return authorizer.authorize({
    user: context.user,
    verb,
    isResourceRequest: true,
    group: RBAC_GROUP,
    version: 'v1',
    resource,
    subresource: '',
    namespace,
    name,
    path: '',
  }).isAllowed;
}

function checkRules(
  { rules: source }: EscalationOptions,
  { context, definition, namespace, name }: AdmissionRequest,
  wanted: readonly PolicyRule[],
): void {
  const { user } = context;
  const missing = uncovered(source.rulesFor(user, namespace), wanted);
  if (missing.length === 0) return;
  const groups = user.groups.map((group) => JSON.stringify(group)).join(' ');
  throw newForbidden(
    { group: RBAC_GROUP, resource: definition.plural },
    name,
    `user ${JSON.stringify(user.name)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n${joinPieces(missing).map(describeRule).join('\n')}`,
  );
}
