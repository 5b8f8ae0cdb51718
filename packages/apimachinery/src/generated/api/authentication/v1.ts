// Generated from the published Kubernetes API by `npm run generate`. Do not edit.
import type { ObjectMeta } from '../../../object.ts';
import type { ResourceType } from '../../../resource.ts';
import type { UnstoredKind } from '../../../served.ts';
import type { Time } from '../meta/v1.ts';

export interface BoundObjectReference {
  apiVersion?: string;
  kind?: string;
  name?: string;
  uid?: string;
}

export interface SelfSubjectReview extends UnstoredKind {
  apiVersion?: 'authentication.k8s.io/v1';
  kind?: 'SelfSubjectReview';
  metadata?: ObjectMeta;
  status?: SelfSubjectReviewStatus;
}
export const SelfSubjectReview: ResourceType<SelfSubjectReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  namespaced: false,
};

export interface SelfSubjectReviewStatus {
  userInfo?: UserInfo;
}

export interface TokenRequest {
  apiVersion?: 'authentication.k8s.io/v1';
  kind?: 'TokenRequest';
  metadata?: ObjectMeta;
  spec?: TokenRequestSpec;
  status?: TokenRequestStatus;
}

export interface TokenRequestSpec {
  audiences?: string[] | null;
  boundObjectRef?: BoundObjectReference | null;
  expirationSeconds?: number | null;
}

export interface TokenRequestStatus {
  expirationTimestamp?: Time | null;
  token?: string;
}

export interface TokenReview extends UnstoredKind {
  apiVersion?: 'authentication.k8s.io/v1';
  kind?: 'TokenReview';
  metadata?: ObjectMeta;
  spec: TokenReviewSpec;
  status?: TokenReviewStatus;
}
export const TokenReview: ResourceType<TokenReview> = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  namespaced: false,
};

export interface TokenReviewSpec {
  audiences?: string[];
  token: string;
}

export interface TokenReviewStatus {
  audiences?: string[];
  authenticated?: boolean;
  error?: string;
  user?: UserInfo;
}

export interface UserInfo {
  extra?: { [key: string]: string[] };
  groups?: string[];
  uid?: string;
  username?: string;
}
