import type { DeepReadonly, KubeObject, ResourceType } from '@windlass/apimachinery';
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@windlass/apimachinery/api/rbac/v1';
import type { Logger } from '@windlass/base';
import type { Store } from '../../storage/store.ts';
import { serviceAccountUser } from '../service-account-name.ts';
import { type Follower, StoreFollower } from '../store-follower.ts';
import type { UserInfo } from '../user.ts';
import type { PolicyRule } from './policy-rule.ts';
import {
  type BindingObject,
  RBAC_GROUP,
  type RoleObject,
  type RoleReference,
  type Subject,
} from './rbac-objects.ts';

interface Binding {
  /** Empty: in every namespace and at the cluster scope. */
  readonly namespace: string;
  readonly name: string;
  readonly roleRef: RoleReference;
}

/** A set of rules that a user has, and by what. */
export interface Grant {
  readonly rules: readonly PolicyRule[];
  /** For audit: `ClusterRoleBinding "x" of ClusterRole "y" to User "z"`. */
  readonly because: () => string;
}

const NO_RULES: readonly PolicyRule[] = Object.freeze([]);

/**
 * Roles and bindings in memory, by whom they are for. A decision costs a look at the user's own bindings,
 * not at all there are; a write of a role or a binding costs its subjects.
 */
export class RbacIndex implements AsyncDisposable {
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #bindings = new Map<string, readonly { subject: string; binding: Binding }[]>();
  readonly #bySubject = new Map<string, Set<Binding>>();
  readonly #followers: readonly Follower[];

  constructor(store: Store, logger: Logger) {
    const follow = <T extends KubeObject>(
      type: ResourceType<T>,
      onState: (key: string, object: DeepReadonly<T> | undefined) => void,
    ): Follower => new StoreFollower({ store, logger, type, onState });
    this.#followers = [
      follow(ClusterRole, (key, role) => this.#setRole(key, role)),
      follow(Role, (key, role) => this.#setRole(key, role)),
      follow(ClusterRoleBinding, (key, binding) => this.#setBinding(key, binding)),
      follow(RoleBinding, (key, binding) => this.#setBinding(key, binding)),
    ];
  }

  /** Resolves when everything that is stored counts. */
  async start(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.start()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.stop()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Every grant that counts in the namespace; with an empty one only those of the whole cluster. */
  *grantsOf(user: UserInfo, namespace: string): Generator<Grant> {
    yield* this.#grantsTo(`User/${user.name}`, namespace);
    for (const group of user.groups) yield* this.#grantsTo(`Group/${group}`, namespace);
  }

  /** Undefined when there is no such role. */
  rulesOf(reference: RoleReference, namespace: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(roleKey(reference, namespace));
  }

  *#grantsTo(subject: string, namespace: string): Generator<Grant> {
    for (const { namespace: scope, name, roleRef } of this.#bySubject.get(subject) ?? []) {
      if (scope !== '' && scope !== namespace) continue;
      yield {
        rules: this.rulesOf(roleRef, scope) ?? NO_RULES,
        because: () => {
          const [kind, ...rest] = subject.split('/');
          const binding = scope === '' ? `ClusterRoleBinding "${name}"` : `RoleBinding "${name}/${scope}"`;
          return `RBAC: allowed by ${binding} of ${roleRef.kind} "${roleRef.name}" to ${kind} "${rest.join('/')}"`;
        },
      };
    }
  }

  #setRole(key: string, role: RoleObject | undefined): void {
    if (role === undefined) this.#roles.delete(key);
    else this.#roles.set(key, role.rules ?? NO_RULES);
  }

  #setBinding(key: string, object: BindingObject | undefined): void {
    for (const { subject, binding } of this.#bindings.get(key) ?? []) {
      const bindings = this.#bySubject.get(subject);
      bindings?.delete(binding);
      if (bindings?.size === 0) this.#bySubject.delete(subject);
    }
    this.#bindings.delete(key);
    if (object === undefined) return;
    const { name = '', namespace = '' } = object.metadata ?? {};
    const binding: Binding = { namespace, name, roleRef: object.roleRef };
    const subjects = new Set((object.subjects ?? []).map((subject) => subjectKey(subject, namespace)));
    this.#bindings.set(
      key,
      [...subjects].map((subject) => ({ subject, binding })),
    );
    for (const subject of subjects) {
      const bindings = this.#bySubject.get(subject) ?? new Set();
      this.#bySubject.set(subject, bindings.add(binding));
    }
  }
}

function subjectKey({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  if (kind !== 'ServiceAccount') return `${kind}/${name}`;
  const home = namespace === undefined || namespace === '' ? bindingNamespace : namespace;
  return `User/${serviceAccountUser(home, name)}`;
}

function roleKey({ kind, name }: RoleReference, namespace: string): string {
  return kind === 'ClusterRole'
    ? `/${RBAC_GROUP}/clusterroles/${name}`
    : `/${RBAC_GROUP}/roles/${namespace}/${name}`;
}
