// Daemon sets, cron jobs, quotas, autoscalers and mirrored endpoints on a real kube-apiserver. Nothing runs
// pods there, so the test says of each what a node would say.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { controllerOf, findCondition, formatTime, isNotFound } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { ControllerRevision, DaemonSet, Deployment } from '@windlass/apimachinery/api/apps/v1';
import { HorizontalPodAutoscaler } from '@windlass/apimachinery/api/autoscaling/v2';
import { CronJob, Job } from '@windlass/apimachinery/api/batch/v1';
import {
  Endpoints,
  Event,
  Namespace,
  Node,
  Pod,
  ResourceQuota,
  Service,
} from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { realClock } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient, loadConfig, retryOnConflict } from '@windlass/client';
import { addControllers } from '@windlass/controllers';
import { Manager } from '@windlass/runtime';
import { type RealCluster, startRealCluster } from './harness/index.ts';

const NAMESPACE = 'workloads';
const CONTROLLERS = [
  'cronjob',
  'daemonset',
  'deployment',
  'endpointslice',
  'endpointslicemirroring',
  'garbagecollector',
  'horizontalpodautoscaling',
  'job',
  'replicaset',
  'resourcequota',
  'ttl',
];

let cluster: RealCluster;
let client: Client;
let manager: Manager;

before(async () => {
  cluster = await startRealCluster();
  const config = await loadConfig({ path: cluster.kubeconfigPath });
  client = createClient({ config });
  await client.resource(Namespace).create({ metadata: { name: NAMESPACE } });
  for (const name of ['a', 'b']) await addNode(name);
  manager = new Manager({ config, clientOptions: { fieldManager: 'kube-controller-manager' } });
  addControllers(manager, { controllers: CONTROLLERS });
  await manager.start();
});
after(async () => {
  await manager.stop();
  await client.close();
  await cluster.stop();
});

async function addNode(name: string): Promise<void> {
  const nodes = client.resource(Node);
  await nodes.create({ metadata: { name, labels: { 'topology.kubernetes.io/zone': `z-${name}` } } });
  // What admission puts there until somebody says that the node is ready.
  await nodes.patch(name, { spec: { taints: null } }, { type: 'merge' });
}

const sets = () => client.resource(DaemonSet).namespace(NAMESPACE);
const pods = () => client.resource(Pod).namespace(NAMESPACE);
const template = (app: string, image: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image, resources: { requests: { cpu: '1' } } }] },
});
const nodeOf = ({ spec }: Pod): string | undefined =>
  spec?.nodeName ??
  spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms[0]
    ?.matchFields?.[0]?.values?.[0];

async function podsOf(app: string): Promise<Pod[]> {
  const { items } = await pods().list({ labelSelector: `app=${app}` });
  return items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
}

async function runPods(app: string): Promise<void> {
  for (const { metadata, status } of await podsOf(app)) {
    if (status?.phase === 'Running') continue;
    const name = metadata?.name ?? '';
    try {
      await retryOnConflict(async () => {
        const pod = await pods().get(name);
        const lastTransitionTime = formatTime(realClock.now() - 600_000);
        await pods().status.replace({
          ...pod,
          status: {
            ...pod.status,
            phase: 'Running',
            startTime: lastTransitionTime,
            conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }],
          },
        });
      });
    } catch (error) {
      // It went meanwhile.
      if (!isNotFound(error)) throw error;
    }
  }
}

const runsOn =
  (image: string, ...names: readonly string[]) =>
  async (): Promise<unknown> => {
    await runPods('agent');
    const seen = (await podsOf('agent'))
      .map((pod) => `${nodeOf(pod)} ${pod.spec?.containers[0]?.image}`)
      .toSorted();
    const { metadata, status } = await sets().get('agent');
    const isOver =
      status?.observedGeneration === metadata?.generation &&
      status?.updatedNumberScheduled === names.length &&
      status.numberAvailable === names.length;
    return (isOver && seen.join() === names.map((name) => `${name} ${image}`).join()) || { seen, status };
  };

