import type { FieldSelector } from '@windlass/apimachinery';
import type { UserInfo } from './user.ts';

/** What somebody wants to do. */
export interface AccessAttributes {
  readonly user: UserInfo;
  /** get, list, watch, create, update, patch, delete, deletecollection; for paths the lower-case method. */
  readonly verb: string;
  readonly isResourceRequest: boolean;
  /** For resource requests. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** What a list or watch selects by fields, when it does. */
  readonly fieldSelector?: FieldSelector | undefined;
  /** For the others. */
  readonly path: string;
}

export interface AccessDecision {
  readonly isAllowed: boolean;
  /** For audit and for `can-i`; may be empty. */
  readonly reason: string;
}

/** Synchronous: rules are in memory, and every request asks. */
export interface Authorizer {
  authorize(attributes: AccessAttributes): AccessDecision;
}
