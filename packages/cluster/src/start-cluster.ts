import { join } from 'node:path';
import { ApiServer, type ApiServerOptions, AuditFile } from '@windlass/apiserver';
import { MetricsRegistry, realClock, silentLogger, systemRandom, VERSION, watchLoop } from '@windlass/base';
import { simulatedNodes } from '@windlass/kubelet';
import { ClusterHome } from './cluster-home.ts';
import { openStore } from './cluster-store.ts';
import { Disturbances } from './disturbances.ts';
import { type ClusterInside, Inside } from './inside.ts';
import { publishJoinObjects } from './join/publish-join-objects.ts';
import { readKubeletVia } from './join/read-kubelet.ts';
import { kubeconfigEntries, kubeconfigText } from './kubeconfig/kubeconfig.ts';
import { Parts } from './parts.ts';
import { loadPki } from './pki.ts';
import { serverPlace, serverUrl } from './server-place.ts';
import { SimulatedNetwork } from './simulated-network.ts';
import type { RunningCluster, StartClusterOptions } from './start-cluster-options.ts';
import { startParts } from './start-parts.ts';
import { STOP_LIMITS } from './stop-limits.ts';
import type { BackendChoice } from './storage/drive-options.ts';
import { InProcessWebhooks } from './webhooks/in-process.ts';

export type { RunningCluster, StartClusterOptions } from './start-cluster-options.ts';

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
  const store = await openStore(
    {
      directory: inMemory ? undefined : dataDir,
      etcd: options.etcd,
      acceptsDataLoss: options.acceptsDataLoss ?? false,
    },
    { clock, logger, metrics, random },
  );
  const place = serverPlace(host, options.advertiseAddress);
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
            hosts: place.hosts,
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
      bootstrapTokens: options.bootstrapTokens ?? true,
      disabledAdmissionPlugins: options.disabledAdmissionPlugins ?? [],
      namespaceDefaults: options.namespaceDefaults ?? true,
      ...(options.nodes !== undefined && { resourceMetrics: resourceMetrics(options, () => server) }),
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
    const { controllers, nodes, drives, machine, acceptsNodes = false } = options;
    const approvesServing = options.approvesKubeletServing ?? acceptsNodes;
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
          servingApproval: approvesServing ? { reservedHosts: place.hosts } : undefined,
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
      ...(place.endpoint !== undefined && { advertiseAddress: place.endpoint }),
      allowAnonymous: options.anonymousAuth ?? true,
      tls: {
        cert: pki.server.cert,
        key: pki.server.key,
        clientCa: pki.authority.cert,
        frontProxyCa: pki.frontProxy.authority.cert,
      },
    });
    const url = serverUrl(place.host, actual);
    const access = { server: url, authority: pki.authority, client: pki.admin };
    const kubeconfig = kubeconfigText(kubeconfigEntries({ name: options.name, ...access }));
    const kubeconfigPath = await home?.publish(access);
    if (acceptsNodes) {
      progress('preparing for nodes');
      const forNodes = { server: serverUrl(place.forNodes, actual), authority: pki.authority.cert };
      await publishJoinObjects(server.transport(), forNodes, { clock, random });
    }
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

/** Usage is simulated, but where real nodes may join those are asked. */
function resourceMetrics(
  { nodes = 0, acceptsNodes = false }: StartClusterOptions,
  server: () => ApiServer | undefined,
): NonNullable<ApiServerOptions['resourceMetrics']> {
  if (!acceptsNodes) return {};
  const simulated = typeof nodes === 'number' ? simulatedNodes(nodes) : nodes;
  return {
    readKubelet: readKubeletVia(() => server()?.transport(), new Set(simulated.map(({ name }) => name))),
  };
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
