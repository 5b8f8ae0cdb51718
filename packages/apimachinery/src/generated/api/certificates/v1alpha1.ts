// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';

export interface ClusterTrustBundle extends ClusterKind {
  apiVersion?: 'certificates.k8s.io/v1alpha1';
  kind?: 'ClusterTrustBundle';
  metadata?: ClusterObjectMeta;
  spec: ClusterTrustBundleSpec;
}
export const ClusterTrustBundle: ResourceType<ClusterTrustBundle> = {
  group: 'certificates.k8s.io',
  version: 'v1alpha1',
  kind: 'ClusterTrustBundle',
  plural: 'clustertrustbundles',
  namespaced: false,
};

export interface ClusterTrustBundleList extends KubeList<ClusterTrustBundle> {
  apiVersion?: 'certificates.k8s.io/v1alpha1';
  kind?: 'ClusterTrustBundleList';
}

export interface ClusterTrustBundleSpec {
  signerName?: string;
  trustBundle: string;
}
