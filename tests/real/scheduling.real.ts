// Our scheduler and our nodes against the real kube-apiserver, on a cluster of its own: it must accept all
// that they write, and pods must live as people expect, also when it dies and comes back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findCondition, isConditionTrue } from '@windlass/apimachinery';
import { Lease } from '@windlass/apimachinery/api/coordination/v1';
import { Node, Pod, type PodSpec, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import { PriorityClass } from '@windlass/apimachinery/api/scheduling/v1';
import { createLogger, memoryWriter } from '@windlass/base';
import { type Client, createClient, loadConfig } from '@windlass/client';
import { addKubelet } from '@windlass/kubelet';
import { Manager } from '@windlass/runtime';
import { admissionCheck, Scheduler } from '@windlass/scheduler';
import { type RealCluster, startRealCluster } from './harness/index.ts';
import { untilWatched } from './support/until-watched.ts';

let cluster: RealCluster;
let client: Client;
let manager: Manager;
const logged = memoryWriter();

const pods = () => client.resource(Pod).namespace('default');

before(async () => {
  cluster = await startRealCluster({ log: (line) => console.error(line) });
  const config = await loadConfig({ path: cluster.kubeconfigPath });
  client = createClient({ config });
  // What controllers would do is not here.
  await client
    .resource(ServiceAccount)
    .namespace('default')
    .create({ metadata: { name: 'default' } });
  await client.resource(PriorityClass).create({ metadata: { name: 'high' }, value: 1000 });
  manager = new Manager({ config, logger: createLogger(logged, 'warn') });
  await manager.add(new Scheduler(manager));
  const kubelet = addKubelet(manager, {
    nodes: ['n1', 'n2'].map((name) => ({ name, capacity: { cpu: '2' } })),
    admit: admissionCheck,
    heartbeatMs: 1000,
  });
  await manager.start();
  await kubelet.registered;
  for (const name of ['n1', 'n2'])
    await client.resource(Node).patch(name, { spec: { taints: [] } }, { type: 'merge' });
});

after(async () => {
  await manager.stop();
  await client.close();
  await cluster.stop();
});

async function run(
  name: string,
  spec: Partial<PodSpec> = {},
  annotations: Record<string, string> = {},
): Promise<void> {
  await pods().create({
    metadata: {
      name,
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [`simulation.windlass.dev/${key}`, value]),
      ),
    },
    spec: { containers: [{ name: 'main', image: 'nginx' }], ...spec },
  });
}

/** The first state of the pod for which it holds. */
async function until(name: string, holds: (pod: Pod) => boolean): Promise<Pod> {
  const pod = await untilWatched(pods(), name, (seen) => seen !== undefined && holds(seen));
  assert.ok(pod);
  return pod;
}

const untilGone = (name: string) => untilWatched(pods(), name, (seen) => seen === undefined);

const cpu = (amount: string): Partial<PodSpec> => ({
  containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: amount } } }],
});

test('a node has all that it said, and a lease', async () => {
  const node = await client.resource(Node).get('n1');
  assert.ok(isConditionTrue(node.status?.conditions, 'Ready'));
  assert.equal(node.status?.allocatable?.['cpu'], '2');
  assert.equal(node.spec?.podCIDR, '10.128.0.0/24');
  const lease = await client.resource(Lease).namespace('kube-node-lease').get('n1');
  assert.equal(lease.spec?.holderIdentity, 'n1');
});

test('a pod becomes ready and goes', async () => {
  await run('web');
  const { status } = await until('web', (pod) => isConditionTrue(pod.status?.conditions, 'Ready'));
  assert.equal(status?.phase, 'Running');
  assert.equal(status.containerStatuses?.[0]?.image, 'docker.io/library/nginx:latest');
  assert.match(status.podIP ?? '', /^10\.128\./);
  await pods().delete('web');
  await untilGone('web');
});

test('init containers, sidecars, probes and restarts are told in words that the server takes', async () => {
  await run(
    'app',
    {
      restartPolicy: 'OnFailure',
      initContainers: [
        { name: 'proxy', image: 'envoy', restartPolicy: 'Always', startupProbe: { tcpSocket: { port: 1 } } },
        { name: 'setup', image: 'busybox' },
      ],
      containers: [
        { name: 'main', image: 'nginx', readinessProbe: { httpGet: { port: 80 }, periodSeconds: 1 } },
      ],
    },
    { 'readiness-after.main': '1s', 'run-for.main': '2s', 'exit-code.main': '3', message: 'bye' },
  );
  await until('app', (pod) => isConditionTrue(pod.status?.conditions, 'Ready'));
  const { status } = await until('app', (pod) => (pod.status?.containerStatuses?.[0]?.restartCount ?? 0) > 0);
  assert.equal(status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode, 3);
  const looping = await until(
    'app',
    (pod) => pod.status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CrashLoopBackOff',
  );
  assert.equal(looping.status?.phase, 'Running');
  await pods().delete('app');
  await untilGone('app');
});

test('a pod that fits nowhere waits, and an important one makes room', async () => {
  await run('low-1', cpu('2'));
  await run('low-2', cpu('2'));
  await until('low-1', (pod) => pod.status?.phase === 'Running');
  await until('low-2', (pod) => pod.status?.phase === 'Running');
  await run('wait', cpu('2'));
  const waiting = await until(
    'wait',
    (pod) => findCondition(pod.status?.conditions, 'PodScheduled') !== undefined,
  );
  assert.equal(
    findCondition(waiting.status?.conditions, 'PodScheduled')?.message,
    '0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.',
  );
  await run('high', { ...cpu('2'), priorityClassName: 'high' });
  await until('high', (pod) => pod.status?.phase === 'Running');
  const left = (await pods().list()).items.map(({ metadata }) => metadata.name);
  assert.equal(left.filter((name) => name?.startsWith('low')).length, 1);
});

test('all goes on when the server was away', async () => {
  for (const { metadata } of (await pods().list()).items) await pods().delete(metadata.name);
  for (const name of ['low-1', 'low-2', 'wait', 'high']) await untilGone(name);
  await cluster.killApiServer();
  await cluster.restartApiServer();
  await run('later', cpu('1'));
  await until('later', (pod) => pod.status?.phase === 'Running');
});

test('the server refused nothing', () => {
  const refused = logged.records.filter(({ fields }) =>
    /422|Invalid|Forbidden/.test(String(fields['error'])),
  );
  assert.deepEqual(refused, []);
});
