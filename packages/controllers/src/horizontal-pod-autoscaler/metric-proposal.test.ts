import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { selectorFromObject } from '@windlass/apimachinery';
import type { MetricSpec, MetricStatus } from '@windlass/apimachinery/api/autoscaling/v2';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { DEFAULT_AUTOSCALER } from '../options/autoscaler-options.ts';
import { proposeFor } from './metric-proposal.ts';
import type { MetricsReader, PodMetrics } from './metrics-reader.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const HOURS_AGO = '2026-01-01T06:00:00Z';
const [metric, describedObject] = [
  { name: 'queue', selector: { matchLabels: { a: 'b' } } },
  { apiVersion: 'v1', kind: 'Service', name: 's' },
];
const pods = ['a', 'b'].map((name) =>
  served(Pod, {
    metadata: { name },
    spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] },
    status: {
      phase: 'Running',
      startTime: HOURS_AGO,
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: HOURS_AGO }],
    },
  }),
);
/** Each pod has 800 m, and whatever else there is has 10. */
const each: PodMetrics = new Map(
  ['a', 'b'].map((name) => [name, { value: 800, timestamp: NOW, windowMs: 60_000 }]),
);
const reader: MetricsReader = {
  resource: async () => each,
  pods: async () => each,
  object: async () => 10_000,
  external: async () => [4000, 6000],
};
const broken = async (): Promise<never> => {
  throw new Error('no answer');
};
const BROKEN: MetricsReader = { resource: broken, pods: broken, object: broken, external: broken };

const propose = (spec: MetricSpec, from = reader) =>
  proposeFor({
    spec,
    reader: from,
    namespace: 'n',
    selector: selectorFromObject({}),
    pods,
    specReplicas: 2,
    statusReplicas: 2,
    tolerances: { down: 0.1, up: 0.1 },
    now: NOW,
    settings: DEFAULT_AUTOSCALER,
    signal: new AbortController().signal,
  });

describe('a metric', () => {
  const rows: readonly (readonly [
    what: string,
    spec: MetricSpec,
    replicas: number,
    name: string,
    status: MetricStatus,
  ])[] = [
    [
      'of what pods use of their request',
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 40 } },
      },
      4,
      'cpu resource utilization (percentage of request)',
      {
        type: 'Resource',
        resource: { name: 'cpu', current: { averageUtilization: 80, averageValue: '800m' } },
      },
    ],
    [
      'of what pods use',
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '400m' } } },
      4,
      'cpu resource',
      { type: 'Resource', resource: { name: 'cpu', current: { averageValue: '800m' } } },
    ],
    [
      'of what one container uses',
      {
        type: 'ContainerResource',
        containerResource: {
          name: 'cpu',
          container: 'c',
          target: { type: 'Utilization', averageUtilization: 40 },
        },
      },
      4,
      'cpu container resource utilization (percentage of request)',
      {
        type: 'ContainerResource',
        containerResource: {
          name: 'cpu',
          container: 'c',
          current: { averageUtilization: 80, averageValue: '800m' },
        },
      },
    ],
    [
      'of each pod',
      { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '400m' } } },
      4,
      'pods metric queue',
      { type: 'Pods', pods: { metric, current: { averageValue: '800m' } } },
    ],
    [
      'of another object',
      { type: 'Object', object: { metric, describedObject, target: { type: 'Value', value: '5' } } },
      4,
      'Service metric queue',
      { type: 'Object', object: { metric, describedObject, current: { value: '10' } } },
    ],
    [
      'of another object, for each pod',
      {
        type: 'Object',
        object: { metric, describedObject, target: { type: 'AverageValue', averageValue: '2' } },
      },
      5,
      'external metric queue(a=b)',
      { type: 'Object', object: { metric, describedObject, current: { averageValue: '5' } } },
    ],
    [
      'of something outside',
      { type: 'External', external: { metric, target: { type: 'Value', value: '5' } } },
      4,
      'external metric queue(a=b)',
      { type: 'External', external: { metric, current: { value: '10' } } },
    ],
    [
      'of something outside, for each pod',
      { type: 'External', external: { metric, target: { type: 'AverageValue', averageValue: '2' } } },
      5,
      'external metric queue(a=b)',
      { type: 'External', external: { metric, current: { averageValue: '5' } } },
    ],
  ];
  for (const [what, spec, replicas, name, status] of rows)
    it(`${what} says what it is and how many replicas it asks for`, async () => {
      assert.deepEqual(await propose(spec), { replicas, name, status });
    });

  const none = { type: 'Value' };
  const failures: readonly (readonly [spec: MetricSpec, reason: string, problem: RegExp])[] = [
    [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 1 } } },
      'FailedGetResourceMetric',
      /^failed to get cpu utilization: unable to get metrics for resource cpu: no answer$/,
    ],
    [
      { type: 'Resource', resource: { name: 'cpu', target: none } },
      'FailedGetResourceMetric',
      /neither an average utilization target nor an average value/,
    ],
    [
      { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '1' } } },
      'FailedGetPodsMetric',
      /no answer/,
    ],
    [
      { type: 'Object', object: { metric, describedObject, target: { type: 'Value', value: '1' } } },
      'FailedGetObjectMetric',
      /^unable to get metric queue: Service on n s\/no answer$/,
    ],
    [
      { type: 'Object', object: { metric, describedObject, target: none } },
      'FailedGetObjectMetric',
      /^invalid object metric source/,
    ],
    [
      { type: 'External', external: { metric, target: { type: 'Value', value: '1' } } },
      'FailedGetExternalMetric',
      /^unable to get external metric n\/queue\/.*: no answer$/,
    ],
    [
      { type: 'External', external: { metric, target: none } },
      'FailedGetExternalMetric',
      /^invalid external metric source/,
    ],
    [{ type: 'Weather' }, 'InvalidMetricSourceType', /^unknown metric source type "Weather"$/],
  ];
  for (const [spec, reason, problem] of failures)
    it(`of the type ${spec.type} that cannot be had says why: ${problem.source}`, async () => {
      const failure = await propose(spec, BROKEN);
      assert.ok('reason' in failure);
      assert.equal(failure.reason, reason);
      assert.match(failure.problem, problem);
      assert.ok(failure.summary.endsWith(failure.problem));
    });
});
