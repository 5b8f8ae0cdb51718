/** Who asks. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const UNAUTHENTICATED = 'system:unauthenticated';

export const ANONYMOUS: UserInfo = Object.freeze({
  name: 'system:anonymous',
  groups: Object.freeze([UNAUTHENTICATED]),
});

/** May do everything: the identity of the process itself and of the first administrator. */
export const SYSTEM_MASTERS = 'system:masters';
export const AUTHENTICATED = 'system:authenticated';

/** What is known of a caller before it is known who it is. */
export interface Credentials {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Of a client certificate that the TLS layer has verified against our CA. */
  readonly certificate?: {
    readonly commonName: string;
    readonly organizations: readonly string[];
    readonly uid?: string;
  };
  /** The same of a certificate that the authority of front proxies has signed, and the header lines as they came. */
  readonly frontProxy?: {
    readonly commonName: string;
    readonly rawHeaders: readonly string[];
  };
}

/** Undefined: these credentials say nothing to me. Throws a StatusError (401) when they are wrong. */
export interface Authenticator {
  authenticate(credentials: Credentials): Promise<UserInfo | undefined>;
}
