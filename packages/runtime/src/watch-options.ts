import type { KubeObject } from '@windlass/apimachinery';
import type { Cluster } from './cluster.ts';
import type { ControllerOptions } from './controller-options.ts';
import type { Predicate } from './predicates.ts';

/** Which events of a watched kind count. */
export interface WatchOptions<T extends KubeObject> {
  /** All must hold for an event to count. @default every event counts */
  readonly predicates?: readonly Predicate<T>[];
  /** Only objects with these labels are watched and cached for this. @default all */
  readonly labelSelector?: string;
  /** @default all */
  readonly fieldSelector?: string;
  /** Only this namespace. @default the cluster's */
  readonly namespace?: string;
  /** Reminds of every object after so many milliseconds. @default the cache's */
  readonly resyncMs?: number;
  /** Of live events. @default 0 */
  readonly priority?: number;
  /** The cluster to watch. @default the manager's own */
  readonly cluster?: Cluster;
}

/** Options of a kind whose objects are owned by those that are reconciled. */
export interface OwnsOptions<T extends KubeObject> extends WatchOptions<T> {
  /** Owners that do not control the object count, too. @default false */
  readonly everyOwner?: boolean;
}

/** Options of a controller that a manager runs. What is not given comes from the manager. */
export interface ManagedControllerOptions<K = string>
  extends Omit<ControllerOptions<K>, 'name' | 'reconcile' | 'sources'> {
  /** Whether it runs only on the replica that leads. @default true */
  readonly needsLeadership?: boolean;
  /** Whether it fills its queue before its turn comes. @default false */
  readonly warmUp?: boolean;
}
