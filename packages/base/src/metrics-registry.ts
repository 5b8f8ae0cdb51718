import { InvalidArgumentError, WindlassError } from './errors.ts';
import type {
  Counter,
  Gauge,
  Histogram,
  HistogramOptions,
  LabelValues,
  MetricFamily,
  MetricOptions,
  Metrics,
} from './metrics.ts';

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** The media type of what `expose` returns. */
export const PROMETHEUS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface Series {
  expose(name: string, labels: string): string;
}

class CounterSeries implements Counter, Series {
  #value = 0;

  inc(by = 1): void {
    if (!(by >= 0)) throw new InvalidArgumentError('by', by, 'a number of at least 0');
    this.#value += by;
  }

  expose(name: string, labels: string): string {
    return `${name}${braced(labels)} ${number(this.#value)}\n`;
  }
}

class GaugeSeries implements Gauge, Series {
  #value = 0;

  set(value: number): void {
    this.#value = value;
  }

  inc(by = 1): void {
    this.#value += by;
  }

  dec(by = 1): void {
    this.#value -= by;
  }

  expose(name: string, labels: string): string {
    return `${name}${braced(labels)} ${number(this.#value)}\n`;
  }
}

class HistogramSeries implements Histogram, Series {
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count++;
    const bounds = this.#bounds;
    for (let index = 0; index < bounds.length; index++) {
      if (value <= (bounds[index] as number)) {
        this.#counts[index] = (this.#counts[index] as number) + 1;
        return;
      }
    }
  }

  expose(name: string, labels: string): string {
    let text = '';
    let cumulative = 0;
    const prefix = labels === '' ? '' : `${labels},`;
    for (const [index, bound] of this.#bounds.entries()) {
      cumulative += this.#counts[index] ?? 0;
      text += `${name}_bucket{${prefix}le="${number(bound)}"} ${cumulative}\n`;
    }
    text += `${name}_bucket{${prefix}le="+Inf"} ${this.#count}\n`;
    return `${text}${name}_sum${braced(labels)} ${number(this.#sum)}\n${name}_count${braced(labels)} ${this.#count}\n`;
  }
}

type MetricType = 'counter' | 'gauge' | 'histogram';

class Family<M extends Series> implements MetricFamily<M> {
  readonly type: MetricType;
  readonly #options: MetricOptions;
  readonly #labelNames: readonly string[];
  readonly #create: () => M;
  readonly #series = new Map<string, M>();

  constructor(type: MetricType, options: MetricOptions, create: () => M) {
    if (!METRIC_NAME.test(options.name))
      throw new InvalidArgumentError('name', options.name, 'a Prometheus metric name');
    for (const label of options.labelNames ?? []) {
      if (!LABEL_NAME.test(label) || label === 'le')
        throw new InvalidArgumentError('labelNames', label, 'a Prometheus label name');
    }
    this.type = type;
    this.#options = options;
    this.#labelNames = options.labelNames ?? [];
    this.#create = create;
  }

  labels(values: LabelValues = {}): M {
    const key = this.#key(values);
    let series = this.#series.get(key);
    if (series === undefined) {
      series = this.#create();
      this.#series.set(key, series);
    }
    return series;
  }

  remove(values: LabelValues = {}): void {
    this.#series.delete(this.#key(values));
  }

  assertSame(type: MetricType, options: MetricOptions): void {
    const labels = (options.labelNames ?? []).join(',');
    if (type === this.type && labels === this.#labelNames.join(',')) return;
    throw new WindlassError(
      `metric ${options.name} exists as a ${this.type} with labels (${this.#labelNames.join(',')}), not as a ${type} with labels (${labels})`,
      { code: 'METRIC_CONFLICT', kind: 'bug' },
    );
  }

  expose(): string {
    const { name, help } = this.#options;
    let text = `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}\n# TYPE ${name} ${this.type}\n`;
    for (const key of [...this.#series.keys()].sort()) text += this.#series.get(key)?.expose(name, key) ?? '';
    return text;
  }

  #key(values: LabelValues): string {
    const given = Object.keys(values);
    for (const label of given) {
      if (!this.#labelNames.includes(label)) {
        throw new InvalidArgumentError(
          `label of ${this.#options.name}`,
          label,
          `one of (${this.#labelNames.join(', ')})`,
        );
      }
    }
    let key = '';
    for (const label of this.#labelNames) {
      key += `${key === '' ? '' : ','}${label}="${escapeValue(values[label] ?? '')}"`;
    }
    return key;
  }
}

/** A registry of its own, with the Prometheus text format. Families come out by name, series by labels. */
export class MetricsRegistry implements Metrics {
  readonly #families = new Map<
    string,
    Family<CounterSeries> | Family<GaugeSeries> | Family<HistogramSeries>
  >();
  readonly #collectors = new Set<() => void>();

  counter(options: MetricOptions): MetricFamily<Counter> {
    return this.#family('counter', options, () => new CounterSeries());
  }

  gauge(options: MetricOptions): MetricFamily<Gauge> {
    return this.#family('gauge', options, () => new GaugeSeries());
  }

  histogram(options: HistogramOptions): MetricFamily<Histogram> {
    const bounds = Object.freeze([...options.buckets]);
    if (bounds.some((bound, index) => index > 0 && !(bound > (bounds[index - 1] ?? 0)))) {
      throw new InvalidArgumentError('buckets', options.buckets, 'rising numbers');
    }
    return this.#family('histogram', options, () => new HistogramSeries(bounds));
  }

  onCollect(update: () => void): () => void {
    this.#collectors.add(update);
    return () => this.#collectors.delete(update);
  }

  /** Everything measured, in the Prometheus text format. */
  expose(): string {
    for (const update of this.#collectors) update();
    let text = '';
    for (const name of [...this.#families.keys()].sort()) text += this.#families.get(name)?.expose() ?? '';
    return text;
  }

  #family<M extends CounterSeries | GaugeSeries | HistogramSeries>(
    type: MetricType,
    options: MetricOptions,
    create: () => M,
  ): Family<M> {
    const existing = this.#families.get(options.name);
    if (existing === undefined) {
      const family = new Family(type, options, create);
      // The three member types differ only in what `labels` returns, which `type` decides.
      this.#families.set(options.name, family as unknown as Family<CounterSeries>);
      return family;
    }
    existing.assertSame(type, options);
    return existing as unknown as Family<M>;
  }
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`;
}

function number(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}

function escapeValue(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}
