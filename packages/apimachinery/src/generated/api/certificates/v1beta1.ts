// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
// The descriptions, here shortened, are copyright The Kubernetes Authors, Apache License 2.0.
import type { KubeList, ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta, NamespacedKind } from '../../../served.ts';
import type { Condition, Time } from '../meta/v1.ts';

/**
 * ClusterTrustBundle is a cluster-scoped container for X.509 trust anchors (root certificates).
 *
 * ClusterTrustBundle objects are considered to be readable by any authenticated user in the cluster, because
 * they can be mounted by pods using the `clusterTrustBundle` projection. All service accounts have read
 * access to ClusterTrustBundles by default. Users who only have namespace-level access to a cluster can read
 * ClusterTrustBundles by impersonating a serviceaccount that they have access to. …
 */
export interface ClusterTrustBundle extends ClusterKind {
  apiVersion?: 'certificates.k8s.io/v1beta1';
  kind?: 'ClusterTrustBundle';
  /** metadata contains the object metadata. */
  metadata?: ClusterObjectMeta;
  /** spec contains the signer (if any) and trust anchors. */
  spec: ClusterTrustBundleSpec;
}
export const ClusterTrustBundle: ResourceType<ClusterTrustBundle> = {
  group: 'certificates.k8s.io',
  version: 'v1beta1',
  kind: 'ClusterTrustBundle',
  plural: 'clustertrustbundles',
  namespaced: false,
};

