// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';

export interface PriorityClass extends ClusterKind {
  apiVersion?: 'scheduling.k8s.io/v1';
  kind?: 'PriorityClass';
  description?: string;
  globalDefault?: boolean;
  metadata?: ClusterObjectMeta;
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | (string & {});
  value?: number;
}
export const PriorityClass: ResourceType<PriorityClass> = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  namespaced: false,
};

export interface PriorityClassList extends KubeList<PriorityClass> {
  apiVersion?: 'scheduling.k8s.io/v1';
  kind?: 'PriorityClassList';
}
