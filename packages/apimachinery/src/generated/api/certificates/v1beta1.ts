// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta, NamespacedKind } from '../../../served.ts';
import type { Condition, Time } from '../meta/v1.ts';

export interface ClusterTrustBundle extends ClusterKind {
  apiVersion?: 'certificates.k8s.io/v1beta1';
  kind?: 'ClusterTrustBundle';
  metadata?: ClusterObjectMeta;
  spec: ClusterTrustBundleSpec;
}
export const ClusterTrustBundle: ResourceType<ClusterTrustBundle> = {
  group: 'certificates.k8s.io',
  version: 'v1beta1',
  kind: 'ClusterTrustBundle',
  plural: 'clustertrustbundles',
  namespaced: false,
};

export interface ClusterTrustBundleList extends KubeList<ClusterTrustBundle> {
  apiVersion?: 'certificates.k8s.io/v1beta1';
  kind?: 'ClusterTrustBundleList';
}

export interface ClusterTrustBundleSpec {
  signerName?: string;
  trustBundle: string;
}

export interface PodCertificateRequest extends NamespacedKind {
  apiVersion?: 'certificates.k8s.io/v1beta1';
  kind?: 'PodCertificateRequest';
  metadata?: ObjectMeta;
  spec: PodCertificateRequestSpec;
  status?: PodCertificateRequestStatus;
}
export const PodCertificateRequest: ResourceType<PodCertificateRequest> = {
  group: 'certificates.k8s.io',
  version: 'v1beta1',
  kind: 'PodCertificateRequest',
  plural: 'podcertificaterequests',
  namespaced: true,
};

export interface PodCertificateRequestList extends KubeList<PodCertificateRequest> {
  apiVersion?: 'certificates.k8s.io/v1beta1';
  kind?: 'PodCertificateRequestList';
}

export interface PodCertificateRequestSpec {
  maxExpirationSeconds?: number;
  nodeName: string;
  nodeUID: string;
  pkixPublicKey?: string;
  podName: string;
  podUID: string;
  proofOfPossession?: string;
  serviceAccountName: string;
  serviceAccountUID: string;
  signerName: string;
  stubPKCS10Request: string;
  unverifiedUserAnnotations?: { [key: string]: string };
}

export interface PodCertificateRequestStatus {
  beginRefreshAt?: Time;
  certificateChain?: string;
  conditions?: Condition[];
  notAfter?: Time;
  notBefore?: Time;
}
