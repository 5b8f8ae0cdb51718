// Horizontal pod autoscalers, as one sees them through the API. Metrics of pods are objects of a custom
// resource under the name of the metrics API, which is enough for a client; other metrics are answered in
// front of the server.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiRequest, findCondition, formatTime, type Transport } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { Deployment, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import { HorizontalPodAutoscaler, type MetricSpec } from '@windlass/apimachinery/api/autoscaling/v2';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import type { TestCluster } from '@windlass/cluster/testing';
import { eventsOf } from '@windlass/cluster/testing/objects';
import { addControllers } from '../controllers.ts';
import {
  deployment,
  labels,
  podsOf,
  runPods,
  startControllers,
  template,
} from '../testing/controlled-cluster.ts';

const AUTOSCALING = ['horizontalpodautoscaling', 'deployment', 'replicaset', 'statefulset'];
const PERIOD = 15_000;

const METRICS: CustomResourceDefinition = {
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
};

const autoscalers = (cluster: TestCluster) =>
  cluster.client.resource(HorizontalPodAutoscaler).namespace('default');
const deployments = (cluster: TestCluster) => cluster.client.resource(Deployment).namespace('default');
const web = (replicas: number): Deployment => {
  const { metadata, spec } = template(labels);
  return deployment('web', replicas, {
    template: {
      ...(metadata !== undefined && { metadata }),
      spec: {
        ...spec,
        containers: [{ name: 'main', image: 'web:1', resources: { requests: { cpu: '1', memory: '1Gi' } } }],
      },
    },
  });
};
const cpu = (averageUtilization: number): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const autoscaler = (
  metrics: readonly MetricSpec[],
  more: Partial<HorizontalPodAutoscaler['spec']> = {},
): HorizontalPodAutoscaler => ({
  metadata: { name: 'web' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 1,
    maxReplicas: 10,
    metrics: [...metrics],
    ...more,
  },
});

/** As the metrics server would report it. Pods without a value are not in the report. */
async function report(cluster: TestCluster, usage: (at: number) => Record<string, string>): Promise<void> {
  const metrics = cluster.client
    .resource({ group: 'metrics.k8s.io', version: 'v1beta1', plural: 'pods' })
    .namespace('default');
  for (const { metadata } of (await metrics.list()).items) await metrics.delete(metadata.name);
  for (const [at, { metadata }] of (await podsOf(cluster)).entries())
    await metrics.create({
      apiVersion: 'metrics.k8s.io/v1beta1',
      kind: 'PodMetrics',
      metadata: { name: metadata?.name ?? '', labels: metadata?.labels ?? {} },
      timestamp: formatTime(cluster.clock.now()),
      window: '30s',
      containers: [{ name: 'main', usage: usage(at) }],
    });
}

/** Pods run, and have done so for a while. */
async function running(cluster: TestCluster): Promise<void> {
  await runPods(cluster);
  for (const pod of await podsOf(cluster))
    await cluster.client
      .resource(Pod)
      .namespace('default')
      .status.patch(pod.metadata?.name ?? '', {
        status: { startTime: formatTime(cluster.clock.now() - 3_600_000) },
      });
  await cluster.settled();
}

const replicas = async (cluster: TestCluster): Promise<number | undefined> =>
  (await deployments(cluster).get('web')).spec?.replicas;
const stateOf = async (cluster: TestCluster, type: string): Promise<string> => {
  const { status } = await autoscalers(cluster).get('web');
  const condition = findCondition(status?.conditions, type);
  return `${condition?.status} ${condition?.reason}`;
};

