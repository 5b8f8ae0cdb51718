// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { KubeList } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { ClusterKind, ClusterObjectMeta } from '../../../served.ts';
import type { Time } from '../meta/v1.ts';

export interface CertificateSigningRequest extends ClusterKind {
  apiVersion?: 'certificates.k8s.io/v1';
  kind?: 'CertificateSigningRequest';
  metadata?: ClusterObjectMeta;
  spec: CertificateSigningRequestSpec;
  status?: CertificateSigningRequestStatus;
}
export const CertificateSigningRequest: ResourceType<CertificateSigningRequest> = {
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  namespaced: false,
};

export interface CertificateSigningRequestCondition {
  lastTransitionTime?: Time | null;
  lastUpdateTime?: Time | null;
  message?: string;
  reason?: string;
  status: string;
  type: string;
}

export interface CertificateSigningRequestList extends KubeList<CertificateSigningRequest> {
  apiVersion?: 'certificates.k8s.io/v1';
  kind?: 'CertificateSigningRequestList';
}

export interface CertificateSigningRequestSpec {
  expirationSeconds?: number;
  extra?: { [key: string]: string[] };
  groups?: string[];
  request: string;
  signerName: string;
  uid?: string;
  usages?: ('any' | 'cert sign' | 'client auth' | 'code signing' | 'content commitment' | 'crl sign' | 'data encipherment' | 'decipher only' | 'digital signature' | 'email protection' | 'encipher only' | 'ipsec end system' | 'ipsec tunnel' | 'ipsec user' | 'key agreement' | 'key encipherment' | 'microsoft sgc' | 'netscape sgc' | 'ocsp signing' | 's/mime' | 'server auth' | 'signing' | 'timestamping' | (string & {}))[];
  username?: string;
}

export interface CertificateSigningRequestStatus {
  certificate?: string;
  conditions?: CertificateSigningRequestCondition[];
}
