import type { Transport } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import type { AuditPolicy, OptionalPlugin, StaticToken, UserInfo } from '@windlass/apiserver';
import type { Clock, Logger, Random } from '@windlass/base';
import type { NodeSpec } from '@windlass/kubelet';
import type { Webhook } from '@windlass/runtime';
import type { EtcdOptions } from './cluster-store.ts';
import type { ClusterInside } from './inside.ts';
import type { MachineOptions } from './machine-node.ts';
import type { BackendChoice, DriveOptions } from './storage/drive-options.ts';

/** What a cluster in this process consists of. Everything is optional. */
export interface StartClusterOptions {
  /** Where state, certificates and the kubeconfig are kept. Undefined keeps everything in memory. */
  readonly dataDir?: string;
  /**
   * Keeps objects in memory even when there is a data directory. What the cluster makes there goes when it stops, also
   * drives and volumes; what a killed one left goes at the next start.
   * @default false
   */
  readonly inMemory?: boolean;
  /** Tells clusters apart: the context of the kubeconfig is `windlass-NAME`. @default none, and the context is `windlass` */
  readonly name?: string;
  /**
   * A kubeconfig of the user into which the cluster is merged. It stays there, with the address that it has at each
   * start, until the data directory is reset; a cluster in memory is taken out when it stops. @default none
   */
  readonly mergeKubeconfig?: string;
  /**
   * Objects are kept in an etcd, which other API servers may share; certificates and drives are in the data directory all
   * the same. @default the data directory has the objects
   */
  readonly etcd?: EtcdOptions;
  /** Start also when the store has lost writes that were answered; a warning says which. @default false */
  readonly acceptsDataLoss?: boolean;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 picks a free one; undefined serves no HTTPS at all. */
  readonly port?: number;
  /**
   * The address by which nodes and pods reach the API server; its certificate has it, too.
   * @default the host, or the first address of the machine when that is loopback or everywhere
   */
  readonly advertiseAddress?: string;
  /**
   * Publishes what real kubelets need to join with a bootstrap token: `cluster-info`, roles and bindings, configuration.
   * Needs `port`. @default false
   */
  readonly acceptsNodes?: boolean;
  /**
   * Approves the serving certificates of nodes for their own addresses; otherwise people do.
   * @default as `acceptsNodes`
   */
  readonly approvesKubeletServing?: boolean;
  /** Whether bootstrap tokens authenticate. @default true */
  readonly bootstrapTokens?: boolean;
  /**
   * Whether callers without credentials may read health and version, as with kube-apiserver. Otherwise they get 401.
   * @default true
   */
  readonly anonymousAuth?: boolean;
  /** Admission plugins that the API server leaves out. @default none */
  readonly disabledAdmissionPlugins?: readonly OptionalPlugin[];
  /** Bearer tokens that always mean the same user. @default none */
  readonly tokens?: readonly StaticToken[];
  /**
   * Whether the API server itself gives every namespace its service account `default` and the ConfigMap
   * `kube-root-ca.crt`. Otherwise the controllers `serviceaccount` and `root-ca-certificate-publisher` do, or nobody.
   * @default true
   */
  readonly namespaceDefaults?: boolean;
  /**
   * How many reading and how many writing requests the API server serves at once. API priority and fairness divides the
   * sum of both among the priority levels.
   * @default 400
   */
  readonly maxRequestsInflight?: number;
  /** See `maxRequestsInflight`. @default 200 */
  readonly maxMutatingRequestsInflight?: number;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** @default the machine's generator */
  readonly random?: Random;
  /** @default none */
  readonly logger?: Logger;
  /** Logs requests, as lines of JSON. @default nothing is logged */
  readonly audit?: {
    readonly path: string;
    /** @default every request at level Metadata: no bodies */
    readonly policy?: AuditPolicy;
  };
  /**
   * Which controllers run in this process: their names, `*` for all, `-name` for all but that one.
   * @default none
   */
  readonly controllers?: readonly string[];
  /**
   * Simulated nodes in this process, and a scheduler that gives pods to them: how many, or which.
   * @default neither
   */
  readonly nodes?: number | readonly NodeSpec[];
  /**
   * This machine as one more node, whose pods are containers of a container runtime. Needs `nodes`, which may be none.
   * @default every node is simulated
   */
  readonly machine?: MachineOptions;
  /** Drives for each of the nodes, and DirectPV on them: claims of its class become volumes. @default none */
  readonly drives?: DriveOptions;
  /** Custom resources to serve; they are served when the start is done. @default none */
  readonly definitions?: readonly CustomResourceDefinition[];
  /**
   * Webhooks made by `validate`, `mutate` and `convert`, which the API server asks in this process, without a network.
   * The definitions need not say that they are converted. @default none
   */
  readonly webhooks?: readonly Webhook[];
  /** Ends a start that is under way: what was started is stopped, and the start rejects. @default nothing does */
  readonly signal?: AbortSignal;
  /** Says what is being done, while it starts. */
  readonly onProgress?: (step: string) => void;
}

/** A running control plane. */
export interface RunningCluster extends AsyncDisposable {
  /** Undefined when HTTPS is not served. */
  readonly server: string | undefined;
  /** Where the kubeconfig was written; undefined without a data directory. */
  readonly kubeconfigPath: string | undefined;
  /** The kubeconfig itself; empty when HTTPS is not served. */
  readonly kubeconfig: string;
  /** What the drives of the nodes are; undefined when they have none. */
  readonly driveBackend: BackendChoice | undefined;
  /** What runs in this process beside the API server. */
  readonly inside: ClusterInside;
  /** Straight into the API server, as an administrator or as somebody else. */
  transport(user?: UserInfo): Transport;
  /**
   * Stops every part in order, then closes the store: nothing that was answered is lost. Takes less than ten seconds:
   * a part that does not end in time is named in the log and left alone. Idempotent.
   */
  stop(): Promise<void>;
}
