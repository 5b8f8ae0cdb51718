import { join } from 'node:path';
import type { Transport } from '@windlass/apimachinery';
import {
  ApiServer,
  AuditFile,
  type AuditPolicy,
  createMemoryStore,
  openSqliteStore,
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
} from '@windlass/base';
import type { NodeSpec } from '@windlass/kubelet';
import { kubeconfigFor } from './kubeconfig.ts';
import { loadPki, writeWhole } from './pki.ts';
import { startParts } from './start-parts.ts';
import type { BackendChoice, DriveOptions } from './storage/drive-options.ts';

export interface ClusterOptions {
  /** Where state, certificates and the kubeconfig are kept. Undefined keeps everything in memory. */
  readonly dataDir?: string;
  /** Keeps objects in memory even when there is a data directory. @default false */
  readonly inMemory?: boolean;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 picks a free one; undefined serves no HTTPS at all. */
  readonly port?: number;
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
  /** Drives for each of the nodes, and DirectPV on them: claims of its class become volumes. @default none */
  readonly drives?: DriveOptions;
  /** Says what is being done, while it starts. */
  readonly onProgress?: (step: string) => void;
}

/** A running control plane. */
export interface Cluster extends AsyncDisposable {
  /** Undefined when HTTPS is not served. */
  readonly server: string | undefined;
  /** Where the kubeconfig was written; undefined without a data directory. */
  readonly kubeconfigPath: string | undefined;
  /** The kubeconfig itself; empty when HTTPS is not served. */
  readonly kubeconfig: string;
  /** What the drives of the nodes are; undefined when they have none. */
  readonly driveBackend: BackendChoice | undefined;
  /** Straight into the API server, as an administrator or as somebody else. */
  transport(user?: UserInfo): Transport;
  stop(): Promise<void>;
}

/** Starts the whole control plane in this process. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const {
    dataDir,
    inMemory = false,
    host = '127.0.0.1',
    port,
    clock = realClock,
    random = systemRandom,
    logger = silentLogger,
  } = options;
  const progress = options.onProgress ?? ((): void => {});
  const metrics = new MetricsRegistry();
  progress('opening the store');
  const store =
    dataDir === undefined || inMemory
      ? createMemoryStore({ clock, logger, metrics })
      : await openSqliteStore(join(dataDir, 'state'), { clock, logger, metrics, random });
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
  const parts = new AsyncDisposableStack();
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
          });
    server = new ApiServer({
      store,
      clock,
      random,
      logger,
      metrics,
      ...(auditFile !== undefined && { audit: { ...options.audit, sink: auditFile } }),
      ...(pki !== undefined && { serviceAccountKey: pki.serviceAccountKey, rootCa: pki.authority.cert }),
    });
    progress('preparing the cluster');
    await server.ready();
    const running = server;
    const { controllers, nodes, drives } = options;
    const start = (): Promise<BackendChoice | undefined> =>
      startParts(
        {
          controllers,
          nodes,
          drives,
          dataDir,
          authority: pki?.authority,
          serviceAccountKey: pki?.serviceAccountKey,
          version: VERSION,
          progress,
        },
        { transport: running.transport(), clock, random, logger, metrics },
        parts,
      );
    if (port === undefined || pki === undefined) {
      return inProcess(server, parts, await start());
    }
    progress('listening');
    const actual = await server.listen({
      host,
      port,
      tls: { cert: pki.server.cert, key: pki.server.key, clientCa: pki.authority.cert },
    });
    const url = `https://${host.includes(':') ? `[${host}]` : host}:${actual}`;
    const kubeconfig = kubeconfigFor(url, pki.authority, pki.admin);
    const kubeconfigPath = dataDir === undefined ? undefined : join(dataDir, 'kubeconfig');
    if (kubeconfigPath !== undefined) await writeWhole(kubeconfigPath, kubeconfig, 0o600);
    return { ...inProcess(server, parts, await start()), server: url, kubeconfigPath, kubeconfig };
  } catch (error) {
    await parts.disposeAsync();
    await (server ?? store).close();
    await auditFile?.close();
    throw error;
  }
}

function inProcess(
  server: ApiServer,
  parts: AsyncDisposableStack,
  driveBackend: BackendChoice | undefined,
): Cluster {
  const stop = async (): Promise<void> => {
    await parts.disposeAsync();
    await server.close();
  };
  return {
    server: undefined,
    kubeconfigPath: undefined,
    kubeconfig: '',
    driveBackend,
    transport: (user) => server.transport(user),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
