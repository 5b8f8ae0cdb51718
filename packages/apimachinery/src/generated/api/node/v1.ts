// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';
import type { Toleration } from '../core/v1.ts';
import type { Quantity } from '../meta/v1.ts';

export interface Overhead {
  podFixed?: { [key: string]: Quantity };
}

export interface RuntimeClass extends ClusterKind {
  apiVersion?: 'node.k8s.io/v1';
  kind?: 'RuntimeClass';
  handler: string;
  metadata?: ClusterObjectMeta;
  overhead?: Overhead;
  scheduling?: Scheduling;
}
export const RuntimeClass: ResourceType<RuntimeClass> = {
  group: 'node.k8s.io',
  version: 'v1',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  namespaced: false,
};

export interface RuntimeClassList extends KubeList<RuntimeClass> {
  apiVersion?: 'node.k8s.io/v1';
  kind?: 'RuntimeClassList';
}

export interface Scheduling {
  nodeSelector?: { [key: string]: string };
  tolerations?: Toleration[];
}
