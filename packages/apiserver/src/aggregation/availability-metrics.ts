import type { Counter, Gauge, MetricFamily, Metrics } from '@windlass/base';
import type { Availability } from './availability-plan.ts';

/** Which APIServices cannot be reached, and how often they could not, under Kubernetes' own names. */
export class AvailabilityMetrics {
  readonly #unavailable: MetricFamily<Gauge>;
  readonly #changes: MetricFamily<Counter>;

  constructor(metrics: Metrics) {
    this.#unavailable = metrics.gauge({
      name: 'aggregator_unavailable_apiservice',
      help: 'APIServices that are not available now, by their name',
      labelNames: ['name'],
    });
    this.#changes = metrics.counter({
      name: 'aggregator_unavailable_apiservice_total',
      help: 'How often an APIService became unavailable, or so for another reason',
      labelNames: ['name', 'reason'],
    });
  }

  checked(name: string, { status }: Availability): void {
    this.#unavailable.labels({ name }).set(status === 'True' ? 0 : 1);
  }

  changed(name: string, { status, reason }: Availability): void {
    if (status !== 'True') this.#changes.labels({ name, reason }).inc();
  }

  /** It is gone. */
  forget(name: string): void {
    this.#unavailable.labels({ name }).set(0);
  }
}
