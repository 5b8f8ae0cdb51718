// One series each of a counter, a gauge and a histogram, and how they look in the Prometheus text format.
import { InvalidArgumentError } from './errors.ts';
import type { Counter, Gauge, Histogram, HistogramReading } from './metrics.ts';

export interface Series {
  read(): number | HistogramReading;
  /** @param labels as they stand between the braces: `a="1",b="2"`, or nothing */
  expose(name: string, labels: string): string;
}

export class CounterSeries implements Counter, Series {
  #value = 0;

  inc(by = 1): void {
    if (!(by >= 0)) throw new InvalidArgumentError('by', by, 'a number of at least 0');
    this.#value += by;
  }

  read(): number {
    return this.#value;
  }

  expose(name: string, labels: string): string {
    return sample(name, labels, this.#value);
  }
}

export class GaugeSeries implements Gauge, Series {
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

  read(): number {
    return this.#value;
  }

  expose(name: string, labels: string): string {
    return sample(name, labels, this.#value);
  }
}

export class HistogramSeries implements Histogram, Series {
  readonly #bounds: readonly number[];
  /** Per bucket and not cumulative, so that an observation touches one of them. */
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count++;
    const bounds = this.#bounds;
    for (let index = 0; index < bounds.length; index++) {
      // The index is within both arrays: they are of one length.
      if (value <= (bounds[index] as number)) {
        this.#counts[index] = (this.#counts[index] ?? 0) + 1;
        return;
      }
    }
  }

  read(): HistogramReading {
    const within = this.#counts.reduce((sum, count) => sum + count, 0);
    const counts = [...this.#counts, this.#count - within];
    return { bounds: this.#bounds, counts, sum: this.#sum, count: this.#count };
  }

  expose(name: string, labels: string): string {
    const prefix = labels === '' ? '' : `${labels},`;
    const bucket = (bound: number, count: number): string =>
      sample(`${name}_bucket`, `${prefix}le="${formatNumber(bound)}"`, count);
    let text = '';
    let cumulative = 0;
    for (const [index, bound] of this.#bounds.entries()) {
      cumulative += this.#counts[index] ?? 0;
      text += bucket(bound, cumulative);
    }
    text += bucket(Number.POSITIVE_INFINITY, this.#count);
    return text + sample(`${name}_sum`, labels, this.#sum) + sample(`${name}_count`, labels, this.#count);
  }
}

function sample(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${formatNumber(value)}\n`;
}

function formatNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}
