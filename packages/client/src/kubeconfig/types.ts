// A kubeconfig as it is read: what the files say, each entry with the file it came from, nothing yet
// resolved. Whatever may be secret is a Secret from the moment it is parsed.
import type { Impersonation } from '../config.ts';
import type { Secret } from '../secret.ts';

/** Where an entry stands, so that an error can name it. */
export interface Origin {
  readonly file: string;
  /** As in `users[admin].user`. */
  readonly field: string;
}

/** A cluster of a kubeconfig: where it is, and whom to trust. */
export interface ClusterEntry extends Origin {
  readonly name: string;
  readonly server?: string;
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly certificateAuthority?: string;
  readonly certificateAuthorityData?: Secret;
  readonly proxyUrl?: Secret;
  readonly disableCompression?: boolean;
  /** What `provideClusterInfo` hands to an exec plugin: the extension `client.authentication.k8s.io/exec`. */
  readonly execExtension?: unknown;
}

/** A program of a kubeconfig that prints credentials. */
export interface ExecEntry {
  readonly apiVersion?: string;
  readonly command?: string;
  readonly args?: readonly Secret[];
  readonly env?: readonly { readonly name?: string; readonly value?: Secret }[];
  readonly installHint?: string;
  readonly interactiveMode?: string;
  readonly provideClusterInfo?: boolean;
}

/** A user of a kubeconfig: how to say who we are. */
export interface UserEntry extends Origin {
  readonly name: string;
  readonly clientCertificate?: string;
  readonly clientCertificateData?: Secret;
  readonly clientKey?: string;
  readonly clientKeyData?: Secret;
  readonly token?: Secret;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly password?: Secret;
  readonly exec?: ExecEntry;
  /** The name of an old-style provider. No longer supported by any Kubernetes client. */
  readonly authProvider?: string;
  readonly impersonate: Partial<Impersonation>;
}

/** A context of a kubeconfig: a cluster, a user and a namespace under one name. */
export interface ContextEntry extends Origin {
  readonly name: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

/** One file, or several merged into one. Entries are in the order in which the files name them. */
export interface Kubeconfig {
  /** The files that were read, in order. */
  readonly files: readonly string[];
  readonly currentContext?: string;
  /** The file that named the current context. */
  readonly currentContextFile?: string;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
}
