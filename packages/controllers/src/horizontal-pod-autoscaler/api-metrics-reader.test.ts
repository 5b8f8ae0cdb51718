// How metrics are asked for and read, as by the clients of kube-controller-manager (pkg/controller/podautoscaler/metrics).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiRequest, newNotFound, parseLabelSelector, type Transport } from '@windlass/apimachinery';
import { createClient } from '@windlass/client';
import { MetricsError } from '../errors.ts';
import { ApiMetricsReader } from './api-metrics-reader.ts';

const SIGNAL = new AbortController().signal;
const WEB = parseLabelSelector('app=web');
const ALL = parseLabelSelector('');
const AT = Date.UTC(2026, 0, 1, 12);
const timestamp = '2026-01-01T12:00:00Z';
const CUSTOM = '/apis/custom.metrics.k8s.io';

interface Asked {
  readonly path: string;
  readonly query: ApiRequest['query'];
}

/** A reader of a server that has these answers, by path; anything else is not found. */
function reader(answers: Readonly<Record<string, unknown>>): { reader: ApiMetricsReader; asked: Asked[] } {
  const asked: Asked[] = [];
  const transport: Transport = {
    request: async ({ path, query }) => {
      asked.push({ path, query });
      const body = answers[path];
      if (body !== undefined) return { status: 200, headers: {}, body };
      const { status } = newNotFound({ group: 'metrics', resource: 'x' }, path);
      return { status: 404, headers: {}, body: status };
    },
    watch: async () => assert.fail('nothing is watched'),
    [Symbol.asyncDispose]: async () => {},
  };
  return { reader: new ApiMetricsReader(createClient({ transport })), asked };
}

describe('what pods use', () => {
  const path = '/apis/metrics.k8s.io/v1beta1/namespaces/ns/pods';
  const container = (name: string, cpu: string | undefined) => ({
    name,
    usage: { memory: '1Mi', ...(cpu !== undefined && { cpu }) },
  });
  const items = [
    {
      metadata: { name: 'a' },
      timestamp,
      window: '30s',
      containers: [container('main', '100m'), container('side', '20m')],
    },
    { metadata: { name: 'b' }, timestamp, containers: [container('main', '1')] },
    // Not all is known of these: a sum without a part would look like less work than there is.
    {
      metadata: { name: 'c' },
      timestamp,
      containers: [container('main', '7m'), container('side', undefined)],
    },
    { metadata: { name: 'd' }, timestamp, containers: [] },
  ];

  it('is the sum of their containers, in thousandths', async () => {
    const { reader: metrics, asked } = reader({ [path]: { items } });
    const found = await metrics.resource('cpu', 'ns', WEB, undefined, SIGNAL);
    assert.deepEqual(
      [...found],
      [
        ['a', { value: 120, timestamp: AT, windowMs: 30_000 }],
        ['b', { value: 1000, timestamp: AT, windowMs: 0 }],
      ],
    );
    assert.deepEqual(asked, [{ path, query: { labelSelector: 'app=web' } }]);
  });

  it('is that of one container where one is named', async () => {
    const { reader: metrics } = reader({ [path]: { items } });
    const found = await metrics.resource('cpu', 'ns', WEB, 'side', SIGNAL);
    assert.deepEqual([...found], [['a', { value: 20, timestamp: AT, windowMs: 30_000 }]]);
  });

  it('is not known when the API has nothing, or is not there', async () => {
    const ask = (answers: Record<string, unknown>) =>
      reader(answers).reader.resource('cpu', 'ns', WEB, undefined, SIGNAL);
    await assert.rejects(ask({ [path]: { items: [] } }), {
      message: 'no metrics returned from resource metrics API',
    });
    await assert.rejects(ask({ [path]: {} }), { message: 'no metrics returned from resource metrics API' });
    await assert.rejects(
      ask({}),
      (error) =>
        error instanceof MetricsError &&
        error.message.startsWith('unable to fetch metrics from resource metrics API: '),
    );
  });
});

describe('a metric of pods', () => {
  const below = 'namespaces/ns/pods/*/requests%2Fs';
  const items = [
    { describedObject: { name: 'a' }, timestamp, windowSeconds: 5, value: '500m' },
    { describedObject: { name: 'b' }, timestamp, value: '3' },
  ];
  const wanted = [
    ['a', { value: 500, timestamp: AT, windowMs: 5000 }],
    // An adapter that does not say is taken for one that looks at a minute.
    ['b', { value: 3000, timestamp: AT, windowMs: 60_000 }],
  ];

  it('is asked for by the labels of pods and of the metric', async () => {
    const { reader: metrics, asked } = reader({ [`${CUSTOM}/v1beta2/${below}`]: { items } });
    assert.deepEqual(
      [...(await metrics.pods('requests/s', 'ns', WEB, parseLabelSelector('verb=GET'), SIGNAL))],
      wanted,
    );
    assert.deepEqual(
      asked.map(({ query }) => query),
      [{ labelSelector: 'app=web', metricLabelSelector: 'verb=GET' }],
    );
  });

  it('is asked for in the older version where the newer one is not served', async () => {
    const { reader: metrics, asked } = reader({ [`${CUSTOM}/v1beta1/${below}`]: { items } });
    assert.deepEqual([...(await metrics.pods('requests/s', 'ns', WEB, ALL, SIGNAL))], wanted);
    assert.deepEqual(
      asked.map(({ path }) => path),
      [`${CUSTOM}/v1beta2/${below}`, `${CUSTOM}/v1beta1/${below}`],
    );
  });

  it('fails with what the newer version said when neither is served', async () => {
    await assert.rejects(
      reader({}).reader.pods('requests/s', 'ns', WEB, ALL, SIGNAL),
      /custom metrics API: .*v1beta2/,
    );
  });

  it('that the newer version has no values of is not looked for in the older one', async () => {
    const { reader: metrics, asked } = reader({ [`${CUSTOM}/v1beta2/${below}`]: { items: [] } });
    await assert.rejects(metrics.pods('requests/s', 'ns', WEB, ALL, SIGNAL), /no metrics returned/);
    assert.equal(asked.length, 1);
  });
});

describe('a metric of something else', () => {
  it('of the namespace itself has a path of its own', async () => {
    const { reader: metrics } = reader({
      [`${CUSTOM}/v1beta2/namespaces/ns/metrics/queue`]: { items: [{ value: '7' }] },
    });
    assert.equal(
      await metrics.object('queue', 'ns', { kind: 'Namespace', name: 'ns', apiVersion: 'v1' }, ALL, SIGNAL),
      7000,
    );
  });

  it('outside of the cluster may have several values', async () => {
    const path = '/apis/external.metrics.k8s.io/v1beta1/namespaces/ns/queue';
    const { reader: metrics, asked } = reader({ [path]: { items: [{ value: '1' }, { value: '250m' }] } });
    assert.deepEqual(await metrics.external('queue', 'ns', WEB, SIGNAL), [1000, 250]);
    await metrics.external('queue', 'ns', ALL, SIGNAL);
    assert.deepEqual(
      asked.map(({ query }) => query),
      [{ labelSelector: 'app=web' }, {}],
    );
  });
});