describe('an autoscaler', () => {
  it('gives more to what is busy, and takes away after five quiet minutes', async () => {
    await using test = await startControllers(AUTOSCALING, { definitions: [METRICS] });
    const { cluster } = test;
    await deployments(cluster).create(web(2));
    await running(cluster);
    await autoscalers(cluster).create(autoscaler([cpu(50)]));
    await report(cluster, () => ({ cpu: '900m' }));
    await cluster.advance(PERIOD - 1);
    assert.equal(await replicas(cluster), 2, 'it waits a moment');
    await cluster.advance(1);
    assert.equal(await replicas(cluster), 4);
    const { status } = await autoscalers(cluster).get('web');
    assert.deepEqual(
      [status?.currentReplicas, status?.desiredReplicas, status?.lastScaleTime],
      [2, 4, formatTime(cluster.clock.now())],
    );
    assert.deepEqual(status?.currentMetrics, [
      {
        type: 'Resource',
        resource: { name: 'cpu', current: { averageUtilization: 90, averageValue: '900m' } },
      },
    ]);
    assert.deepEqual(
      await Promise.all(['AbleToScale', 'ScalingActive', 'ScalingLimited'].map((of) => stateOf(cluster, of))),
      ['True SucceededRescale', 'True ValidMetricFound', 'False DesiredWithinRange'],
    );
    await running(cluster);
    await report(cluster, () => ({ cpu: '100m' }));
    await cluster.advance(PERIOD);
    assert.equal(await replicas(cluster), 4);
    assert.equal(await stateOf(cluster, 'AbleToScale'), 'True ScaleDownStabilized');
    await cluster.advance(300_000 + PERIOD);
    assert.equal(await replicas(cluster), 1);
    const events = await eventsOf(cluster, 'web');
    assert.ok(
      events.includes(
        'SuccessfulRescale: New size: 4; reason: cpu resource utilization (percentage of request) above target',
      ),
      events.join('\n'),
    );
    assert.ok(events.includes('SuccessfulRescale: New size: 1; reason: All metrics below target'));
  });

  it('stays within its limits, whatever metrics say', async () => {
    await using test = await startControllers(AUTOSCALING, { definitions: [METRICS] });
    const { cluster } = test;
    await deployments(cluster).create(web(12));
    await autoscalers(cluster).create(autoscaler([cpu(50)], { minReplicas: 3 }));
    await cluster.advance(PERIOD);
    assert.equal(await replicas(cluster), 10);
    await deployments(cluster).scale.set('web', 1);
    await cluster.advance(PERIOD);
    assert.equal(await replicas(cluster), 3);
    await deployments(cluster).scale.set('web', 0);
    await cluster.advance(PERIOD);
    assert.equal(await replicas(cluster), 0);
    assert.equal(await stateOf(cluster, 'ScalingActive'), 'False ScalingDisabled');
  });

  it('follows the metric that asks for most, and takes nothing away while one is silent', async () => {
    await using test = await startControllers(AUTOSCALING, { definitions: [METRICS] });
    const { cluster } = test;
    await deployments(cluster).create(web(4));
    await running(cluster);
    const memory: MetricSpec = {
      type: 'Resource',
      resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } },
    };
    const behavior = { scaleDown: { stabilizationWindowSeconds: 0 } };
    await autoscalers(cluster).create(autoscaler([cpu(50), memory], { behavior }));
    await report(cluster, () => ({ cpu: '100m' }));
    await cluster.advance(PERIOD);
    assert.equal(await replicas(cluster), 4, 'of memory nothing is known');
    assert.equal(await stateOf(cluster, 'ScalingActive'), 'False FailedGetResourceMetric');
    await report(cluster, () => ({ cpu: '100m', memory: '150Mi' }));
    await cluster.advance(PERIOD);
    assert.equal(await replicas(cluster), 6);
    const { status } = await autoscalers(cluster).get('web');
    assert.deepEqual(
      status?.currentMetrics?.map(({ resource }) => resource?.current),
      [{ averageUtilization: 10, averageValue: '100m' }, { averageValue: '150Mi' }],
    );
  });

  it('keeps to its own rules', async () => {
    await using test = await startControllers(AUTOSCALING, { definitions: [METRICS] });
    const { cluster } = test;
    await deployments(cluster).create(web(5));
    await running(cluster);
    const policies = [{ type: 'Pods', value: 1, periodSeconds: 60 }];
    const behavior = { scaleDown: { stabilizationWindowSeconds: 0, policies } };
    await autoscalers(cluster).create(autoscaler([cpu(50)], { behavior }));
    await report(cluster, () => ({ cpu: '1m' }));
    await cluster.advance(PERIOD);
    assert.equal(await replicas(cluster), 4);
    assert.equal(await stateOf(cluster, 'ScalingLimited'), 'True ScaleDownLimit');
    await cluster.advance(2 * PERIOD);
    assert.equal(await replicas(cluster), 4);
    await cluster.advance(3 * PERIOD);
    assert.equal(await replicas(cluster), 3);
  });

  it('scales any kind that can be, by one container of each pod', async () => {
    await using test = await startControllers(AUTOSCALING, { definitions: [METRICS] });
    const { cluster } = test;
    const sets = cluster.client.resource(StatefulSet).namespace('default');
    const { metadata, spec } = web(1).spec?.template ?? {};
    await sets.create({
      metadata: { name: 'db' },
      spec: {
        replicas: 1,
        serviceName: 'db',
        selector: { matchLabels: labels },
        template: {
          ...(metadata !== undefined && { metadata }),
          ...(spec !== undefined && {
            spec: { ...spec, containers: [...spec.containers, { name: 'side', image: 'side:1' }] },
          }),
        },
      },
    });
    await running(cluster);
    const metric: MetricSpec = {
      type: 'ContainerResource',
      containerResource: {
        name: 'cpu',
        container: 'main',
        target: { type: 'Utilization', averageUtilization: 20 },
      },
    };
    await autoscalers(cluster).create(
      autoscaler([metric], { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db' } }),
    );
    await report(cluster, () => ({ cpu: '600m' }));
    await cluster.advance(PERIOD);
    assert.equal((await sets.get('db')).spec?.replicas, 3);
  });

  it('says what is wrong: no target, no metrics, pods that two of them pull at', async () => {
    await using test = await startControllers(AUTOSCALING, { definitions: [METRICS] });
    const { cluster } = test;
    await autoscalers(cluster).create(autoscaler([cpu(50)]));
    await cluster.advance(PERIOD);
    assert.equal(await stateOf(cluster, 'AbleToScale'), 'False FailedGetScale');
    await deployments(cluster).create(web(2));
    await running(cluster);
    await cluster.advance(PERIOD);
    assert.equal(await stateOf(cluster, 'AbleToScale'), 'True SucceededGetScale');
    assert.equal(await stateOf(cluster, 'ScalingActive'), 'False FailedGetResourceMetric');
    const events = await eventsOf(cluster, 'web');
    assert.ok(
      events.includes(
        'FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API',
      ),
      events.join('\n'),
    );
    await autoscalers(cluster).create({ ...autoscaler([cpu(50)]), metadata: { name: 'other' } });
    await cluster.advance(2 * PERIOD);
    assert.equal(await stateOf(cluster, 'ScalingActive'), 'False AmbiguousSelector');
    await autoscalers(cluster).delete('other');
    await report(cluster, () => ({ cpu: '500m' }));
    await cluster.advance(PERIOD);
    assert.equal(await stateOf(cluster, 'ScalingActive'), 'True ValidMetricFound');
  });
});

