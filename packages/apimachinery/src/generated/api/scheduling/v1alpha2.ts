// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { NamespacedKind } from '../../../served.ts';
import type { Condition } from '../meta/v1.ts';

export type BasicSchedulingPolicy = { [key: string]: never };

export interface GangSchedulingPolicy {
  minCount: number;
}

export interface PodGroup extends NamespacedKind {
  apiVersion?: 'scheduling.k8s.io/v1alpha2';
  kind?: 'PodGroup';
  metadata?: ObjectMeta;
  spec: PodGroupSpec;
  status?: PodGroupStatus;
}
export const PodGroup: ResourceType<PodGroup> = {
  group: 'scheduling.k8s.io',
  version: 'v1alpha2',
  kind: 'PodGroup',
  plural: 'podgroups',
  namespaced: true,
};

export interface PodGroupList extends KubeList<PodGroup> {
  apiVersion?: 'scheduling.k8s.io/v1alpha2';
  kind?: 'PodGroupList';
}

export interface PodGroupResourceClaim {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}

export interface PodGroupResourceClaimStatus {
  name: string;
  resourceClaimName?: string;
}

export interface PodGroupSchedulingConstraints {
  topology?: TopologyConstraint[];
}

export interface PodGroupSchedulingPolicy {
  basic?: BasicSchedulingPolicy;
  gang?: GangSchedulingPolicy;
}

export interface PodGroupSpec {
  disruptionMode?: 'Pod' | 'PodGroup' | (string & {});
  podGroupTemplateRef?: PodGroupTemplateReference | null;
  priority?: number;
  priorityClassName?: string;
  resourceClaims?: PodGroupResourceClaim[];
  schedulingConstraints?: PodGroupSchedulingConstraints;
  schedulingPolicy: PodGroupSchedulingPolicy;
}

export interface PodGroupStatus {
  conditions?: Condition[];
  resourceClaimStatuses?: PodGroupResourceClaimStatus[];
}

export interface PodGroupTemplate {
  disruptionMode?: 'Pod' | 'PodGroup' | (string & {});
  name: string;
  priority?: number;
  priorityClassName?: string;
  resourceClaims?: PodGroupResourceClaim[];
  schedulingConstraints?: PodGroupSchedulingConstraints | null;
  schedulingPolicy: PodGroupSchedulingPolicy;
}

export interface PodGroupTemplateReference {
  workload?: WorkloadPodGroupTemplateReference | null;
}

export interface TopologyConstraint {
  key: string;
}

export interface TypedLocalObjectReference {
  apiGroup?: string;
  kind: string;
  name: string;
}

export interface Workload extends NamespacedKind {
  apiVersion?: 'scheduling.k8s.io/v1alpha2';
  kind?: 'Workload';
  metadata?: ObjectMeta;
  spec: WorkloadSpec;
}
export const Workload: ResourceType<Workload> = {
  group: 'scheduling.k8s.io',
  version: 'v1alpha2',
  kind: 'Workload',
  plural: 'workloads',
  namespaced: true,
};

export interface WorkloadList extends KubeList<Workload> {
  apiVersion?: 'scheduling.k8s.io/v1alpha2';
  kind?: 'WorkloadList';
}

export interface WorkloadPodGroupTemplateReference {
  podGroupTemplateName: string;
  workloadName: string;
}

export interface WorkloadSpec {
  controllerRef?: TypedLocalObjectReference;
  podGroupTemplates: PodGroupTemplate[];
}
