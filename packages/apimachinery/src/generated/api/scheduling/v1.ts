// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
// The descriptions, here shortened, are copyright The Kubernetes Authors, Apache License 2.0.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';

/**
 * PriorityClass defines mapping from a priority class name to the priority integer value. The value can be
 * any valid integer.
 */
export interface PriorityClass extends ClusterKind {
  apiVersion?: 'scheduling.k8s.io/v1';
  kind?: 'PriorityClass';
  /**
   * description is an arbitrary string that usually provides guidelines on when this priority class should be
   * used.
   */
  description?: string;
  /**
   * globalDefault specifies whether this PriorityClass should be considered as the default priority for pods
   * that do not have any priority class. Only one PriorityClass can be marked as `globalDefault`. However, if
   * more than one PriorityClasses exists with their `globalDefault` field set to true, the smallest value of
   * such global default PriorityClasses will be used as the default priority.
   */
  globalDefault?: boolean;
  /**
   * Standard object's metadata. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
   */
  metadata?: ClusterObjectMeta;
  /**
   * preemptionPolicy is the Policy for preempting pods with lower priority. One of Never,
   * PreemptLowerPriority. Defaults to PreemptLowerPriority if unset.
   *
   * - `"Never"`: means that pod never preempts other pods with lower priority.
   * - `"PreemptLowerPriority"`: means that pod can preempt other pods with lower priority.
   */
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | (string & {});
  /**
   * value represents the integer value of this priority class. This is the actual priority that pods receive
   * when they have the name of this class in their pod spec.
   */
  value?: number;
}
export const PriorityClass: ResourceType<PriorityClass> = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  namespaced: false,
};

/** PriorityClassList is a collection of priority classes. */
export interface PriorityClassList extends KubeList<PriorityClass> {
  apiVersion?: 'scheduling.k8s.io/v1';
  kind?: 'PriorityClassList';
}
