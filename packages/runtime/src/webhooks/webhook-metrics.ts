import type { Metrics } from '@windlass/base';

export interface WebhookMetrics {
  started(): void;
  finished(code: number, tookMs: number): void;
  panicked(): void;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metric names and labels of controller-runtime. */
export function webhookMetrics(metrics: Metrics, webhook: string): WebhookMetrics {
  const labelNames = ['webhook'];
  const prefix = 'controller_runtime_webhook';
  const latency = metrics
    .histogram({
      name: `${prefix}_latency_seconds`,
      help: 'Histogram of the latency of processing admission requests',
      labelNames,
      buckets: SECONDS,
    })
    .labels({ webhook });
  const total = metrics.counter({
    name: `${prefix}_requests_total`,
    help: 'Total number of admission requests by HTTP status code.',
    labelNames: ['webhook', 'code'],
  });
  const inFlight = metrics
    .gauge({
      name: `${prefix}_requests_in_flight`,
      help: 'Current number of admission requests being served.',
      labelNames,
    })
    .labels({ webhook });
  const panics = metrics
    .counter({ name: `${prefix}_panics_total`, help: 'Total number of webhook panics', labelNames })
    .labels({ webhook });
  return {
    started: () => inFlight.inc(),
    finished(code, tookMs) {
      inFlight.dec();
      latency.observe(tookMs / 1000);
      total.labels({ webhook, code: String(code) }).inc();
    },
    panicked: () => panics.inc(),
  };
}
