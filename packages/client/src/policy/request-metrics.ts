import type { Counter, Histogram, MetricFamily, Metrics } from '@windlass/base';

const SECONDS: readonly number[] = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** What client-go measures about its requests, under the same names. */
export class RequestMetrics {
  readonly #host: string;
  readonly #requests: MetricFamily<Counter>;
  readonly #durations: MetricFamily<Histogram>;
  readonly #waits: MetricFamily<Histogram>;
  readonly #retries: MetricFamily<Counter>;
  // Labels are looked up once for each combination: the families' own lookup builds a string each time.
  readonly #series = new Map<string, Counter | Histogram>();

  constructor(metrics: Metrics, host: string) {
    this.#host = host;
    this.#requests = metrics.counter({
      name: 'rest_client_requests_total',
      help: 'Number of HTTP requests, partitioned by status code, method, and host.',
      labelNames: ['code', 'method', 'host'],
    });
    this.#durations = metrics.histogram({
      name: 'rest_client_request_duration_seconds',
      help: 'Request latency in seconds. Broken down by verb, and host.',
      labelNames: ['verb', 'host'],
      buckets: SECONDS,
    });
    this.#waits = metrics.histogram({
      name: 'rest_client_rate_limiter_duration_seconds',
      help: 'Client side rate limiter latency in seconds. Broken down by verb, and host.',
      labelNames: ['verb', 'host'],
      buckets: SECONDS,
    });
    this.#retries = metrics.counter({
      name: 'rest_client_request_retries_total',
      help: 'Number of request retries, partitioned by status code, verb, and host.',
      labelNames: ['code', 'verb', 'host'],
    });
  }

  /** @param code the status, or `<error>` when there was no answer */
  answered(method: string, code: string, durationMs: number | undefined): void {
    const host = this.#host;
    this.#cached(`c ${method} ${code}`, () => this.#requests.labels({ code, method, host })).inc();
    if (durationMs === undefined) return;
    this.#cached(`d ${method}`, () => this.#durations.labels({ verb: method, host })).observe(
      durationMs / 1000,
    );
  }

  waited(verb: string, ms: number): void {
    this.#cached(`w ${verb}`, () => this.#waits.labels({ verb, host: this.#host })).observe(ms / 1000);
  }

  retried(verb: string, code: string): void {
    this.#cached(`r ${verb} ${code}`, () => this.#retries.labels({ code, verb, host: this.#host })).inc();
  }

  #cached<M extends Counter | Histogram>(key: string, create: () => M): M {
    let series = this.#series.get(key);
    if (series === undefined) {
      series = create();
      this.#series.set(key, series);
    }
    // The first letter of the key decides the type.
    return series as M;
  }
}
