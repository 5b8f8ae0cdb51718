import type { Authorizer } from '../access/authorizer.ts';
import type { UserInfo } from '../access/user.ts';
import type { ConnectForms } from '../connect/connect-forms.ts';
import type { VerbRuntime } from '../verbs/runtime.ts';

/** What a token is to say. */
export interface TokenOrder {
  /** Of the service account that it speaks for. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Empty means this API server. */
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** An object whose end is the token's end too. */
  readonly bound?: { readonly kind: 'Pod' | 'Secret' | 'Node'; readonly name: string; readonly uid: string };
  /** The node of a bound pod. */
  readonly node?: { readonly name: string; readonly uid?: string };
}

/** Signs tokens of service accounts. */
export interface TokenIssuer {
  issue(order: TokenOrder): Promise<{
    readonly token: string;
    readonly expirationTimestamp: string;
    /** Whom it is for, after the default. */
    readonly audiences: readonly string[];
  }>;
}

/** Knows some bearer tokens. Undefined: not one of mine. Throws a StatusError (401) for one that is wrong. */
export interface TokenChecker {
  authenticateToken(
    token: string,
    audiences?: readonly string[],
  ): Promise<{ readonly user: UserInfo; readonly audiences?: readonly string[] } | undefined>;
}

/** One grant, in RBAC's words. */
export interface GrantedRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/**
 * What built-in kinds need besides themselves. Whatever needs a service that is absent is not served, so
 * that clients see in discovery what there is.
 */
export interface BuiltinServices {
  readonly runtime: VerbRuntime;
  readonly authorizer: Authorizer;
  /** What leads to nodes and pods. */
  readonly connect?: ConnectForms;
  readonly tokenIssuer?: TokenIssuer;
  readonly tokenCheckers?: readonly TokenChecker[];
  /** For SelfSubjectRulesReview. */
  readonly rules?: { rulesFor(user: UserInfo, namespace: string): readonly GrantedRule[] };
}