/** ClusterTrustBundleList is a collection of ClusterTrustBundle objects */
export interface ClusterTrustBundleList extends KubeList<ClusterTrustBundle> {
  apiVersion?: 'certificates.k8s.io/v1beta1';
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

/**
 * PodCertificateRequest encodes a pod requesting a certificate from a given signer.
 *
 * Kubelets use this API to implement podCertificate projected volumes
 */
export interface PodCertificateRequest extends NamespacedKind {
  apiVersion?: 'certificates.k8s.io/v1beta1';
  kind?: 'PodCertificateRequest';
  /** metadata contains the object metadata. */
  metadata?: ObjectMeta;
  /** spec contains the details about the certificate being requested. */
  spec: PodCertificateRequestSpec;
  /** status contains the issued certificate, and a standard set of conditions. */
  status?: PodCertificateRequestStatus;
}
export const PodCertificateRequest: ResourceType<PodCertificateRequest> = {
  group: 'certificates.k8s.io',
  version: 'v1beta1',
  kind: 'PodCertificateRequest',
  plural: 'podcertificaterequests',
  namespaced: true,
};

/** PodCertificateRequestList is a collection of PodCertificateRequest objects */
export interface PodCertificateRequestList extends KubeList<PodCertificateRequest> {
  apiVersion?: 'certificates.k8s.io/v1beta1';
  kind?: 'PodCertificateRequestList';
}

/** PodCertificateRequestSpec describes the certificate request. All fields are immutable after creation. */
export interface PodCertificateRequestSpec {
  /**
   * maxExpirationSeconds is the maximum lifetime permitted for the certificate.
   *
   * If omitted, kube-apiserver will set it to 86400(24 hours). kube-apiserver will reject values shorter than
   * 3600 (1 hour). The maximum allowable value is 7862400 (91 days). …
   */
  maxExpirationSeconds?: number;
  /** nodeName is the name of the node the pod is assigned to. */
  nodeName: string;
  /** nodeUID is the UID of the node the pod is assigned to. */
  nodeUID: string;
  /**
   * The PKIX-serialized public key the signer will issue the certificate to.
   *
   * The key must be one of RSA3072, RSA4096, ECDSAP256, ECDSAP384, ECDSAP521, or ED25519. Note that this list
   * may be expanded in the future. …
   *
   * @deprecated This field is replaced by StubPKCS10Request. If StubPKCS10Request is set, this field must be
   * empty. Signer implementations should extract the public key from the StubPKCS10Request field.
   */
  pkixPublicKey?: string;
  /** podName is the name of the pod into which the certificate will be mounted. */
  podName: string;
  /** podUID is the UID of the pod into which the certificate will be mounted. */
  podUID: string;
  /**
   * A proof that the requesting kubelet holds the private key corresponding to pkixPublicKey.
   *
   * It is contructed by signing the ASCII bytes of the pod's UID using `pkixPublicKey`.
   *
   * kube-apiserver validates the proof of possession during creation of the PodCertificateRequest.
   *
   * If the key is an RSA key, then the signature is over the ASCII bytes of the pod UID, using RSASSA-PSS
   * from RFC 8017 (as implemented by the golang function crypto/rsa.SignPSS with nil options). …
   *
   * @deprecated This field is replaced by StubPKCS10Request. If StubPKCS10Request is set, this field must be
   * empty.
   */
  proofOfPossession?: string;
  /** serviceAccountName is the name of the service account the pod is running as. */
  serviceAccountName: string;
  /** serviceAccountUID is the UID of the service account the pod is running as. */
  serviceAccountUID: string;
  /**
   * signerName indicates the requested signer.
   *
   * All signer names beginning with `kubernetes.io` are reserved for use by the Kubernetes project. There is
   * currently one well-known signer documented by the Kubernetes project,
   * `kubernetes.io/kube-apiserver-client-pod`, which will issue client certificates understood by
   * kube-apiserver. It is currently unimplemented.
   */
  signerName: string;
  /**
   * A PKCS#10 certificate signing request (DER-serialized) generated by Kubelet using the subject private
   * key.
   *
   * Most signer implementations will ignore the contents of the CSR except to extract the subject public key.
   * The API server automatically verifies the CSR signature during admission, so the signer does not need to
   * repeat the verification. CSRs generated by kubelet are completely empty. …
   */
  stubPKCS10Request: string;
  /**
   * unverifiedUserAnnotations allow pod authors to pass additional information to the signer implementation.
   * Kubernetes does not restrict or validate this metadata in any way.
   *
   * Entries are subject to the same validation as object metadata annotations, with the addition that all
   * keys must be domain-prefixed. No restrictions are placed on values, except an overall size limitation on
   * the entire field. …
   */
  unverifiedUserAnnotations?: { [key: string]: string };
}

/**
 * PodCertificateRequestStatus describes the status of the request, and holds the certificate data if the
 * request is issued.
 */
export interface PodCertificateRequestStatus {
  /**
   * beginRefreshAt is the time at which the kubelet should begin trying to refresh the certificate. This
   * field is set via the /status subresource, and must be set at the same time as certificateChain. Once
   * populated, this field is immutable.
   *
   * This field is only a hint. Kubelet may start refreshing before or after this time if necessary.
   */
  beginRefreshAt?: Time;
  /**
   * certificateChain is populated with an issued certificate by the signer. This field is set via the /status
   * subresource. Once populated, this field is immutable.
   *
   * If the certificate signing request is denied, a condition of type "Denied" is added and this field
   * remains empty. If the signer cannot issue the certificate, a condition of type "Failed" is added and this
   * field remains empty. …
   */
  certificateChain?: string;
  /**
   * conditions applied to the request.
   *
   * The types "Issued", "Denied", and "Failed" have special handling. At most one of these conditions may be
   * present, and they must have status "True".
   *
   * If the request is denied with `Reason=UnsupportedKeyType`, the signer may suggest a key type that will
   * work in the message field.
   */
  conditions?: Condition[];
  /**
   * notAfter is the time at which the certificate expires. The value must be the same as the notAfter value
   * in the leaf certificate in certificateChain. This field is set via the /status subresource. Once
   * populated, it is immutable. The signer must set this field at the same time it sets certificateChain.
   */
  notAfter?: Time;
  /**
   * notBefore is the time at which the certificate becomes valid. The value must be the same as the notBefore
   * value in the leaf certificate in certificateChain. This field is set via the /status subresource. Once
   * populated, it is immutable. The signer must set this field at the same time it sets certificateChain.
   */
  notBefore?: Time;
}
