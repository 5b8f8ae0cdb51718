import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import {
  type Clock,
  type HistogramReading,
  type MetricReading,
  type MetricsRegistry,
  realClock,
  type SeriesReading,
} from '@windlass/base';

// Numbers of the SDK's enums, which are not imported: whoever only traces does not have its package.
const HISTOGRAM = 0;
const GAUGE = 2;
const SUM = 3;
const CUMULATIVE = 1;

/** How figures of a registry become metrics. */
export interface MetricProducerOptions {
  /** @default the machine's */
  readonly clock?: Clock;
}

/** A `MetricProducer` of `@opentelemetry/sdk-metrics`. */
export interface RegistryProducer {
  collect(): Promise<{
    resourceMetrics: { resource: NoResource; scopeMetrics: { scope: { name: string }; metrics: Metric[] }[] };
    errors: unknown[];
  }>;
}

interface NoResource {
  readonly attributes: Attributes;
  merge(other: NoResource | null): NoResource;
  getRawAttributes(): [];
}

interface Point<V> {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly attributes: Attributes;
  readonly value: V;
}

interface HistogramValue {
  buckets: { boundaries: number[]; counts: number[] };
  sum: number;
  count: number;
}

type Metric = {
  readonly descriptor: { name: string; description: string; unit: string; valueType: ValueType };
  readonly aggregationTemporality: typeof CUMULATIVE;
} & (
  | { readonly dataPointType: typeof SUM; readonly isMonotonic: true; readonly dataPoints: Point<number>[] }
  | { readonly dataPointType: typeof GAUGE; readonly dataPoints: Point<number>[] }
  | { readonly dataPointType: typeof HISTOGRAM; readonly dataPoints: Point<HistogramValue>[] }
);

/**
 * The figures of a registry, as on `/metrics`, for a metric reader of OpenTelemetry:
 * `new PeriodicExportingMetricReader({ exporter, metricProducers: [metricProducer(manager.metrics)] })`. They are read
 * when the reader collects, and cost nothing in between.
 */
export function metricProducer(
  registry: MetricsRegistry,
  { clock = realClock }: MetricProducerOptions = {},
): RegistryProducer {
  const startTime = hrTime(clock.now());
  return {
    async collect() {
      const endTime = hrTime(clock.now());
      const metrics = registry.read().map((reading) => metricOf(reading, startTime, endTime));
      const scopeMetrics = [{ scope: { name: 'windlass' }, metrics }];
      // The reader takes the resource of its own provider.
      return { resourceMetrics: { resource: NO_RESOURCE, scopeMetrics }, errors: [] };
    },
  };
}

function metricOf({ name, help, type, series }: MetricReading, startTime: HrTime, endTime: HrTime): Metric {
  const unit = name.endsWith('_seconds') ? 's' : name.endsWith('_bytes') ? 'By' : '';
  const descriptor = { name, description: help, unit, valueType: ValueType.DOUBLE };
  const base = { descriptor, aggregationTemporality: CUMULATIVE } as const;
  const pointOf = <V>({ labels }: SeriesReading, value: V): Point<V> => ({
    startTime,
    endTime,
    attributes: labels,
    value,
  });
  if (type === 'histogram') {
    const dataPoints = series.flatMap((each) =>
      typeof each.value === 'number' ? [] : [pointOf(each, histogramOf(each.value))],
    );
    return { ...base, dataPointType: HISTOGRAM, dataPoints };
  }
  const dataPoints = series.flatMap((each) =>
    typeof each.value === 'number' ? [pointOf(each, each.value)] : [],
  );
  if (type === 'gauge') return { ...base, dataPointType: GAUGE, dataPoints };
  return { ...base, dataPointType: SUM, isMonotonic: true, dataPoints };
}

function histogramOf({ bounds, counts, sum, count }: HistogramReading): HistogramValue {
  return { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count };
}

const NO_RESOURCE: NoResource = {
  attributes: {},
  merge: (other) => other ?? NO_RESOURCE,
  getRawAttributes: () => [],
};

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
