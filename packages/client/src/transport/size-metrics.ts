import type { Histogram, MetricFamily, Metrics } from '@windlass/base';

const BUCKETS: readonly number[] = [
  64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
];

/** How many bytes requests and answers have on the wire, by verb. */
export class SizeMetrics {
  readonly #host: string;
  readonly #requests: MetricFamily<Histogram>;
  readonly #responses: MetricFamily<Histogram>;
  readonly #sent = new Map<string, Histogram>();
  readonly #received = new Map<string, Histogram>();

  constructor(metrics: Metrics, host: string) {
    this.#host = host;
    this.#requests = metrics.histogram({
      name: 'rest_client_request_size_bytes',
      help: 'Request size in bytes. Broken down by verb and host.',
      labelNames: ['verb', 'host'],
      buckets: BUCKETS,
    });
    this.#responses = metrics.histogram({
      name: 'rest_client_response_size_bytes',
      help: 'Response size in bytes. Broken down by verb and host.',
      labelNames: ['verb', 'host'],
      buckets: BUCKETS,
    });
  }

  sent(verb: string, bytes: number): void {
    this.#series(this.#sent, this.#requests, verb).observe(bytes);
  }

  received(verb: string, bytes: number): void {
    this.#series(this.#received, this.#responses, verb).observe(bytes);
  }

  #series(cache: Map<string, Histogram>, family: MetricFamily<Histogram>, verb: string): Histogram {
    let series = cache.get(verb);
    if (series === undefined) {
      series = family.labels({ verb, host: this.#host });
      cache.set(verb, series);
    }
    return series;
  }
}
