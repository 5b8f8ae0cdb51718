// Our API server and simulated nodes with everybody else real: kube-controller-manager, kube-scheduler and
// metrics-server of their published releases. They do their work, and have nothing to complain about.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { issueCertificate, realClock, systemRandom } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { createClient } from '@windlass/client';
import { type RunningCluster, startCluster } from '@windlass/cluster';
import { addKubelet, type Kubelet } from '@windlass/kubelet';
import { Manager } from '@windlass/runtime';
import { startRealControllerManager } from './harness/controller-manager.ts';
import { freePorts } from './harness/free-ports.ts';
import { ensureGoTool } from './harness/go-tool.ts';
import { run } from './harness/needs.ts';
import { startRealScheduler } from './harness/scheduler.ts';
import { ServerProcess } from './harness/server-process.ts';
import { prepareAggregatedServer, registerServer, servingFlags } from './support/aggregated-server.ts';

const NODES = 3;
const log = (line: string): void => console.error(line);
/** The last to be used is the first to go. */
const stack = new AsyncDisposableStack();
const logFiles = new Map<string, string>();
let folder: string;
let cluster: RunningCluster;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-real-managers-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  cluster = stack.use(
    await startCluster({ dataDir: folder, inMemory: true, port: 0, namespaceDefaults: false }),
  );
  const pki = join(folder, 'pki');
  const read = (name: string): Promise<string> => readFile(join(pki, name), 'utf8');
  const authority = { cert: await read('ca.crt'), key: await read('ca.key') };
  const issuer = { clock: realClock, random: systemRandom };
  const access = {
    kubeconfigPath: cluster.kubeconfigPath ?? '',
    ca: authority.cert,
    caFile: join(pki, 'ca.crt'),
    serviceAccountKeyFile: join(pki, 'sa.key'),
    admin: issueCertificate(
      { commonName: 'admin', organizations: ['system:masters'], usage: 'client', validDays: 1 },
      issuer,
      authority,
    ),
  };
  const signing = [
    `--cluster-signing-cert-file=${access.caFile}`,
    `--cluster-signing-key-file=${join(pki, 'ca.key')}`,
  ];
  const leading = ['--leader-elect=true', '--use-service-account-credentials=true'];
  const manager = stack.use(
    await startRealControllerManager(access, { args: [...signing, ...leading], log }),
  );
  logFiles.set('kube-controller-manager', manager.logFile);
  const scheduler = stack.use(await startRealScheduler(access, log));
  logFiles.set('kube-scheduler', scheduler.logFile);
  const kubelet = await startNodes(authority);
  await startMetricsServer(kubelet, pki);
});

after(() => stack.disposeAsync());

async function startNodes(authority: { readonly cert: string; readonly key: string }): Promise<Kubelet> {
  const issuer = { clock: realClock, random: systemRandom };
  const agents = new Manager({ transport: cluster.transport(), clientOptions: { fieldManager: 'kubelet' } });
  const kubelet = addKubelet(agents, {
    nodes: Array.from({ length: NODES }, (_, index) => ({ name: `node-${index + 1}` })),
    serving: {
      clientAuthority: authority.cert,
      certificateFor: ({ name, address }) =>
        issueCertificate(
          { commonName: `system:node:${name}`, usage: 'server', hosts: [name, address], validDays: 1 },
          issuer,
          authority,
        ),
    },
  });
  stack.defer(async () => {
    await kubelet.stopServing();
    await agents.stop();
  });
  await agents.start();
  await kubelet.registered;
  return kubelet;
}

/** The addresses of simulated nodes are known within this process only: a proxy leads to them. */
async function nodeProxy(kubelet: Kubelet): Promise<number> {
  const server: Server = createServer();
  server.on('connect', (request, socket) => {
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const node = kubelet.connect(host, Number(port));
    if (node === undefined) return socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    socket.on('error', () => node.destroy());
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    return node.pipe(socket).pipe(node);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  // A TCP server's address is an object.
  return (server.address() as AddressInfo).port;
}

async function startMetricsServer(kubelet: Kubelet, pki: string): Promise<void> {
  const program = await ensureGoTool({
    folder: 'metrics-server',
    module: 'sigs.k8s.io/metrics-server',
    package: 'sigs.k8s.io/metrics-server/cmd/metrics-server',
  });
  const reads = ['get', 'list', 'watch'];
  const names = { namespace: 'monitoring', name: 'metrics-server' };
  const files = await prepareAggregatedServer(cluster, {
    ...names,
    folder: join(folder, 'metrics'),
    rules: [
      { apiGroups: [''], resources: ['nodes/metrics'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods', 'nodes'], verbs: reads },
    ],
  });
  const [port = 0] = await freePorts(1);
  const logFile = join(folder, 'metrics-server.log');
  logFiles.set('metrics-server', logFile);
  const server = new ServerProcess({
    name: 'metrics-server',
    program,
    args: [
      ...servingFlags(files, port),
      `--kubelet-certificate-authority=${join(pki, 'ca.crt')}`,
      `--kubelet-client-certificate=${join(pki, 'apiserver-kubelet-client.crt')}`,
      `--kubelet-client-key=${join(pki, 'apiserver-kubelet-client.key')}`,
      '--kubelet-preferred-address-types=InternalIP',
      '--kubelet-use-node-status-port',
      '--kubelet-request-timeout=5s',
      '--metric-resolution=10s',
    ],
    logFile,
    env: {
      ...process.env,
      HTTPS_PROXY: `http://127.0.0.1:${await nodeProxy(kubelet)}`,
      NO_PROXY: '127.0.0.1',
    },
    isReady: async () => (await readFile(logFile, 'utf8')).includes('Serving securely'),
  });
  stack.use(server);
  await server.start();
  const client = createClient({ transport: cluster.transport() });
  await registerServer(client, {
    ...names,
    port,
    group: 'metrics.k8s.io',
    versions: ['v1beta1'],
    caBundle: files.caBundle,
  });
  await client.close();
}

async function kubectl(args: readonly string[], stdin = ''): Promise<string> {
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfigPath, HOME: folder };
  const call = run('kubectl', [...args], { env });
  call.child.stdin?.end(stdin);
  return (await call).stdout;
}

const LABELS = { app: 'web' };
const template = (command?: readonly string[]): object => ({
  metadata: { labels: LABELS },
  spec: {
    containers: [
      {
        name: 'main',
        image: 'web:1',
        resources: { requests: { cpu: '100m', memory: '32Mi' } },
        ...(command && { command }),
      },
    ],
  },
});
const OBJECTS = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 4, selector: { matchLabels: LABELS }, template: template() },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'data' },
    spec: {
      replicas: 2,
      serviceName: 'data',
      selector: { matchLabels: LABELS },
      template: template(),
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: { selector: { matchLabels: LABELS }, template: template() },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'once' },
    spec: {
      completions: 2,
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'job:1', command: ['true'] }] },
      },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: LABELS, ports: [{ port: 80 }] },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: 1, selector: { matchLabels: LABELS } },
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'pods' },
    spec: { hard: { pods: '50' } },
  },
];

