import { deepEqual, isConflict, isNotFound, selectorFromObject } from '@windlass/apimachinery';
import { ClusterRole } from '@windlass/apimachinery/api/rbac/v1';
import type { Clock, Logger } from '@windlass/base';
import type { PolicyRule } from '../access/rbac/policy-rule.ts';
import { RBAC_GROUP, type RoleObject } from '../access/rbac/rbac-objects.ts';
import { type Follower, StoreFollower } from '../access/store-follower.ts';
import type { Store } from '../storage/store.ts';
import type { OwnCalls } from './own-calls.ts';
import { TryLater } from './try-later.ts';

/** The rules of all roles that the role's selectors name, each once, in the order of the roles' names. */
export function aggregatedRules(role: RoleObject, all: Iterable<RoleObject>): PolicyRule[] {
  const selectors = (role.aggregationRule?.clusterRoleSelectors ?? []).map((selector) =>
    selectorFromObject(selector),
  );
  const rules: PolicyRule[] = [];
  const sorted = [...all].toSorted((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
  for (const selector of selectors) {
    for (const other of sorted) {
      if (other.metadata?.name === role.metadata?.name || !selector.matches(other.metadata?.labels)) continue;
      for (const rule of other.rules ?? [])
        if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule);
    }
  }
  return rules;
}

export interface RoleAggregatorOptions {
  readonly store: Store;
  readonly calls: OwnCalls;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Keeps the rules of aggregated cluster roles the union of those that they name, as labels and roles change. */
export class RoleAggregator implements AsyncDisposable {
  readonly #options: RoleAggregatorOptions;
  readonly #roles = new Map<string, RoleObject>();
  readonly #follower: Follower;
  readonly #later: TryLater;
  #writing: Promise<void> = Promise.resolve();
  #isDue = false;

  constructor(options: RoleAggregatorOptions) {
    this.#options = options;
    this.#later = new TryLater(options.clock, () => this.#schedule());
    this.#follower = new StoreFollower({
      store: options.store,
      logger: options.logger,
      type: ClusterRole,
      onState: (key, role) => {
        if (role === undefined) this.#roles.delete(key);
        else this.#roles.set(key, role);
      },
      onSettled: () => this.#schedule(),
    });
  }

  /** Resolves when every aggregated role that is there has its rules. */
  async start(): Promise<void> {
    await this.#follower.start();
    await this.#writing;
  }

  async stop(): Promise<void> {
    this.#later.stop();
    await this.#follower.stop();
    await this.#writing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** One pass at a time; changes during a pass make one more. */
  #schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#writing = this.#writing.then(async () => {
      this.#isDue = false;
      for (const role of Array.from(this.#roles.values())) await this.#write(role);
    });
  }

  async #write(role: RoleObject): Promise<void> {
    if (role.aggregationRule === undefined) return;
    const name = role.metadata?.name ?? '';
    try {
      const rules = aggregatedRules(role, this.#roles.values());
      if (deepEqual(rules, role.rules ?? [])) return;
      await this.#options.calls.update(`/apis/${RBAC_GROUP}/v1/clusterroles/${encodeURIComponent(name)}`, {
        ...role,
        rules,
      });
    } catch (error) {
      // Somebody wrote or deleted it meanwhile: that event brings the next pass.
      if (isConflict(error) || isNotFound(error)) return;
      this.#later.failed();
      this.#options.logger.warn('an aggregated cluster role could not be written; it is tried again', {
        name,
        error,
      });
    }
  }
}
