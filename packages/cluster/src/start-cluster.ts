import { join } from 'node:path';
import type { Transport } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import {
  ApiServer,
  AuditFile,
  type AuditPolicy,
  createMemoryStore,
  type OptionalPlugin,
  openSqliteStore,
  type StaticToken,
  type UserInfo,
} from '@windlass/apiserver';
import {
  type Clock,
  type Logger,
  MetricsRegistry,
  type Random,
  realClock,
  silentLogger,
  systemRandom,
  VERSION,
  watchLoop,
} from '@windlass/base';
import type { NodeSpec } from '@windlass/kubelet';
import type { Webhook } from '@windlass/runtime';
import { ClusterHome } from './cluster-home.ts';
import { Disturbances } from './disturbances.ts';
import { type ClusterInside, Inside } from './inside.ts';
import { kubeconfigEntries, kubeconfigText } from './kubeconfig/kubeconfig.ts';
import type { MachineOptions } from './machine-node.ts';
import { Parts } from './parts.ts';
import { loadPki } from './pki.ts';
import { SimulatedNetwork } from './simulated-network.ts';
import { startParts } from './start-parts.ts';
import { STOP_LIMITS } from './stop-limits.ts';
import type { BackendChoice, DriveOptions } from './storage/drive-options.ts';
import { InProcessWebhooks } from './webhooks/in-process.ts';

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
  /** Start also when the store has lost writes that were answered; a warning says which. @default false */
  readonly acceptsDataLoss?: boolean;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 picks a free one; undefined serves no HTTPS at all. */
  readonly port?: number;
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

/**
 * Starts the whole control plane in this process.
 * @throws DataDirInUseError when another process runs a cluster in the data directory
 */
export async function startCluster(options: StartClusterOptions = {}): Promise<RunningCluster> {
  const { dataDir, name, inMemory = false, mergeKubeconfig } = options;
  if (dataDir === undefined) return start(options, undefined);
  const { clock = realClock, logger = silentLogger } = options;
  const home = await ClusterHome.open({ dataDir, name, inMemory, mergeKubeconfig, clock, logger });
  try {
    return await start(options, home);
  } catch (error) {
    await home.leave();
    throw error;
  }
}

