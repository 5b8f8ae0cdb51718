// What the packages measure themselves with. The interface is small so that another library can stand
// behind it; the registry beside it (metrics-registry.ts) has no dependency and speaks Prometheus.

/** A number that only grows. */
export interface Counter {
  /** @param by at least 0; default 1 */
  inc(by?: number): void;
}

/** A number that goes up and down. */
export interface Gauge {
  set(value: number): void;
  inc(by?: number): void;
  dec(by?: number): void;
}

/** Counts observations by how large they are. */
export interface Histogram {
  observe(value: number): void;
}

/** What kind of figure a metric is. */
export type MetricType = 'counter' | 'gauge' | 'histogram';

/** The value of each label, by its name. */
export type LabelValues = Readonly<Record<string, string>>;

/**
 * All series of one metric. `labels` is for setting up: keep what it returns and use that on the hot
 * path, where it costs no lookup.
 */
export interface MetricFamily<M> {
  /** The series with these values; each label of the family must have one. */
  labels(values?: LabelValues): M;
  /** Forgets a series, so that what is gone no longer shows. Who kept it measures into the void. */
  remove(values?: LabelValues): void;
}

/** What a metric is called, and what it means. */
export interface MetricOptions {
  readonly name: string;
  readonly help: string;
  /** @default none */
  readonly labelNames?: readonly string[];
}

/** Options of a histogram. */
export interface HistogramOptions extends MetricOptions {
  /** Upper bounds, rising and finite; +Inf is always there and not named. */
  readonly buckets: readonly number[];
}

/** Asking twice for a name gives the same family; with another type, other labels or buckets it throws. */
export interface Metrics {
  counter(options: MetricOptions): MetricFamily<Counter>;
  gauge(options: MetricOptions): MetricFamily<Gauge>;
  histogram(options: HistogramOptions): MetricFamily<Histogram>;
  /**
   * Called before each exposition, for values that are cheaper to compute when asked. What it throws
   * is counted and harms no other metric. Returns its removal.
   */
  onCollect(update: () => void): () => void;
}

/** What a histogram has observed. */
export interface HistogramReading {
  readonly bounds: readonly number[];
  /** One for each bound and one for what is above the last, not cumulative. */
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** One series at one time: a number of a counter or a gauge. */
export interface SeriesReading {
  readonly labels: LabelValues;
  readonly value: number | HistogramReading;
}

/** All series of one metric at one time. */
export interface MetricReading {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly series: readonly SeriesReading[];
}

/** `count` bounds from `start`, each `factor` times the one before. */
export function exponentialBuckets(start: number, factor: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => start * factor ** index);
}

const NO_METRIC: Counter & Gauge & Histogram = Object.freeze({ inc() {}, dec() {}, set() {}, observe() {} });
const NO_FAMILY: MetricFamily<typeof NO_METRIC> = Object.freeze({ labels: () => NO_METRIC, remove() {} });

/** Measures nothing. */
export const noMetrics: Metrics = Object.freeze({
  counter: () => NO_FAMILY,
  gauge: () => NO_FAMILY,
  histogram: () => NO_FAMILY,
  onCollect: () => () => {},
});
