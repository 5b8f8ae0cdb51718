import { InvalidArgumentError, WindlassError } from './errors.ts';
import type { Series } from './metric-series.ts';
import type { LabelValues, MetricFamily, MetricOptions, MetricReading, MetricType } from './metrics.ts';

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
// A name that starts with two underscores is Prometheus' own, and `le` is a histogram's.
const LABEL_NAME = /^(?!__|le$)[a-zA-Z_][a-zA-Z0-9_]*$/;

/** All series of one metric, by their labels as text: what is sorted and printed is also the key. */
export class Family<M extends Series> implements MetricFamily<M> {
  readonly #name: string;
  readonly #help: string;
  readonly #type: MetricType;
  readonly #labelNames: readonly string[];
  readonly #shape: string;
  readonly #create: () => M;
  readonly #series = new Map<string, { readonly labels: LabelValues; readonly series: M }>();

  constructor(type: MetricType, options: MetricOptions, create: () => M) {
    this.#name = options.name;
    this.#help = options.help;
    this.#type = type;
    this.#labelNames = sortedLabels(options);
    this.#shape = shapeOf(type, options);
    this.#create = create;
    if (!METRIC_NAME.test(this.#name))
      throw new InvalidArgumentError('name', this.#name, 'a Prometheus metric name');
    for (const [index, label] of this.#labelNames.entries()) {
      if (!LABEL_NAME.test(label) || label === this.#labelNames[index - 1])
        throw new InvalidArgumentError(`a label of ${this.#name}`, label, 'a Prometheus label name, once');
    }
  }

  labels(values: LabelValues = {}): M {
    const key = this.#key(values);
    let entry = this.#series.get(key);
    if (entry === undefined) {
      entry = { labels: { ...values }, series: this.#create() };
      this.#series.set(key, entry);
    }
    return entry.series;
  }

  remove(values: LabelValues = {}): void {
    this.#series.delete(this.#key(values));
  }

  /** Two that register one name must mean one thing, or one of them writes where it does not expect. */
  assertSame(type: MetricType, options: MetricOptions): void {
    const shape = shapeOf(type, options);
    if (shape === this.#shape) return;
    throw new WindlassError(`metric ${this.#name} exists as a ${this.#shape}; it cannot also be a ${shape}`, {
      code: 'METRIC_CONFLICT',
      kind: 'bug',
    });
  }

  expose(): string {
    const help = this.#help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
    let text = `# HELP ${this.#name} ${help}\n# TYPE ${this.#name} ${this.#type}\n`;
    for (const key of [...this.#series.keys()].sort())
      text += this.#series.get(key)?.series.expose(this.#name, key) ?? '';
    return text;
  }

  read(): MetricReading {
    const series = Array.from(this.#series.values(), (entry) => ({
      labels: entry.labels,
      value: entry.series.read(),
    }));
    return { name: this.#name, help: this.#help, type: this.#type, series };
  }

  #key(values: LabelValues): string {
    for (const label of Object.keys(values)) {
      if (!this.#labelNames.includes(label)) {
        const names = this.#labelNames.join(', ');
        throw new InvalidArgumentError(`a label of ${this.#name}`, label, `one of (${names})`);
      }
    }
    return this.#labelNames.map((label) => `${label}="${this.#escaped(label, values[label])}"`).join(',');
  }

  #escaped(label: string, value: unknown): string {
    if (typeof value !== 'string')
      throw new InvalidArgumentError(`label ${label} of ${this.#name}`, value, 'a string');
    return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
  }
}

function sortedLabels(options: MetricOptions): string[] {
  return (options.labelNames ?? []).toSorted();
}

function shapeOf(type: MetricType, options: MetricOptions): string {
  const buckets = 'buckets' in options ? ` and buckets [${String(options.buckets)}]` : '';
  return `${type} with labels (${sortedLabels(options).join(', ')})${buckets}`;
}
