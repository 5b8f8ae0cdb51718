// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { NamespacedKind } from '../../../served.ts';
import type { MicroTime } from '../meta/v1.ts';

export interface LeaseCandidate extends NamespacedKind {
  apiVersion?: 'coordination.k8s.io/v1alpha2';
  kind?: 'LeaseCandidate';
  metadata?: ObjectMeta;
  spec: LeaseCandidateSpec;
}
export const LeaseCandidate: ResourceType<LeaseCandidate> = {
  group: 'coordination.k8s.io',
  version: 'v1alpha2',
  kind: 'LeaseCandidate',
  plural: 'leasecandidates',
  namespaced: true,
};

export interface LeaseCandidateList extends KubeList<LeaseCandidate> {
  apiVersion?: 'coordination.k8s.io/v1alpha2';
  kind?: 'LeaseCandidateList';
}

export interface LeaseCandidateSpec {
  binaryVersion: string;
  emulationVersion?: string;
  leaseName: string;
  pingTime?: MicroTime;
  renewTime?: MicroTime;
  strategy: string;
}
