// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
// The descriptions, here shortened, are copyright The Kubernetes Authors, Apache License 2.0.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';
import type { Time } from '../meta/v1.ts';

/**
 * CertificateSigningRequest objects provide a mechanism to obtain x509 certificates by submitting a
 * certificate signing request, and having it asynchronously approved and issued.
 *
 * Kubelets use this API to obtain:
 * 1. client certificates to authenticate to kube-apiserver (with the
 * "kubernetes.io/kube-apiserver-client-kubelet" signerName).
 * 2. serving certificates for TLS endpoints kube-apiserver can connect to securely (with the
 * "kubernetes.io/kubelet-serving" signerName). …
 */
export interface CertificateSigningRequest extends ClusterKind {
  apiVersion?: 'certificates.k8s.io/v1';
  kind?: 'CertificateSigningRequest';
  metadata?: ClusterObjectMeta;
  /**
   * spec contains the certificate request, and is immutable after creation. Only the request, signerName,
   * expirationSeconds, and usages fields can be set on creation. Other fields are derived by Kubernetes and
   * cannot be modified by users.
   */
  spec: CertificateSigningRequestSpec;
  /**
   * status contains information about whether the request is approved or denied, and the certificate issued
   * by the signer, or the failure condition indicating signer failure.
   */
  status?: CertificateSigningRequestStatus;
}
export const CertificateSigningRequest: ResourceType<CertificateSigningRequest> = {
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  namespaced: false,
};

/** CertificateSigningRequestCondition describes a condition of a CertificateSigningRequest object */
export interface CertificateSigningRequestCondition {
  /**
   * lastTransitionTime is the time the condition last transitioned from one status to another. If unset, when
   * a new condition type is added or an existing condition's status is changed, the server defaults this to
   * the current time.
   */
  lastTransitionTime?: Time | null;
  /** lastUpdateTime is the time of the last update to this condition */
  lastUpdateTime?: Time | null;
  /** message contains a human readable message with details about the request state */
  message?: string;
  /** reason indicates a brief reason for the request state */
  reason?: string;
  /**
   * status of the condition, one of True, False, Unknown. Approved, Denied, and Failed conditions may not be
   * "False" or "Unknown".
   */
  status: string;
  /**
   * type of the condition. Known conditions are "Approved", "Denied", and "Failed".
   *
   * An "Approved" condition is added via the /approval subresource, indicating the request was approved and
   * should be issued by the signer.
   *
   * A "Denied" condition is added via the /approval subresource, indicating the request was denied and should
   * not be issued by the signer.
   *
   * A "Failed" condition is added via the /status subresource, indicating the signer failed to issue the
   * certificate. …
   */
  type: string;
}

/** CertificateSigningRequestList is a collection of CertificateSigningRequest objects */
export interface CertificateSigningRequestList extends KubeList<CertificateSigningRequest> {
  apiVersion?: 'certificates.k8s.io/v1';
  kind?: 'CertificateSigningRequestList';
}

/** CertificateSigningRequestSpec contains the certificate request. */
export interface CertificateSigningRequestSpec {
  /**
   * expirationSeconds is the requested duration of validity of the issued certificate. The certificate signer
   * may issue a certificate with a different validity duration so a client must check the delta between the
   * notBefore and and notAfter fields in the issued certificate to determine the actual duration. …
   */
  expirationSeconds?: number;
  /**
   * extra contains extra attributes of the user that created the CertificateSigningRequest. Populated by the
   * API server on creation and immutable.
   */
  extra?: { [key: string]: string[] };
  /**
   * groups contains group membership of the user that created the CertificateSigningRequest. Populated by the
   * API server on creation and immutable.
   */
  groups?: string[];
  /**
   * request contains an x509 certificate signing request encoded in a "CERTIFICATE REQUEST" PEM block. When
   * serialized as JSON or YAML, the data is additionally base64-encoded.
   */
  request: string;
  /**
   * signerName indicates the requested signer, and is a qualified name.
   *
   * List/watch requests for CertificateSigningRequests can filter on this field using a
   * "spec.signerName=NAME" fieldSelector. …
   */
  signerName: string;
  /**
   * uid contains the uid of the user that created the CertificateSigningRequest. Populated by the API server
   * on creation and immutable.
   */
  uid?: string;
  /**
   * usages specifies a set of key usages requested in the issued certificate.
   *
   * Requests for TLS client certificates typically request: "digital signature", "key encipherment", "client
   * auth".
   *
   * Requests for TLS serving certificates typically request: "key encipherment", "digital signature", "server
   * auth". …
   */
  usages?: ('any' | 'cert sign' | 'client auth' | 'code signing' | 'content commitment' | 'crl sign' | 'data encipherment' | 'decipher only' | 'digital signature' | 'email protection' | 'encipher only' | 'ipsec end system' | 'ipsec tunnel' | 'ipsec user' | 'key agreement' | 'key encipherment' | 'microsoft sgc' | 'netscape sgc' | 'ocsp signing' | 's/mime' | 'server auth' | 'signing' | 'timestamping' | (string & {}))[];
  /**
   * username contains the name of the user that created the CertificateSigningRequest. Populated by the API
   * server on creation and immutable.
   */
  username?: string;
}

/**
 * CertificateSigningRequestStatus contains conditions used to indicate approved/denied/failed status of the
 * request, and the issued certificate.
 */
export interface CertificateSigningRequestStatus {
  /**
   * certificate is populated with an issued certificate by the signer after an Approved condition is present.
   * This field is set via the /status subresource. Once populated, this field is immutable.
   *
   * If the certificate signing request is denied, a condition of type "Denied" is added and this field
   * remains empty. If the signer cannot issue the certificate, a condition of type "Failed" is added and this
   * field remains empty. …
   */
  certificate?: string;
  /** conditions applied to the request. Known conditions are "Approved", "Denied", and "Failed". */
  conditions?: CertificateSigningRequestCondition[];
}
