import {
  type Cached,
  type DeepReadonly,
  type ResourceType,
  type Selector,
  selectorFromLabels,
  selectorFromObject,
} from '@windlass/apimachinery';
import {
  ReplicaSet,
  type ReplicaSetCondition,
  type ReplicaSetStatus,
} from '@windlass/apimachinery/api/apps/v1';
import {
  type PodTemplateSpec,
  ReplicationController,
  type ReplicationControllerStatus,
} from '@windlass/apimachinery/api/core/v1';

/** What a set of equal pods may be, and the status that both kinds share. */
export type Replicated = ReplicaSet | ReplicationController;
export type ReplicatedStatus = ReplicaSetStatus & ReplicationControllerStatus;
export type ReplicatedCondition = ReplicaSetCondition;

/** How one of the two kinds says what it wants. */
export interface ReplicatedKind<T extends Replicated> {
  readonly type: ResourceType<T>;
  /** The name by which people know its events. */
  readonly eventSource: string;
  selector(set: Cached<T>): Selector;
  template(set: Cached<T>): DeepReadonly<PodTemplateSpec> | undefined;
}

export const replicaSetKind: ReplicatedKind<ReplicaSet> = {
  type: ReplicaSet,
  eventSource: 'replicaset-controller',
  // An absent selector of a ReplicaSet selects nothing; the server does not let one be absent.
  selector: ({ spec }) => selectorFromObject(spec?.selector),
  template: ({ spec }) => spec?.template,
};

export const replicationControllerKind: ReplicatedKind<ReplicationController> = {
  type: ReplicationController,
  eventSource: 'replication-controller',
  selector: ({ spec }) => selectorFromLabels(spec?.selector),
  template: ({ spec }) => spec?.template,
};
