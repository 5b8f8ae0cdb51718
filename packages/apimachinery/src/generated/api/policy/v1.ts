// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { NamespacedKind } from '../../../served.ts';
import type { Condition, DeleteOptions, IntOrString, LabelSelector, Time } from '../meta/v1.ts';

export interface Eviction {
  apiVersion?: 'policy/v1';
  kind?: 'Eviction';
  deleteOptions?: DeleteOptions;
  metadata?: ObjectMeta;
}

export interface PodDisruptionBudget extends NamespacedKind {
  apiVersion?: 'policy/v1';
  kind?: 'PodDisruptionBudget';
  metadata?: ObjectMeta;
  spec?: PodDisruptionBudgetSpec;
  status?: PodDisruptionBudgetStatus;
}
export const PodDisruptionBudget: ResourceType<PodDisruptionBudget> = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  namespaced: true,
};

export interface PodDisruptionBudgetList extends KubeList<PodDisruptionBudget> {
  apiVersion?: 'policy/v1';
  kind?: 'PodDisruptionBudgetList';
}

export interface PodDisruptionBudgetSpec {
  maxUnavailable?: IntOrString;
  minAvailable?: IntOrString;
  selector?: LabelSelector;
  unhealthyPodEvictionPolicy?: 'AlwaysAllow' | 'IfHealthyBudget' | (string & {});
}

export interface PodDisruptionBudgetStatus {
  conditions?: Condition[];
  currentHealthy?: number;
  desiredHealthy?: number;
  disruptedPods?: { [key: string]: Time };
  disruptionsAllowed?: number;
  expectedPods?: number;
  observedGeneration?: number;
}
