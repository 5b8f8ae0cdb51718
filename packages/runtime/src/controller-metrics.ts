import type { Metrics } from '@windlass/base';

export type ResultLabel = 'success' | 'error' | 'requeue' | 'requeue_after';

/** What a controller reports. */
export interface ControllerMetrics {
  finished(result: ResultLabel, tookMs: number): void;
  terminal(): void;
  panicked(): void;
  timedOut(): void;
  gaveUp(): void;
  active(workers: number): void;
  stuck(runs: number): void;
  close(): void;
}

// Upstream's bounds, 5 ms to a minute, and finer ones below: a reconcile that only reads takes microseconds.
const BUCKETS = [
  0.00001, 0.0001, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7,
  0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const RESULTS: readonly ResultLabel[] = ['success', 'error', 'requeue', 'requeue_after'];

/** The metric names and labels of controller-runtime, so that dashboards made for it work. */
export function controllerMetrics(
  metrics: Metrics,
  controller: string,
  concurrency: number,
): ControllerMetrics {
  const labelNames = ['controller'];
  const labels = { controller };
  const prefix = 'controller_runtime';
  const total = metrics.counter({
    name: `${prefix}_reconcile_total`,
    help: 'Total number of reconciliations per controller',
    labelNames: ['controller', 'result'],
  });
  const counter = (name: string, help: string) => metrics.counter({ name, help, labelNames });
  const gauge = (name: string, help: string) => metrics.gauge({ name, help, labelNames });
  const families = {
    errors: counter(
      `${prefix}_reconcile_errors_total`,
      'Total number of reconciliation errors per controller',
    ),
    terminal: counter(
      `${prefix}_terminal_reconcile_errors_total`,
      'Total number of terminal reconciliation errors per controller',
    ),
    panics: counter(
      `${prefix}_reconcile_panics_total`,
      'Total number of reconciliations that ended in a programming error per controller',
    ),
    timeouts: counter(
      `${prefix}_reconcile_timeouts_total`,
      'Total number of reconciliations beyond their deadline per controller',
    ),
    gaveUp: counter(
      'windlass_reconcile_given_up_total',
      'Total number of keys given up after the last retry per controller',
    ),
    max: gauge(
      `${prefix}_max_concurrent_reconciles`,
      'Maximum number of concurrent reconciles per controller',
    ),
    active: gauge(`${prefix}_active_workers`, 'Number of currently used workers per controller'),
    stuck: gauge('windlass_reconciles_stuck', 'Reconciles that ignore the end of their deadline'),
  };
  const time = metrics.histogram({
    name: `${prefix}_reconcile_time_seconds`,
    help: 'Length of time per reconciliation per controller',
    labelNames,
    buckets: BUCKETS,
  });
  const results = new Map(RESULTS.map((result) => [result, total.labels({ controller, result })]));
  const [errors, terminal, panics] = [families.errors, families.terminal, families.panics].map((family) =>
    family.labels(labels),
  );
  const [timeouts, gaveUp] = [families.timeouts, families.gaveUp].map((family) => family.labels(labels));
  const [active, stuck] = [families.active, families.stuck].map((family) => family.labels(labels));
  const seconds = time.labels(labels);
  families.max.labels(labels).set(concurrency);
  return {
    finished(result, tookMs) {
      results.get(result)?.inc();
      if (result === 'error') errors?.inc();
      seconds.observe(tookMs / 1000);
    },
    terminal: () => terminal?.inc(),
    panicked: () => panics?.inc(),
    timedOut: () => timeouts?.inc(),
    gaveUp: () => gaveUp?.inc(),
    active: (workers) => active?.set(workers),
    stuck: (runs) => stuck?.set(runs),
    close() {
      for (const family of Object.values(families)) family.remove(labels);
      for (const result of RESULTS) total.remove({ controller, result });
      time.remove(labels);
    },
  };
}