/** Answers for the APIs of custom and external metrics; everything else goes to the server. */
function adapter(
  values: Readonly<Record<string, readonly object[]>>,
  asked: string[],
): (inner: Transport) => Transport {
  return (inner) => ({
    request: async (request: ApiRequest) => {
      if (!/^\/apis\/(?:custom|external)\.metrics\.k8s\.io\//.test(request.path))
        return inner.request(request);
      asked.push(`${request.path} ${JSON.stringify(request.query ?? {})}`);
      const items = values[request.path];
      const headers = { 'content-type': 'application/json' };
      if (items !== undefined) return { status: 200, headers, body: { items } };
      const body = {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'NotFound',
        code: 404,
        message: 'nothing there',
      };
      return { status: 404, headers, body };
    },
    watch: (request) => inner.watch(request),
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  });
}

describe('metrics other than of resources', () => {
  const custom = '/apis/custom.metrics.k8s.io/v1beta1/namespaces/default';
  const external = '/apis/external.metrics.k8s.io/v1beta1/namespaces/default';
  const rows: [what: string, metric: MetricSpec, path: string, items: object[], expected: number][] = [
    [
      'of an object',
      {
        type: 'Object',
        object: {
          describedObject: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'front' },
          metric: { name: 'requests' },
          target: { type: 'Value', value: '100' },
        },
      },
      `${custom}/deployments.apps/front/requests`,
      [{ value: '140' }],
      3,
    ],
    [
      'of something outside',
      {
        type: 'External',
        external: {
          metric: { name: 'queue', selector: { matchLabels: { topic: 'x' } } },
          target: { type: 'AverageValue', averageValue: '30' },
        },
      },
      `${external}/queue`,
      [{ value: '50' }, { value: '70' }],
      4,
    ],
  ];
  for (const [what, metric, path, items, expected] of rows)
    it(what, async () => {
      await using test = await startControllers(['deployment', 'replicaset']);
      const { cluster } = test;
      const asked: string[] = [];
      const { manager } = cluster.manager({ through: adapter({ [path]: items }, asked) });
      addControllers(manager, { controllers: ['horizontalpodautoscaling'] });
      await manager.start();
      await deployments(cluster).create(web(2));
      await running(cluster);
      await autoscalers(cluster).create(autoscaler([metric]));
      await cluster.advance(PERIOD);
      assert.equal(await replicas(cluster), expected, asked.join('\n'));
    });

  it('of each pod', async () => {
    await using test = await startControllers(['deployment', 'replicaset']);
    const { cluster } = test;
    await deployments(cluster).create(web(2));
    await running(cluster);
    const items = (await podsOf(cluster)).map(({ metadata }) => ({
      describedObject: { name: metadata?.name },
      timestamp: formatTime(cluster.clock.now()),
      value: '15',
    }));
    const asked: string[] = [];
    const { manager } = cluster.manager({ through: adapter({ [`${custom}/pods/*/hits`]: items }, asked) });
    addControllers(manager, { controllers: ['horizontalpodautoscaling'] });
    await manager.start();
    const metric: MetricSpec = {
      type: 'Pods',
      pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '10' } },
    };
    await autoscalers(cluster).create(autoscaler([metric]));
    await cluster.advance(PERIOD);
    assert.equal(await replicas(cluster), 3, asked.join('\n'));
    const { status } = await autoscalers(cluster).get('web');
    assert.deepEqual(status?.currentMetrics, [
      { type: 'Pods', pods: { metric: { name: 'hits' }, current: { averageValue: '15' } } },
    ]);
  });
});
