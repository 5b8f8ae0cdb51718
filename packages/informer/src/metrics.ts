import type { Counter, Gauge, Metrics } from '@windlass/base';
import type { Report } from './reflector-step.ts';

export interface InformerMetrics {
  request(request: 'list' | 'watch'): void;
  report(report: Report): void;
  events(count: number): void;
  stale(count: number): void;
  storeSize(size: number): void;
  resourceVersion(version: string): void;
  lag(seconds: number): void;
  handler(name: string): HandlerMetrics;
  close(): void;
}

export interface HandlerMetrics {
  readonly errors: Counter;
  readonly coalesced: Counter;
  readonly pending: Gauge;
  close(): void;
}

/** A version is too long for a float; its last digits still show that it moves. */
const VERSION_DIGITS = 15;

/** Every list, watch, reopening, relisting, dropped and merged event of one informer, with its reason. */
export function informerMetrics(metrics: Metrics, name: string): InformerMetrics {
  const labels = { name };
  const labelNames = ['name'];
  const requests = metrics.counter({
    name: 'informer_requests_total',
    help: 'Lists and watches sent',
    labelNames: ['name', 'request'],
  });
  const reopens = metrics.counter({
    name: 'informer_watch_reopens_total',
    help: 'Watches opened again from the last version, by reason',
    labelNames: ['name', 'reason'],
  });
  const relists = metrics.counter({
    name: 'informer_relists_total',
    help: 'Full lists after the first, by reason',
    labelNames: ['name', 'reason'],
  });
  const failures = metrics.counter({
    name: 'informer_failures_total',
    help: 'Lists and streams that failed, by kind of failure',
    labelNames: ['name', 'kind'],
  });
  const events = metrics.counter({ name: 'informer_events_total', help: 'Watch events taken', labelNames });
  const stale = metrics.counter({
    name: 'informer_stale_events_total',
    help: 'Watch events that were not newer than the cache',
    labelNames,
  });
  const size = metrics.gauge({ name: 'informer_store_objects', help: 'Objects in the cache', labelNames });
  const version = metrics.gauge({
    name: 'informer_store_resource_version',
    help: 'Last digits of the version that the cache is at',
    labelNames,
  });
  const lag = metrics.gauge({
    name: 'informer_last_contact_seconds',
    help: 'Seconds since the server was last heard',
    labelNames,
  });
  const handlerLabels = ['name', 'handler'];
  const handlerErrors = metrics.counter({
    name: 'informer_handler_errors_total',
    help: 'Calls of a handler that threw',
    labelNames: handlerLabels,
  });
  const coalesced = metrics.counter({
    name: 'informer_handler_coalesced_total',
    help: 'Notifications merged because a handler was slow',
    labelNames: handlerLabels,
  });
  const pending = metrics.gauge({
    name: 'informer_queued_items',
    help: 'Notifications that wait for a handler',
    labelNames: handlerLabels,
  });

  const eventCounter = events.labels(labels);
  const staleCounter = stale.labels(labels);
  const sizeGauge = size.labels(labels);
  const versionGauge = version.labels(labels);
  const lagGauge = lag.labels(labels);
  const used: (() => void)[] = [];
  return {
    request: (request) => requests.labels({ name, request }).inc(),
    report(report) {
      switch (report.what) {
        case 'reopen':
          reopens.labels({ name, reason: report.reason }).inc();
          break;
        case 'relist':
          relists.labels({ name, reason: report.reason }).inc();
          break;
        case 'list-failed':
          failures.labels({ name, kind: report.failure.kind }).inc();
          break;
        case 'stream-failed':
          failures.labels({ name, kind: report.failure?.kind ?? 'no-marker' }).inc();
          break;
        case 'streaming-unsupported':
          failures.labels({ name, kind: 'streaming-unsupported' }).inc();
          break;
        default:
          report satisfies never;
      }
    },
    events: (count) => eventCounter.inc(count),
    stale: (count) => staleCounter.inc(count),
    storeSize: (value) => sizeGauge.set(value),
    resourceVersion: (value) => versionGauge.set(Number(value.slice(-VERSION_DIGITS)) || 0),
    lag: (seconds) => lagGauge.set(seconds),
    handler(handler) {
      const series = { name, handler };
      const close = (): void => {
        for (const family of [handlerErrors, coalesced, pending]) family.remove(series);
      };
      used.push(close);
      return {
        errors: handlerErrors.labels(series),
        coalesced: coalesced.labels(series),
        pending: pending.labels(series),
        close,
      };
    },
    close() {
      for (const family of [events, stale, size, version, lag]) family.remove(labels);
      for (const close of used) close();
    },
  };
}
