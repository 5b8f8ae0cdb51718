// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
// The descriptions, here shortened, are copyright The Kubernetes Authors, Apache License 2.0.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';

/**
 * ClusterTrustBundle is a cluster-scoped container for X.509 trust anchors (root certificates).
 *
 * ClusterTrustBundle objects are considered to be readable by any authenticated user in the cluster, because
 * they can be mounted by pods using the `clusterTrustBundle` projection. All service accounts have read
 * access to ClusterTrustBundles by default. Users who only have namespace-level access to a cluster can read
 * ClusterTrustBundles by impersonating a serviceaccount that they have access to. …
 */
export interface ClusterTrustBundle extends ClusterKind {
  apiVersion?: 'certificates.k8s.io/v1alpha1';
  kind?: 'ClusterTrustBundle';
  /** metadata contains the object metadata. */
  metadata?: ClusterObjectMeta;
  /** spec contains the signer (if any) and trust anchors. */
  spec: ClusterTrustBundleSpec;
}
export const ClusterTrustBundle: ResourceType<ClusterTrustBundle> = {
  group: 'certificates.k8s.io',
  version: 'v1alpha1',
  kind: 'ClusterTrustBundle',
  plural: 'clustertrustbundles',
  namespaced: false,
};

/** ClusterTrustBundleList is a collection of ClusterTrustBundle objects */
export interface ClusterTrustBundleList extends KubeList<ClusterTrustBundle> {
  apiVersion?: 'certificates.k8s.io/v1alpha1';
  kind?: 'ClusterTrustBundleList';
}

/** ClusterTrustBundleSpec contains the signer and trust anchors. */
export interface ClusterTrustBundleSpec {
  /**
   * signerName indicates the associated signer, if any.
   *
   * In order to create or update a ClusterTrustBundle that sets signerName, you must have the following
   * cluster-scoped permission: group=certificates.k8s.io resource=signers resourceName=\<the signer name\>
   * verb=attest. …
   */
  signerName?: string;
  /**
   * trustBundle contains the individual X.509 trust anchors for this bundle, as PEM bundle of PEM-wrapped,
   * DER-formatted X.509 certificates.
   *
   * The data must consist only of PEM certificate blocks that parse as valid X.509 certificates. Each
   * certificate must include a basic constraints extension with the CA bit set. The API server will reject
   * objects that contain duplicate certificates, or that use PEM block headers. …
   */
  trustBundle: string;
}
