import type { Counter, Gauge, Histogram, LabelValues, MetricFamily, Metrics } from '@windlass/base';
import type { RefusalReason } from '../errors.ts';
import type { FlowMeter } from '../queueing/seat-request.ts';

const SECONDS = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const REASONS: readonly RefusalReason[] = ['concurrency-limit', 'queue-full', 'time-out'];
const FLOW = ['priority_level', 'flow_schema'];

type Kind = 'regular' | 'watch';

/** What is measured of the requests of a flow schema at its level. Labels are names of objects, never of users. */
export class FlowSeries implements FlowMeter {
  readonly #families: FlowFamilies;
  readonly #labels: LabelValues;
  readonly #dispatched: Counter;
  readonly #rejected: ReadonlyMap<RefusalReason, Counter>;
  readonly #waitingRequests: Gauge;
  readonly #waitingSeats: Gauge;
  readonly #executingRequests: Gauge;
  readonly #executingSeats: Gauge;
  readonly #queueLength: Histogram;
  readonly #waitSeconds: { readonly executed: Histogram; readonly refused: Histogram };
  readonly #executionSeconds: Readonly<Record<Kind, Histogram>>;
  readonly #estimatedSeats: Histogram;

  constructor(families: FlowFamilies, level: string, flowSchema: string) {
    const labels = { priority_level: level, flow_schema: flowSchema };
    this.#families = families;
    this.#labels = labels;
    this.#dispatched = families.dispatched.labels(labels);
    this.#rejected = new Map(
      REASONS.map((reason) => [reason, families.rejected.labels({ ...labels, reason })]),
    );
    this.#waitingRequests = families.waitingRequests.labels(labels);
    this.#waitingSeats = families.waitingSeats.labels(labels);
    this.#executingRequests = families.executingRequests.labels(labels);
    this.#executingSeats = families.executingSeats.labels(labels);
    this.#queueLength = families.queueLength.labels(labels);
    this.#waitSeconds = {
      executed: families.waitSeconds.labels({ ...labels, execute: 'true' }),
      refused: families.waitSeconds.labels({ ...labels, execute: 'false' }),
    };
    this.#executionSeconds = {
      regular: families.executionSeconds.labels({ ...labels, type: 'regular' }),
      watch: families.executionSeconds.labels({ ...labels, type: 'watch' }),
    };
    this.#estimatedSeats = families.estimatedSeats.labels(labels);
  }

  estimated(seats: number): void {
    this.#estimatedSeats.observe(seats);
  }

  enqueued(seats: number, queueLength: number): void {
    this.#waitingRequests.inc();
    this.#waitingSeats.inc(seats);
    this.#queueLength.observe(queueLength);
  }

  dequeued(seats: number): void {
    this.#waitingRequests.dec();
    this.#waitingSeats.dec(seats);
  }

  started(seats: number): void {
    this.#executingRequests.inc();
    this.#executingSeats.inc(seats);
  }

  finished(): void {
    this.#executingRequests.dec();
  }

  seatsFreed(seats: number): void {
    this.#executingSeats.dec(seats);
  }

  dispatched(): void {
    this.#dispatched.inc();
  }

  waited(seconds: number, isExecuted: boolean): void {
    (isExecuted ? this.#waitSeconds.executed : this.#waitSeconds.refused).observe(seconds);
  }

  rejected(reason: RefusalReason): void {
    this.#rejected.get(reason)?.inc();
  }

  executed(seconds: number, kind: Kind): void {
    this.#executionSeconds[kind].observe(seconds);
  }

  /** The flow schema is gone, or has another level. */
  remove(): void {
    const { rejected, waitSeconds, executionSeconds, ...plain } = this.#families;
    for (const family of Object.values(plain)) family.remove(this.#labels);
    for (const reason of REASONS) rejected.remove({ ...this.#labels, reason });
    for (const execute of ['true', 'false']) waitSeconds.remove({ ...this.#labels, execute });
    for (const type of ['regular', 'watch']) executionSeconds.remove({ ...this.#labels, type });
  }
}

export interface FlowFamilies {
  readonly dispatched: MetricFamily<Counter>;
  readonly rejected: MetricFamily<Counter>;
  readonly waitingRequests: MetricFamily<Gauge>;
  readonly waitingSeats: MetricFamily<Gauge>;
  readonly executingRequests: MetricFamily<Gauge>;
  readonly executingSeats: MetricFamily<Gauge>;
  readonly queueLength: MetricFamily<Histogram>;
  readonly waitSeconds: MetricFamily<Histogram>;
  readonly executionSeconds: MetricFamily<Histogram>;
  readonly estimatedSeats: MetricFamily<Histogram>;
}

export function flowFamilies(metrics: Metrics): FlowFamilies {
  const named = (name: string, help: string, ...labels: string[]) => ({
    name: `apiserver_flowcontrol_${name}`,
    help,
    labelNames: [...FLOW, ...labels],
  });
  return {
    dispatched: metrics.counter(named('dispatched_requests_total', 'Requests that were executed')),
    rejected: metrics.counter(named('rejected_requests_total', 'Requests that were refused', 'reason')),
    waitingRequests: metrics.gauge(named('current_inqueue_requests', 'Requests that wait in queues')),
    waitingSeats: metrics.gauge(named('current_inqueue_seats', 'Seats that requests in queues wait for')),
    executingRequests: metrics.gauge(
      named('current_executing_requests', 'Requests that are executing, and watches that begin'),
    ),
    executingSeats: metrics.gauge(named('current_executing_seats', 'Seats in use')),
    queueLength: metrics.histogram({
      ...named('request_queue_length_after_enqueue', 'How long its queue is, for each request that waits'),
      buckets: [0, 10, 25, 50, 100, 250, 500, 1000],
    }),
    waitSeconds: metrics.histogram({
      ...named('request_wait_duration_seconds', 'How long a request waited in its queue', 'execute'),
      buckets: SECONDS,
    }),
    executionSeconds: metrics.histogram({
      ...named('request_execution_seconds', 'How long a request held its seats', 'type'),
      buckets: SECONDS,
    }),
    estimatedSeats: metrics.histogram({
      ...named('work_estimated_seats', 'How many seats requests were estimated at'),
      buckets: [1, 2, 4, 8, 16, 32, 64, 100],
    }),
  };
}
