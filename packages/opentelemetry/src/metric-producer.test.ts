import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { FakeClock, MetricsRegistry } from '@windlass/base';
import { metricProducer } from './metric-producer.ts';

test('the SDK exports the figures of a registry, with what was added after the start', async () => {
  const clock = new FakeClock({ start: 1_700_000_000_500 });
  const metrics = new MetricsRegistry();
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: 3_600_000,
    metricProducers: [metricProducer(metrics, { clock })],
  });
  const provider = new MeterProvider({ readers: [reader] });
  const labels = { controller: 'web' };
  const labelNames = ['controller'];
  const total = metrics.counter({ name: 'reconcile_total', help: 'Runs', labelNames }).labels(labels);
  total.inc(3);
  metrics.gauge({ name: 'depth', help: 'Depth' }).labels().set(-2);
  const histogram = { name: 'time_seconds', help: 'Time', labelNames, buckets: [0.1, 1] };
  for (const value of [0.05, 0.5, 7]) metrics.histogram(histogram).labels(labels).observe(value);
  await clock.advance(1000);
  await provider.forceFlush();

  const exported = exporter
    .getMetrics()
    .at(-1)
    ?.scopeMetrics.find(({ scope }) => scope.name === 'windlass');
  const seen = exported?.metrics.map(({ descriptor, dataPointType, dataPoints }) => {
    const { name, description, unit } = descriptor;
    const points = dataPoints.map(({ attributes, value }) => ({ attributes, value }));
    return { name, description, unit, type: DataPointType[dataPointType], points };
  });
  assert.deepEqual(seen, [
    {
      name: 'reconcile_total',
      description: 'Runs',
      unit: '',
      type: 'SUM',
      points: [{ attributes: labels, value: 3 }],
    },
    { name: 'depth', description: 'Depth', unit: '', type: 'GAUGE', points: [{ attributes: {}, value: -2 }] },
    {
      name: 'time_seconds',
      description: 'Time',
      unit: 's',
      type: 'HISTOGRAM',
      points: [
        {
          attributes: labels,
          value: { buckets: { boundaries: [0.1, 1], counts: [1, 1, 1] }, sum: 7.55, count: 3 },
        },
      ],
    },
  ]);
  const [sum] = exported?.metrics ?? [];
  assert.ok(sum?.dataPointType === DataPointType.SUM && sum.isMonotonic);
  assert.equal(sum.aggregationTemporality, AggregationTemporality.CUMULATIVE);
  const [point] = sum.dataPoints;
  assert.deepEqual(
    [point?.startTime, point?.endTime],
    [
      [1_700_000_000, 500_000_000],
      [1_700_000_001, 500_000_000],
    ],
  );
  await provider.shutdown();
});