async function start(options: StartClusterOptions, home: ClusterHome | undefined): Promise<RunningCluster> {
  const {
    inMemory = false,
    host = '127.0.0.1',
    port,
    clock = realClock,
    random = systemRandom,
    logger = silentLogger,
    signal,
  } = options;
  const dataDir = home?.dataDir;
  const progress = options.onProgress ?? ((): void => {});
  const metrics = new MetricsRegistry();
  progress('opening the store');
  const store =
    dataDir === undefined || inMemory
      ? createMemoryStore({ clock, logger, metrics })
      : await openSqliteStore(join(dataDir, 'state'), {
          clock,
          logger,
          metrics,
          random,
          // Not beside the database: who deletes or restores that folder alone is to learn what is missing.
          markPath: join(dataDir, 'state.mark'),
          acceptsLoss: options.acceptsDataLoss ?? false,
        });
  const hosts = [
    ...new Set([
      'localhost',
      '127.0.0.1',
      '::1',
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      '10.0.0.1',
      host,
    ]),
  ].filter((name) => name !== '0.0.0.0' && name !== '::');
  /** What was started last stops first. */
  const parts = new Parts({ clock, logger });
  let server: ApiServer | undefined;
  let auditFile: AuditFile | undefined;
  try {
    if (options.audit !== undefined)
      auditFile = await AuditFile.open({ path: options.audit.path, logger, metrics });
    progress('making certificates');
    const pki =
      port === undefined
        ? undefined
        : await loadPki({
            directory: dataDir === undefined ? undefined : join(dataDir, 'pki'),
            hosts,
            clock,
            random,
            logger,
          });
    const network = new SimulatedNetwork();
    const webhooks = new InProcessWebhooks(options.webhooks ?? []);
    server = new ApiServer({
      store,
      clock,
      random,
      logger,
      metrics,
      tokens: options.tokens ?? [],
      disabledAdmissionPlugins: options.disabledAdmissionPlugins ?? [],
      namespaceDefaults: options.namespaceDefaults ?? true,
      ...(options.nodes !== undefined && { resourceMetrics: {} }),
      ...(auditFile !== undefined && { audit: { ...options.audit, sink: auditFile } }),
      ...(pki !== undefined && {
        serviceAccountKey: pki.serviceAccountKey,
        rootCa: pki.authority.cert,
        clientCa: pki.authority.cert,
        frontProxy: { ca: pki.frontProxy.authority.cert, client: pki.frontProxy.client },
      }),
      nodes: {
        network,
        ...(pki !== undefined && { kubeletClient: pki.kubeletClient, kubeletAuthority: pki.authority.cert }),
      },
      localWebhooks: webhooks.local,
      ...inflightLimits(options),
    });
    progress('preparing the cluster');
    await server.ready();
    await webhooks.install(server.transport(), options.definitions);
    const running = server;
    const { controllers, nodes, drives, machine } = options;
    const disturbances = new Disturbances(running.transport(), { clock, random });
    parts.defer('disturbances', async () => disturbances.end());
    const inside = new Inside(disturbances, () => store.compactedRevision);
    const startOthers = (): Promise<BackendChoice | undefined> =>
      startParts(
        {
          controllers,
          nodes,
          drives,
          machine,
          isPassing: dataDir === undefined || inMemory,
          nodesDir: home?.nodesDir,
          authority: pki?.authority,
          serviceAccountKey: pki?.serviceAccountKey,
          network,
          version: VERSION,
          inside,
          progress,
        },
        { transport: disturbances, clock, random, logger, metrics, signal },
        parts,
      );
    if (port === undefined || pki === undefined) {
      const backend = await startOthers();
      await home?.noteReady();
      return inProcess(server, parts, inside, backend, home);
    }
    progress('listening');
    const actual = await server.listen({
      host,
      port,
      allowAnonymous: options.anonymousAuth ?? true,
      tls: {
        cert: pki.server.cert,
        key: pki.server.key,
        clientCa: pki.authority.cert,
        frontProxyCa: pki.frontProxy.authority.cert,
      },
    });
    const url = `https://${host.includes(':') ? `[${host}]` : host}:${actual}`;
    const access = { server: url, authority: pki.authority, client: pki.admin };
    const kubeconfig = kubeconfigText(kubeconfigEntries({ name: options.name, ...access }));
    const kubeconfigPath = await home?.publish(access);
    const backend = await startOthers();
    await home?.noteReady();
    // Not before: at its start a process loads what it consists of.
    const watch = watchLoop({ clock, logger, metrics });
    parts.defer('the watch of the event loop', async () => watch[Symbol.dispose]());
    return { ...inProcess(server, parts, inside, backend, home), server: url, kubeconfigPath, kubeconfig };
  } catch (error) {
    await server?.stopListening();
    await parts.stop(STOP_LIMITS);
    await (server ?? store).close();
    await auditFile?.close();
    throw error;
  }
}

function inflightLimits({
  maxRequestsInflight,
  maxMutatingRequestsInflight,
}: StartClusterOptions): Pick<StartClusterOptions, 'maxRequestsInflight' | 'maxMutatingRequestsInflight'> {
  return {
    ...(maxRequestsInflight !== undefined && { maxRequestsInflight }),
    ...(maxMutatingRequestsInflight !== undefined && { maxMutatingRequestsInflight }),
  };
}

function inProcess(
  server: ApiServer,
  parts: Parts,
  inside: ClusterInside,
  driveBackend: BackendChoice | undefined,
  home: ClusterHome | undefined,
): RunningCluster {
  const stopOnce = async (): Promise<void> => {
    // Who calls from outside would only make more work for those that stop.
    await Promise.all([server.stopListening(), parts.stop(STOP_LIMITS)]);
    await server.close();
    await home?.leave();
  };
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= stopOnce();
    return stopped;
  };
  return {
    server: undefined,
    kubeconfigPath: undefined,
    kubeconfig: '',
    driveBackend,
    inside,
    transport: (user) => server.transport(user),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
