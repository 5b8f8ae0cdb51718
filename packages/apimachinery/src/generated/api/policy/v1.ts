// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
// The descriptions, here shortened, are copyright The Kubernetes Authors, Apache License 2.0.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { NamespacedKind } from '../../../served.ts';
import type { Condition, DeleteOptions, IntOrString, LabelSelector, Time } from '../meta/v1.ts';

/**
 * Eviction evicts a pod from its node subject to certain policies and safety constraints. This is a
 * subresource of Pod. A request to cause such an eviction is created by POSTing to .../pods/\<pod
 * name\>/evictions.
 */
export interface Eviction {
  apiVersion?: 'policy/v1';
  kind?: 'Eviction';
  /** DeleteOptions may be provided */
  deleteOptions?: DeleteOptions;
  /** ObjectMeta describes the pod that is being evicted. */
  metadata?: ObjectMeta;
}

/**
 * PodDisruptionBudget is an object to define the max disruption that can be caused to a collection of pods
 */
export interface PodDisruptionBudget extends NamespacedKind {
  apiVersion?: 'policy/v1';
  kind?: 'PodDisruptionBudget';
  /**
   * Standard object's metadata. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
   */
  metadata?: ObjectMeta;
  /** Specification of the desired behavior of the PodDisruptionBudget. */
  spec?: PodDisruptionBudgetSpec;
  /** Most recently observed status of the PodDisruptionBudget. */
  status?: PodDisruptionBudgetStatus;
}
export const PodDisruptionBudget: ResourceType<PodDisruptionBudget> = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  namespaced: true,
};

/** PodDisruptionBudgetList is a collection of PodDisruptionBudgets. */
export interface PodDisruptionBudgetList extends KubeList<PodDisruptionBudget> {
  apiVersion?: 'policy/v1';
  kind?: 'PodDisruptionBudgetList';
}

/** PodDisruptionBudgetSpec is a description of a PodDisruptionBudget. */
export interface PodDisruptionBudgetSpec {
  /**
   * An eviction is allowed if at most "maxUnavailable" pods selected by "selector" are unavailable after the
   * eviction, i.e. even in absence of the evicted pod. For example, one can prevent all voluntary evictions
   * by specifying 0. This is a mutually exclusive setting with "minAvailable".
   */
  maxUnavailable?: IntOrString;
  /**
   * An eviction is allowed if at least "minAvailable" pods selected by "selector" will still be available
   * after the eviction, i.e. even in the absence of the evicted pod. So for example you can prevent all
   * voluntary evictions by specifying "100%".
   */
  minAvailable?: IntOrString;
  /**
   * Label query over pods whose evictions are managed by the disruption budget. A null selector will match no
   * pods, while an empty (\{\}) selector will select all pods within the namespace.
   */
  selector?: LabelSelector;
  /**
   * UnhealthyPodEvictionPolicy defines the criteria for when unhealthy pods should be considered for
   * eviction. Current implementation considers healthy pods, as pods that have status.conditions item with
   * type="Ready",status="True".
   *
   * Valid policies are IfHealthyBudget and AlwaysAllow. If no policy is specified, the default behavior will
   * be used, which corresponds to the IfHealthyBudget policy. …
   *
   * - `"AlwaysAllow"`: policy means that all running pods (status.phase="Running"), but not yet healthy are
   *   considered disrupted and can be evicted regardless of whether the criteria in a PDB is met. This means
   *   perspective running pods of a disrupted application might not get a chance to become healthy. Healthy
   *   pods will be subject to the PDB for eviction.
   * - `"IfHealthyBudget"`: policy means that running pods (status.phase="Running"), but not yet healthy can
   *   be evicted only if the guarded application is not disrupted (status.currentHealthy is at least equal to
   *   status.desiredHealthy). Healthy pods will be subject to the PDB for eviction.
   */
  unhealthyPodEvictionPolicy?: 'AlwaysAllow' | 'IfHealthyBudget' | (string & {});
}

/**
 * PodDisruptionBudgetStatus represents information about the status of a PodDisruptionBudget. Status may
 * trail the actual state of a system.
 */
export interface PodDisruptionBudgetStatus {
  /**
   * Conditions contain conditions for PDB. The disruption controller sets the DisruptionAllowed condition.
   * The following are known values for the reason field (additional reasons could be added in the future): -
   * SyncFailed: The controller encountered an error and wasn't able to compute
   * ```
   *               the number of allowed disruptions. …
   * ```
   */
  conditions?: Condition[];
  /** current number of healthy pods */
  currentHealthy?: number;
  /** minimum desired number of healthy pods */
  desiredHealthy?: number;
  /**
   * DisruptedPods contains information about pods whose eviction was processed by the API server eviction
   * subresource handler but has not yet been observed by the PodDisruptionBudget controller. A pod will be in
   * this map from the time when the API server processed the eviction request to the time when the pod is
   * seen by PDB controller as having been marked for deletion (or after a timeout). …
   */
  disruptedPods?: { [key: string]: Time };
  /** Number of pod disruptions that are currently allowed. */
  disruptionsAllowed?: number;
  /** total number of pods counted by this disruption budget */
  expectedPods?: number;
  /**
   * Most recent generation observed when updating this PDB status. DisruptionsAllowed and other status
   * information is valid only if observedGeneration equals to PDB's object generation.
   */
  observedGeneration?: number;
}
