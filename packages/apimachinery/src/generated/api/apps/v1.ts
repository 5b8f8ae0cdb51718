// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { NamespacedKind } from '../../../served.ts';
import type { PersistentVolumeClaim, PodTemplateSpec } from '../core/v1.ts';
import type { IntOrString, LabelSelector, RawExtension, Time } from '../meta/v1.ts';

export interface ControllerRevision extends NamespacedKind {
  apiVersion?: 'apps/v1';
  kind?: 'ControllerRevision';
  data?: RawExtension;
  metadata?: ObjectMeta;
  revision: number;
}
export const ControllerRevision: ResourceType<ControllerRevision> = {
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  namespaced: true,
};

export interface ControllerRevisionList extends KubeList<ControllerRevision> {
  apiVersion?: 'apps/v1';
  kind?: 'ControllerRevisionList';
}

export interface DaemonSet extends NamespacedKind {
  apiVersion?: 'apps/v1';
  kind?: 'DaemonSet';
  metadata?: ObjectMeta;
  spec?: DaemonSetSpec;
  status?: DaemonSetStatus;
}
export const DaemonSet: ResourceType<DaemonSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  namespaced: true,
};

export interface DaemonSetCondition {
  lastTransitionTime?: Time | null;
  message?: string;
  reason?: string;
  status: string;
  type: string;
}

export interface DaemonSetList extends KubeList<DaemonSet> {
  apiVersion?: 'apps/v1';
  kind?: 'DaemonSetList';
}

export interface DaemonSetSpec {
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  selector: LabelSelector;
  template: PodTemplateSpec;
  updateStrategy?: DaemonSetUpdateStrategy;
}

export interface DaemonSetStatus {
  collisionCount?: number;
  conditions?: DaemonSetCondition[];
  currentNumberScheduled: number;
  desiredNumberScheduled: number;
  numberAvailable?: number;
  numberMisscheduled: number;
  numberReady: number;
  numberUnavailable?: number;
  observedGeneration?: number;
  updatedNumberScheduled?: number;
}

export interface DaemonSetUpdateStrategy {
  rollingUpdate?: RollingUpdateDaemonSet;
  type?: 'OnDelete' | 'RollingUpdate' | (string & {});
}

export interface Deployment extends NamespacedKind {
  apiVersion?: 'apps/v1';
  kind?: 'Deployment';
  metadata?: ObjectMeta;
  spec?: DeploymentSpec;
  status?: DeploymentStatus;
}
export const Deployment: ResourceType<Deployment> = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};

export interface DeploymentCondition {
  lastTransitionTime?: Time | null;
  lastUpdateTime?: Time | null;
  message?: string;
  reason?: string;
  status: string;
  type: string;
}

export interface DeploymentList extends KubeList<Deployment> {
  apiVersion?: 'apps/v1';
  kind?: 'DeploymentList';
}

export interface DeploymentSpec {
  minReadySeconds?: number;
  paused?: boolean;
  progressDeadlineSeconds?: number;
  replicas?: number;
  revisionHistoryLimit?: number;
  selector: LabelSelector;
  strategy?: DeploymentStrategy;
  template: PodTemplateSpec;
}

export interface DeploymentStatus {
  availableReplicas?: number;
  collisionCount?: number;
  conditions?: DeploymentCondition[];
  observedGeneration?: number;
  readyReplicas?: number;
  replicas?: number;
  terminatingReplicas?: number;
  unavailableReplicas?: number;
  updatedReplicas?: number;
}

export interface DeploymentStrategy {
  rollingUpdate?: RollingUpdateDeployment;
  type?: 'Recreate' | 'RollingUpdate' | (string & {});
}

export interface ReplicaSet extends NamespacedKind {
  apiVersion?: 'apps/v1';
  kind?: 'ReplicaSet';
  metadata?: ObjectMeta;
  spec?: ReplicaSetSpec;
  status?: ReplicaSetStatus;
}
export const ReplicaSet: ResourceType<ReplicaSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  namespaced: true,
};

export interface ReplicaSetCondition {
  lastTransitionTime?: Time | null;
  message?: string;
  reason?: string;
  status: string;
  type: string;
}

export interface ReplicaSetList extends KubeList<ReplicaSet> {
  apiVersion?: 'apps/v1';
  kind?: 'ReplicaSetList';
}

export interface ReplicaSetSpec {
  minReadySeconds?: number;
  replicas?: number;
  selector: LabelSelector;
  template?: PodTemplateSpec;
}

export interface ReplicaSetStatus {
  availableReplicas?: number;
  conditions?: ReplicaSetCondition[];
  fullyLabeledReplicas?: number;
  observedGeneration?: number;
  readyReplicas?: number;
  replicas: number;
  terminatingReplicas?: number;
}

export interface RollingUpdateDaemonSet {
  maxSurge?: IntOrString;
  maxUnavailable?: IntOrString;
}

export interface RollingUpdateDeployment {
  maxSurge?: IntOrString;
  maxUnavailable?: IntOrString;
}

export interface RollingUpdateStatefulSetStrategy {
  maxUnavailable?: IntOrString;
  partition?: number;
}

export interface StatefulSet extends NamespacedKind {
  apiVersion?: 'apps/v1';
  kind?: 'StatefulSet';
  metadata?: ObjectMeta;
  spec?: StatefulSetSpec;
  status?: StatefulSetStatus;
}
export const StatefulSet: ResourceType<StatefulSet> = {
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  namespaced: true,
};

export interface StatefulSetCondition {
  lastTransitionTime?: Time | null;
  message?: string;
  reason?: string;
  status: string;
  type: string;
}

export interface StatefulSetList extends KubeList<StatefulSet> {
  apiVersion?: 'apps/v1';
  kind?: 'StatefulSetList';
}

export interface StatefulSetOrdinals {
  start?: number;
}

export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  whenDeleted?: string;
  whenScaled?: string;
}

export interface StatefulSetSpec {
  minReadySeconds?: number;
  ordinals?: StatefulSetOrdinals;
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  podManagementPolicy?: 'OrderedReady' | 'Parallel' | (string & {});
  replicas?: number;
  revisionHistoryLimit?: number;
  selector: LabelSelector;
  serviceName?: string;
  template: PodTemplateSpec;
  updateStrategy?: StatefulSetUpdateStrategy;
  volumeClaimTemplates?: PersistentVolumeClaim[];
}

export interface StatefulSetStatus {
  availableReplicas?: number;
  collisionCount?: number;
  conditions?: StatefulSetCondition[];
  currentReplicas?: number;
  currentRevision?: string;
  observedGeneration?: number;
  readyReplicas?: number;
  replicas: number;
  updateRevision?: string;
  updatedReplicas?: number;
}

export interface StatefulSetUpdateStrategy {
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
  type?: 'OnDelete' | 'RollingUpdate' | (string & {});
}