test('a daemon set runs on each node, is updated and undone', async () => {
  await sets().create({
    metadata: { name: 'agent' },
    spec: { selector: { matchLabels: { app: 'agent' } }, template: template('agent', 'agent:1') },
  });
  await until('it runs on both nodes', runsOn('agent:1', 'a', 'b'));
  const revisions = client.resource(ControllerRevision).namespace(NAMESPACE);
  const [first] = (await revisions.list()).items;
  const [pod] = await podsOf('agent');
  assert.equal(first?.metadata.name, `agent-${pod?.metadata?.labels?.['controller-revision-hash']}`);
  await addNode('c');
  await until('it runs on the new node', runsOn('agent:1', 'a', 'b', 'c'));
  await sets().patch('agent', { spec: { template: template('agent', 'agent:2') } });
  await until('it runs the new image', runsOn('agent:2', 'a', 'b', 'c'));
  // As `kubectl rollout undo` does: what the revision holds is a patch.
  await sets().patch('agent', (first?.data ?? {}) as object, { type: 'strategic' });
  await until('it runs the old image again', runsOn('agent:1', 'a', 'b', 'c'));
  assert.equal((await revisions.get(first?.metadata.name)).revision, 3);
  await client.resource(Node).patch('c', { spec: { taints: [{ key: 'x', effect: 'NoExecute' }] } });
  await until('it leaves a node that drives it away', runsOn('agent:1', 'a', 'b'));
  await sets().delete('agent', { propagationPolicy: 'Foreground' });
  await until('it is gone', async () => {
    const { items } = await sets().list();
    return items.length === 0 || items;
  });
  assert.deepEqual(await podsOf('agent'), []);
  assert.deepEqual((await revisions.list()).items, []);
});

test('a daemon set surges when it is told to', async () => {
  await client.resource(Node).delete('c');
  await sets().create({
    metadata: { name: 'agent' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: template('agent', 'agent:1'),
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    },
  });
  await until('it runs on both nodes', runsOn('agent:1', 'a', 'b'));
  await sets().patch('agent', { spec: { template: template('agent', 'agent:2') } });
  await until('the new one comes beside the old one', async () => {
    const seen = (await podsOf('agent')).map((pod) => pod.spec?.containers[0]?.image ?? '').toSorted();
    return seen.join() === 'agent:1,agent:1,agent:2' || seen;
  });
  await until('it runs the new image', runsOn('agent:2', 'a', 'b'));
  await sets().delete('agent', { propagationPolicy: 'Background' });
});

test('a cron job starts a job when it is time, and follows it to its end', async () => {
  const cronJobs = client.resource(CronJob).namespace(NAMESPACE);
  const jobs = client.resource(Job).namespace(NAMESPACE);
  const made = await cronJobs.create({
    metadata: { name: 'tick' },
    spec: {
      schedule: '@every 5s',
      concurrencyPolicy: 'Forbid',
      jobTemplate: {
        spec: { template: { spec: { ...template('tick', 'tick:1').spec, restartPolicy: 'Never' } } },
      },
    },
  });
  let name = '';
  await until('a job is there, and listed', async () => {
    const { status } = await cronJobs.get('tick');
    name = status?.active?.[0]?.name ?? '';
    return name !== '' || status;
  });
  const job = await jobs.get(name);
  assert.equal(controllerOf(job)?.uid, made.metadata.uid);
  const { lastScheduleTime } = (await cronJobs.get('tick')).status ?? {};
  assert.equal(
    job.metadata?.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'],
    lastScheduleTime,
  );
  await cronJobs.patch('tick', { spec: { suspend: true } });
  await until('it has succeeded', async () => {
    for (const pod of (await pods().list({ labelSelector: `job-name=${name}` })).items)
      if (pod.status?.phase === 'Pending')
        await pods().status.patch(pod.metadata.name, { status: { phase: 'Succeeded' } });
    const { status } = await cronJobs.get('tick');
    return (status?.active === undefined && status?.lastSuccessfulTime !== undefined) || status;
  });
  await assert.rejects(
    cronJobs.patch('tick', { spec: { schedule: 'TZ=UTC * * * * *' } }),
    /cannot use TZ or CRON_TZ in schedule/,
  );
  await cronJobs.delete('tick', { propagationPolicy: 'Background' });
});

test('a quota is counted again when something goes', async () => {
  const quotas = client.resource(ResourceQuota).namespace(NAMESPACE);
  await quotas.create({
    metadata: { name: 'q' },
    spec: { hard: { 'requests.cpu': '2', 'count/deployments.apps': '5', secrets: '9' } },
  });
  const used = (expected: Record<string, string>) => async (): Promise<unknown> => {
    const { status } = await quotas.get('q');
    const seen = Object.entries(expected).map(([name, value]) => status?.used?.[name] === value);
    return seen.every(Boolean) || status;
  };
  await until('it knows that there is nothing', used({ 'requests.cpu': '0', 'count/deployments.apps': '0' }));
  const { spec } = template('busy', 'x');
  await pods().create({ metadata: { name: 'busy-1', labels: { app: 'busy' } }, spec });
  await pods().create({ metadata: { name: 'busy-2', labels: { app: 'busy' } }, spec });
  await assert.rejects(
    pods().create({ metadata: { name: 'busy-3', labels: { app: 'busy' } }, spec }),
    /exceeded quota: q/,
  );
  await until('both count', used({ 'requests.cpu': '2' }));
  await pods().delete('busy-1', { gracePeriodSeconds: 0 });
  await pods().status.patch('busy-2', { status: { phase: 'Failed' } });
  await until('neither counts any more', used({ 'requests.cpu': '0' }));
  await pods().delete('busy-2', { gracePeriodSeconds: 0 });
  await quotas.delete('q');
});