test('workloads run: the real controllers make pods, the real scheduler places them', async () => {
  await until('the service account is there', async () => {
    await kubectl(['get', 'serviceaccount', 'default']);
    return true;
  });
  await kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: OBJECTS }));
  for (const name of ['deployment/web', 'statefulset/data', 'daemonset/agent'])
    await kubectl(['rollout', 'status', name, '--timeout=60s']);
  await kubectl(['wait', '--for=condition=complete', 'job/once', '--timeout=60s']);
  const nodes = await kubectl(['get', 'pods', '-l', 'app=web', '-o', 'jsonpath={.items[*].spec.nodeName}']);
  assert.equal(new Set(nodes.split(' ')).size, NODES);
  const slice = ['get', 'endpointslices', '-l', 'kubernetes.io/service-name=web', '-o', 'json'];
  await until('the service has endpoints', async () => (await kubectl(slice)).includes('"ready": true'));
});

test('the autoscaler scales by what metrics-server measures at our nodes', async () => {
  await until(
    'metrics are there',
    () => kubectl(['top', 'nodes']),
    (text) => /node-3 +\d+m/.test(text),
  );
  // Every simulated container takes 100m, which is all that it asks for.
  await kubectl(['autoscale', 'deployment', 'web', '--cpu-percent=50', '--min=1', '--max=6']);
  await until(
    'there are more',
    () => kubectl(['get', 'deployment', 'web', '-o', 'jsonpath={.spec.replicas}']),
    (count) => count === '6',
  );
});

test('they update, scale, evict, expire and clean up', async () => {
  await kubectl(['delete', 'hpa', 'web']);
  await kubectl(['set', 'image', 'deployment/web', 'main=web:2']);
  await kubectl(['rollout', 'status', 'deployment/web', '--timeout=60s']);
  await kubectl(['drain', 'node-1', '--ignore-daemonsets', '--force', '--timeout=60s']);
  await kubectl(['rollout', 'status', 'deployment/web', '--timeout=60s']);
  await kubectl(['uncordon', 'node-1']);
  await kubectl(['create', 'namespace', 'gone']);
  await kubectl(['create', '-n', 'gone', '-f', '-'], JSON.stringify(OBJECTS[0]));
  await kubectl(['rollout', 'status', '-n', 'gone', 'deployment/web', '--timeout=60s']);
  await kubectl(['delete', 'namespace', 'gone', '--timeout=60s']);
  await kubectl([
    'delete',
    'deployment/web',
    'statefulset/data',
    'job/once',
    '--cascade=foreground',
    '--timeout=60s',
  ]);
  const left = [
    'get',
    'pods',
    '-l',
    'app=web',
    '-o',
    'jsonpath={.items[*].metadata.ownerReferences[0].kind}',
  ];
  await until(
    'only the pods of the daemon set are left',
    () => kubectl(left),
    (kinds) => kinds === 'DaemonSet '.repeat(NODES).trim(),
  );
});

/** What they log as errors whoever serves them. */
const USUAL = [
  // Two of them wrote the same object. The second tries again.
  /the object has been modified; please apply your changes to the latest version and try again/,
  // Their caches were behind their own writes. They look again.
  /read version: \d+ is not as new as written version: \d+ for group resource/,
  // Said of their own flags, before they know of a server.
  /options\.go:\d+\] The manifest file is empty, ignoring\.$/,
];

test('their logs have no error that a real server would not have caused', async () => {
  const lines: string[] = [];
  for (const [name, file] of logFiles)
    for (const line of (await readFile(file, 'utf8')).split('\n'))
      if (/^[EF]\d{4} /.test(line) && !USUAL.some((usual) => usual.test(line)))
        lines.push(`${name}: ${line}`);
  assert.deepEqual(lines, []);
});
