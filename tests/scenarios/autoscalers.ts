// Horizontal pod autoscalers. Metrics of pods are objects of a custom resource under the name of the metrics
// API, which is enough for any controller manager.
import { findCondition, isAlreadyExists, isNotFound } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { HorizontalPodAutoscaler, type MetricSpec } from '@windlass/apimachinery/api/autoscaling/v2';
import { livePods, MAIN, of, type Scenario, scenario, template, untilIs, type World } from './scenario.ts';

const labels = { app: 'web' };
/** Late enough to be of a time when every pod was ready. */
const LATER = '2046-01-01T00:00:00Z';

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

const cpu: MetricSpec = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
};

async function web(world: World, replicas: number): Promise<void> {
  const { metadata = {}, spec } = template(labels);
  const containers = [{ ...MAIN, resources: { requests: { cpu: '100m' } } }];
  await of(world, Deployment).create({
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata, spec: { ...spec, containers } },
    },
  });
  await untilIs(world, Deployment, 'web', 'ready', ({ status }) => status?.readyReplicas === replicas);
}

async function autoscale(world: World, more: Partial<HorizontalPodAutoscaler['spec']> = {}): Promise<void> {
  await of(world, HorizontalPodAutoscaler).create({
    metadata: { name: 'web' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 1,
      maxReplicas: 5,
      metrics: [cpu],
      ...more,
    },
  });
}

/** What every pod that there is uses. */
async function report(world: World, usage: Record<string, string>): Promise<void> {
  try {
    await world.client.resource(CustomResourceDefinition).create(METRICS);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const metrics = world.client
    .resource({ group: 'metrics.k8s.io', version: 'v1beta1', plural: 'pods' })
    .namespace(world.namespace);
  for (const { metadata } of await livePods(world))
    await world.until('the metrics are taken', async () => {
      try {
        await metrics.create({
          apiVersion: 'metrics.k8s.io/v1beta1',
          kind: 'PodMetrics',
          metadata: { name: metadata?.name ?? '', labels },
          timestamp: LATER,
          window: '30s',
          containers: [{ name: 'main', usage }],
        });
        return true;
      } catch (error) {
        if (isAlreadyExists(error)) return true;
        // It is served a moment after it was made.
        if (isNotFound(error) || String(error).includes('metrics.k8s.io')) return String(error);
        throw error;
      }
    });
}

const settledAt = (world: World, replicas: number, reason: string) =>
  untilIs(
    world,
    HorizontalPodAutoscaler,
    'web',
    `${reason} at ${replicas}`,
    ({ status }) =>
      status?.currentReplicas === replicas &&
      findCondition(status.conditions, 'AbleToScale')?.reason === reason,
  );

export const autoscalers: readonly Scenario[] = [
  scenario('an autoscaler gives more to what is busy', async (world) => {
    await web(world, 2);
    await report(world, { cpu: '90m' });
    await autoscale(world);
    await untilIs(world, Deployment, 'web', 'bigger', ({ spec }) => spec?.replicas === 4);
    await settledAt(world, 4, 'ReadyForNewScale');
  }),
  scenario('an autoscaler does not go beyond its limits', async (world) => {
    await web(world, 3);
    await report(world, { cpu: '90m' });
    await autoscale(world, { maxReplicas: 2 });
    await untilIs(world, Deployment, 'web', 'smaller', ({ spec }) => spec?.replicas === 2);
    await settledAt(world, 2, 'ReadyForNewScale');
  }),
  scenario('an autoscaler keeps to its own rules', async (world) => {
    await web(world, 4);
    await report(world, { cpu: '1m' });
    const policies = [{ type: 'Pods', value: 1, periodSeconds: 1800 }];
    await autoscale(world, {
      behavior: { scaleDown: { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies } },
    });
    await untilIs(world, Deployment, 'web', 'smaller', ({ spec }) => spec?.replicas === 3);
    await settledAt(world, 3, 'ReadyForNewScale');
  }),
  scenario(
    'an autoscaler says that nothing is measured, and that there is nothing to scale',
    async (world) => {
      await autoscale(world);
      await untilIs(
        world,
        HorizontalPodAutoscaler,
        'web',
        'without a target',
        ({ status }) => findCondition(status?.conditions, 'AbleToScale')?.reason === 'FailedGetScale',
      );
      await report(world, {});
      await web(world, 1);
      await untilIs(
        world,
        HorizontalPodAutoscaler,
        'web',
        'without metrics',
        ({ status }) =>
          findCondition(status?.conditions, 'ScalingActive')?.reason === 'FailedGetResourceMetric',
      );
    },
  ),
];
