import { InvalidArgumentError } from './errors.ts';
import { Family } from './metric-family.ts';
import { CounterSeries, GaugeSeries, HistogramSeries, type Series } from './metric-series.ts';
import type {
  Counter,
  Gauge,
  Histogram,
  HistogramOptions,
  MetricFamily,
  MetricOptions,
  MetricReading,
  Metrics,
  MetricType,
} from './metrics.ts';

/** The media type of what `expose` returns. */
export const PROMETHEUS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const COLLECT_ERRORS: MetricOptions = {
  name: 'windlass_metrics_collect_errors_total',
  help: 'Updates before an exposition that threw; the values they set are old',
};

/** A registry of its own, with the Prometheus text format. Families come out by name, series by labels. */
export class MetricsRegistry implements Metrics {
  readonly #families = new Map<string, Family<Series>>();
  readonly #updates = new Set<{ readonly run: () => void }>();

  counter(options: MetricOptions): MetricFamily<Counter> {
    return this.#family('counter', options, () => new CounterSeries());
  }

  gauge(options: MetricOptions): MetricFamily<Gauge> {
    return this.#family('gauge', options, () => new GaugeSeries());
  }

  histogram(options: HistogramOptions): MetricFamily<Histogram> {
    const bounds = Object.freeze([...options.buckets]);
    const rising = bounds.every((bound, index) => bound > (bounds[index - 1] ?? Number.NEGATIVE_INFINITY));
    if (!rising || !bounds.every(Number.isFinite))
      throw new InvalidArgumentError(
        'buckets',
        String(bounds),
        'rising finite numbers; +Inf is always there',
      );
    return this.#family('histogram', options, () => new HistogramSeries(bounds));
  }

  onCollect(update: () => void): () => void {
    const entry = { run: update };
    this.#updates.add(entry);
    return () => void this.#updates.delete(entry);
  }

  /** Everything measured, in the Prometheus text format. */
  expose(): string {
    this.#update();
    let text = '';
    for (const name of [...this.#families.keys()].sort()) text += this.#families.get(name)?.expose() ?? '';
    return text;
  }

  /** Everything measured, for another format. */
  read(): readonly MetricReading[] {
    this.#update();
    return Array.from(this.#families.values(), (family) => family.read());
  }

  #update(): void {
    for (const update of this.#updates) {
      try {
        update.run();
      } catch {
        // One broken part must not hide what all others measure.
        this.counter(COLLECT_ERRORS).labels().inc();
      }
    }
  }

  #family<M extends Series>(type: MetricType, options: MetricOptions, create: () => M): Family<M> {
    const existing = this.#families.get(options.name);
    if (existing !== undefined) {
      existing.assertSame(type, options);
      // The same type has the same series: only the three callers above create any.
      return existing as Family<M>;
    }
    const family = new Family(type, options, create);
    this.#families.set(options.name, family);
    return family;
  }
}