test('Endpoints that somebody writes are mirrored, and hints follow the service', async () => {
  const services = client.resource(Service).namespace(NAMESPACE);
  const slices = client.resource(EndpointSlice).namespace(NAMESPACE);
  const endpoints = client.resource(Endpoints).namespace(NAMESPACE);
  const has =
    (service: string, ...addresses: readonly string[]) =>
    async (): Promise<unknown> => {
      const { items } = await slices.list({ labelSelector: `kubernetes.io/service-name=${service}` });
      const seen = items.flatMap((slice) => (slice.endpoints ?? []).flatMap((one) => one.addresses));
      return seen.toSorted().join() === addresses.join() || items;
    };
  const subsets = (...ips: readonly string[]) => [
    { addresses: ips.map((ip) => ({ ip })), ports: [{ port: 5432 }] },
  ];
  await services.create({ metadata: { name: 'db' }, spec: { ports: [{ port: 5432 }] } });
  await endpoints.create({ metadata: { name: 'db' }, subsets: subsets('10.1.2.3') });
  await until('they are mirrored', has('db', '10.1.2.3'));
  await endpoints.replace({ metadata: { name: 'db' }, subsets: subsets('10.1.2.4', 'fd00::1') });
  await until('both types of address are', has('db', '10.1.2.4', 'fd00::1'));
  await endpoints.delete('db');
  await until('they are gone', has('db'));
  await services.create({
    metadata: { name: 'close' },
    spec: { selector: { app: 'close' }, ports: [{ port: 80 }], trafficDistribution: 'PreferSameZone' },
  });
  await pods().create({
    metadata: { name: 'close', labels: { app: 'close' } },
    spec: { ...template('close', 'x').spec, nodeName: 'a' },
  });
  const ip = '10.9.0.7';
  await runPods('close');
  await pods().status.patch('close', { status: { podIP: ip, podIPs: [{ ip }] } });
  await until('the endpoint is for its zone', async () => {
    const { items } = await slices.list({ labelSelector: 'kubernetes.io/service-name=close' });
    const [endpoint] = items.flatMap((slice) => slice.endpoints ?? []);
    return endpoint?.hints?.forZones?.[0]?.name === 'z-a' || items;
  });
  await pods().delete('close', { gracePeriodSeconds: 0 });
});

test('an autoscaler follows what pods use', async () => {
  await client.resource(CustomResourceDefinition).create({
    metadata: {
      name: 'pods.metrics.k8s.io',
      annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' },
    },
    spec: {
      group: 'metrics.k8s.io',
      names: { plural: 'pods', singular: 'podmetrics', kind: 'PodMetrics', listKind: 'PodMetricsList' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1beta1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });
  const deployments = client.resource(Deployment).namespace(NAMESPACE);
  const autoscalers = client.resource(HorizontalPodAutoscaler).namespace(NAMESPACE);
  await deployments.create({
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template('web', 'web:1') },
  });
  await until('both run', async () => {
    await runPods('web');
    const { status } = await deployments.get('web');
    return status?.readyReplicas === 2 || status;
  });
  await autoscalers.create({
    metadata: { name: 'web' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      maxReplicas: 5,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
        },
      ],
    },
  });
  const metrics = client
    .resource({ group: 'metrics.k8s.io', version: 'v1beta1', plural: 'pods' })
    .namespace(NAMESPACE);
  for (const { metadata } of await podsOf('web')) {
    await until('the metrics API takes it', async () => {
      try {
        await metrics.create({
          apiVersion: 'metrics.k8s.io/v1beta1',
          kind: 'PodMetrics',
          metadata: { name: metadata?.name ?? '', labels: { app: 'web' } },
          timestamp: formatTime(realClock.now()),
          window: '30s',
          containers: [{ name: 'main', usage: { cpu: '800m' } }],
        });
        return true;
      } catch (error) {
        return String(error);
      }
    });
  }
  await until('there are more of them', async () => {
    const { spec } = await deployments.get('web');
    const { status } = await autoscalers.get('web');
    return spec?.replicas === 4 || status;
  });
  const { status } = await autoscalers.get('web');
  assert.equal(status?.currentMetrics?.[0]?.resource?.current.averageUtilization, 80);
  assert.equal(findCondition(status?.conditions, 'ScalingActive')?.status, 'True');
  const { items } = await client.resource(Event).namespace(NAMESPACE).list();
  assert.ok(
    items.some(
      ({ reason, message }) => reason === 'SuccessfulRescale' && message?.startsWith('New size: 4;'),
    ),
  );
});

test('every node is told how long it may keep what it reads', async () => {
  const { items } = await client.resource(Node).list();
  for (const { metadata } of items)
    assert.equal(metadata?.annotations?.['node.alpha.kubernetes.io/ttl'], '0', metadata.name);
});
