// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { NamespacedKind } from '../../../served.ts';
import type { Time } from '../meta/v1.ts';

export interface CrossVersionObjectReference {
  apiVersion?: string;
  kind: string;
  name: string;
}

export interface HorizontalPodAutoscaler extends NamespacedKind {
  apiVersion?: 'autoscaling/v1';
  kind?: 'HorizontalPodAutoscaler';
  metadata?: ObjectMeta;
  spec: HorizontalPodAutoscalerSpec;
  status?: HorizontalPodAutoscalerStatus;
}
export const HorizontalPodAutoscaler: ResourceType<HorizontalPodAutoscaler> = {
  group: 'autoscaling',
  version: 'v1',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  namespaced: true,
};

export interface HorizontalPodAutoscalerList extends KubeList<HorizontalPodAutoscaler> {
  apiVersion?: 'autoscaling/v1';
  kind?: 'HorizontalPodAutoscalerList';
}

export interface HorizontalPodAutoscalerSpec {
  maxReplicas: number;
  minReplicas?: number;
  scaleTargetRef: CrossVersionObjectReference;
  targetCPUUtilizationPercentage?: number;
}

export interface HorizontalPodAutoscalerStatus {
  currentCPUUtilizationPercentage?: number;
  currentReplicas: number;
  desiredReplicas: number;
  lastScaleTime?: Time;
  observedGeneration?: number;
}

export interface Scale {
  apiVersion?: 'autoscaling/v1';
  kind?: 'Scale';
  metadata?: ObjectMeta;
  spec?: ScaleSpec;
  status?: ScaleStatus;
}

export interface ScaleSpec {
  replicas?: number;
}

export interface ScaleStatus {
  replicas: number;
  selector?: string;
}
