import type { SecretValue } from './secret.ts';

/** PEM text, or the file that holds it. A file is read again when it changes. */
export type PemSource = { readonly data: SecretValue } | { readonly file: string };

/** Whom a connection trusts, and the certificate that it shows. */
export interface TlsConfig {
  /** Whom to trust. @default the roots that Node ships */
  readonly ca?: PemSource;
  /** Our certificate; needs `key`. */
  readonly cert?: PemSource;
  readonly key?: PemSource;
  /** The name to ask for and to check the server's certificate against. @default the host in `server` */
  readonly serverName?: string;
  /** Accept any certificate. @default false */
  readonly insecureSkipVerify?: boolean;
}

/** Whether a credential plugin may ask the person at the terminal. */
export type InteractiveMode = 'Never' | 'IfAvailable' | 'Always';

/** A program that prints credentials: an ExecCredential of client.authentication.k8s.io. */
export interface ExecConfig {
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1';
  /** Looked up in PATH unless it holds a path separator. */
  readonly command: string;
  readonly args?: readonly SecretValue[];
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, SecretValue>>;
  /** Added to the error when the command is not found. */
  readonly installHint?: string;
  /** @default IfAvailable */
  readonly interactiveMode?: InteractiveMode;
  /** Describe the cluster in KUBERNETES_EXEC_INFO. @default false */
  readonly provideClusterInfo?: boolean;
  /** Handed on as `spec.cluster.config` when `provideClusterInfo` is set. */
  readonly clusterConfig?: unknown;
}

/** How a request says who sends it. A client certificate (`tls.cert`) may stand beside any of them. */
export type AuthConfig =
  | { readonly type: 'token'; readonly token: SecretValue }
  /** Read again once a minute, and at once when the server refuses it. */
  | { readonly type: 'tokenFile'; readonly file: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: SecretValue }
  | { readonly type: 'exec'; readonly exec: ExecConfig };

/** Act as somebody else. */
export interface Impersonation {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * All that is needed to reach one API server as one user. `loadConfig` makes it from a kubeconfig or
 * from what a pod is given; it can also be written by hand.
 */
export interface ClientConfig {
  /** `https://host:port`, with a path if the API stands behind one. */
  readonly server: string;
  /**
   * The namespace that the context names. The client never fills it in by itself.
   * @default default
   */
  readonly namespace?: string;
  readonly tls?: TlsConfig;
  /** @default none: anonymous, or the client certificate alone */
  readonly auth?: AuthConfig;
  readonly impersonate?: Impersonation;
  /** An HTTP proxy. @default none */
  readonly proxyUrl?: SecretValue;
  /** Never accept gzip. @default false */
  readonly disableCompression?: boolean;
  /** Where it came from, for messages: file and context. */
  readonly source?: string;
}
