// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { NamespacedKind } from '../../../served.ts';
import type { MicroTime } from '../meta/v1.ts';

export interface Lease extends NamespacedKind {
  apiVersion?: 'coordination.k8s.io/v1';
  kind?: 'Lease';
  metadata?: ObjectMeta;
  spec?: LeaseSpec;
}
export const Lease: ResourceType<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

export interface LeaseList extends KubeList<Lease> {
  apiVersion?: 'coordination.k8s.io/v1';
  kind?: 'LeaseList';
}

export interface LeaseSpec {
  acquireTime?: MicroTime;
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  leaseTransitions?: number;
  preferredHolder?: string;
  renewTime?: MicroTime;
  strategy?: string;
}
