// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';

export interface PriorityClass {
  apiVersion?: 'scheduling.k8s.io/v1';
  kind?: 'PriorityClass';
  description?: string;
  globalDefault?: boolean;
  metadata?: ObjectMeta;
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
