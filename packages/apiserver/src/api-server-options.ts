import type { Clock, Logger, MetricsRegistry, Random } from '@windlass/base';
import type { StaticToken } from './access/authenticators/static-tokens.ts';
import type { FrontProxyOptions } from './access/front-proxy.ts';
import type { Authenticator } from './access/user.ts';
import type { OptionalPlugin } from './admission/optional-plugins.ts';
import type { AuditPolicy } from './audit/audit-policy.ts';
import type { AuditSink } from './audit/audit-sink.ts';
import type { NodeConnectionOptions } from './connect/node-connections.ts';
import type { LocalWebhooks } from './exchange/post-review.ts';
import type { KubeletReader } from './metrics/kubelet-usage.ts';
import type { FrontLimits, ListenTls } from './server/http/http-front.ts';
import type { Store } from './storage/store.ts';

/** What an API server is made of. Only the store is required. */
export interface ApiServerOptions {
  readonly store: Store;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** @default the machine's generator */
  readonly random?: Random;
  /** @default none */
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  /** PKCS#8 PEM, RSA; signs the tokens of service accounts. @default a new one, made when first needed */
  readonly serviceAccountKey?: string;
  /** Bearer tokens that always mean the same user. @default none */
  readonly tokens?: readonly StaticToken[];
  /** Whether the bootstrap tokens of secrets in `kube-system` authenticate. @default true */
  readonly bootstrapTokens?: boolean;
  /** PEM of the authority that clients in the cluster trust; published in every namespace. @default none */
  readonly rootCa?: string;
  /**
   * By which the servers of APIServices know this one, and are told who asks; with the authority that signed it. The
   * same authority's front proxies are believed here.
   * @default other servers are not told, and no front proxy is believed
   */
  readonly frontProxy?: FrontProxyOptions;
  /** PEM of the authority that signs the certificates of clients; published for other servers. @default none */
  readonly clientCa?: string;
  /** Serves `metrics.k8s.io`, which tells what nodes and pods use. @default not served */
  readonly resourceMetrics?: {
    /** Asks a node's kubelet what it measures. @default all usage is simulated */
    readonly readKubelet?: KubeletReader;
  };
  /** IPv4 block of which services get their addresses. @default '10.0.0.0/24' */
  readonly serviceCidr?: string;
  /**
   * Whether every namespace gets its service account `default` and, where the authority is known, the ConfigMap
   * `kube-root-ca.crt`. Upstream leaves both to controllers.
   * @default true
   */
  readonly namespaceDefaults?: boolean;
  /** Admission plugins that are left out, by the names that kube-apiserver has for them. @default none */
  readonly disabledAdmissionPlugins?: readonly OptionalPlugin[];
  /** How long events stay after they were last written, in milliseconds. @default 3600000 */
  readonly eventTtlMs?: number;
  /**
   * How many reading and how many writing requests may be served at once. API priority and fairness divides the sum of
   * both among the priority levels.
   * @default 400
   */
  readonly maxRequestsInflight?: number;
  /** See `maxRequestsInflight`. @default 200 */
  readonly maxMutatingRequestsInflight?: number;
  /**
   * A write that is larger is done on a thread of its own, so that nobody waits for it: the bytes of the body and of
   * what is stored. `Infinity`: never.
   * @default 131072
   */
  readonly largeWriteBytes?: number;
  /** How nodes and pods are reached, and as whom. @default by their addresses, without a certificate */
  readonly nodes?: NodeConnectionOptions;
  /** Webhooks in this process, which are asked without a network. @default every webhook is asked over HTTPS */
  readonly localWebhooks?: LocalWebhooks;
  /** Tells of requests. The server closes the sink. @default none; with one, every request at level Metadata */
  readonly audit?: { readonly sink: AuditSink; readonly policy?: AuditPolicy };
}

/** Where the API server listens, and who may connect. */
export interface ListenOptions {
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 picks a free one. */
  readonly port: number;
  /**
   * Where pods are told to find the API: the endpoint of the service `kubernetes`.
   * @default the host, or the first address of the machine when that is loopback or everywhere
   */
  readonly advertiseAddress?: string;
  readonly tls: ListenTls;
  /** @default certificates of the authority, static tokens and service account tokens */
  readonly authenticator?: Authenticator;
  /**
   * Whether a caller without credentials is `system:anonymous`, who may read the health and the version.
   * @default true
   */
  readonly allowAnonymous?: boolean;
  /** How many connections, slow clients, watches and bytes of bodies there may be at once. @default see each */
  readonly limits?: FrontLimits;
  /**
   * How long the body of a request may take to arrive, and how long a client may read nothing of an answer, in
   * milliseconds.
   * @default 60000
   */
  readonly requestTimeoutMs?: number;
}
