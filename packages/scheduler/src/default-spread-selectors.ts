import {
  controllerOf,
  type DeepReadonly,
  joinKey,
  type Selector,
  selectorFromObject,
} from '@windlass/apimachinery';
import { ReplicaSet, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import { ReplicationController, Service } from '@windlass/apimachinery/api/core/v1';
import type { CachedKind, Manager } from '@windlass/runtime';
import type { PodInfo } from './cache/pod-info.ts';

/** Which pods are spread together by default: those of the same services and of the same controller. */
export class DefaultSpreadSelectors {
  readonly #services: CachedKind<Service>;
  readonly #replicaSets: CachedKind<ReplicaSet>;
  readonly #statefulSets: CachedKind<StatefulSet>;
  readonly #replicationControllers: CachedKind<ReplicationController>;

  constructor({ cluster }: Manager) {
    this.#services = cluster.cache.kind(Service);
    this.#replicaSets = cluster.cache.kind(ReplicaSet);
    this.#statefulSets = cluster.cache.kind(StatefulSet);
    this.#replicationControllers = cluster.cache.kind(ReplicationController);
  }

  /** Resolves when all is known. */
  async start(signal: AbortSignal): Promise<void> {
    const kinds = [this.#services, this.#replicaSets, this.#statefulSets, this.#replicationControllers];
    for (const kind of kinds) kind.start();
    await Promise.all(kinds.map((kind) => kind.synced(signal)));
  }

  /** All that it has to match at once; undefined when nothing selects it. */
  readonly selectorOf = (pod: PodInfo): Selector | undefined => {
    const matchLabels: Record<string, string> = {};
    for (const { spec } of this.#services.list({ namespace: pod.namespace })) {
      const selector = Object.entries(spec?.selector ?? {});
      if (selector.length > 0 && selector.every(([key, value]) => pod.labels[key] === value))
        Object.assign(matchLabels, spec?.selector);
    }
    const owner = this.#controllerSelector(pod);
    const merged = {
      matchLabels: { ...matchLabels, ...owner?.matchLabels },
      ...(owner?.matchExpressions !== undefined && { matchExpressions: owner.matchExpressions }),
    };
    const selector = selectorFromObject(merged);
    return selector.isEmpty ? undefined : selector;
  };

  #controllerSelector({ pod, namespace }: PodInfo): Parameters<typeof selectorFromObject>[0] {
    const owner = controllerOf(pod);
    if (owner === undefined) return undefined;
    const key = joinKey(namespace, owner.name);
    const selectors: Readonly<Record<string, () => DeepReadonly<Parameters<typeof selectorFromObject>[0]>>> =
      {
        ReplicaSet: () => this.#replicaSets.find(key)?.spec?.selector,
        StatefulSet: () => this.#statefulSets.find(key)?.spec?.selector,
        ReplicationController: () => {
          const matchLabels = this.#replicationControllers.find(key)?.spec?.selector;
          return matchLabels === undefined ? undefined : { matchLabels };
        },
      };
    return selectors[owner.kind]?.();
  }
}
