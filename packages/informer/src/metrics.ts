import type { Counter, Gauge, LabelValues, MetricFamily, Metrics } from '@windlass/base';
import type { Report } from './reflector/reflector-state.ts';

export interface InformerMetrics {
  request(request: 'list' | 'watch'): void;
  report(report: Report): void;
  readonly events: Counter;
  readonly stale: Counter;
  readonly malformed: Counter;
  readonly indexErrors: Counter;
  readonly storeSize: Gauge;
  resourceVersion(version: string): void;
  readonly lastContact: Gauge;
  handler(name: string): HandlerMetrics;
  /** Forgets every series of this informer. */
  close(): void;
}

export interface HandlerMetrics {
  readonly errors: Counter;
  readonly coalesced: Counter;
  readonly pending: Gauge;
  readonly lag: Gauge;
  close(): void;
}

/** A version is too long for a float; its last digits still show that it moves. */
const VERSION_DIGITS = 15;

/** Every list, watch, reopening, relisting, dropped and merged event of one informer, with its reason. */
export function informerMetrics(metrics: Metrics, name: string): InformerMetrics {
  const counter = (metric: string, help: string, label?: string): MetricFamily<Counter> =>
    metrics.counter({ name: `informer_${metric}`, help, labelNames: label ? ['name', label] : ['name'] });
  const gauge = (metric: string, help: string, label?: string): MetricFamily<Gauge> =>
    metrics.gauge({ name: `informer_${metric}`, help, labelNames: label ? ['name', label] : ['name'] });

  const requests = counter('requests_total', 'Lists and watches sent', 'request');
  const reopens = counter('watch_reopens_total', 'Watches opened again from the last version', 'reason');
  const relists = counter('relists_total', 'Full lists after the first', 'reason');
  const failures = counter('failures_total', 'Lists and streaming lists that failed', 'kind');
  const handlerErrors = counter('handler_errors_total', 'Calls of a handler that threw', 'handler');
  const coalesced = counter('handler_coalesced_total', 'Notifications merged for a slow handler', 'handler');
  const pending = gauge('queued_items', 'Notifications that wait for a handler', 'handler');
  const lag = gauge('handler_lag_seconds', 'Age of the notification that a handler is busy with', 'handler');

  const used = new SeriesUsed(name);
  const version = used.series(gauge('store_resource_version', 'Last digits of the version of the cache'));
  return {
    request: (request) => used.series(requests, { request }).inc(),
    report: (report) => {
      if (report.what === 'reopen') used.series(reopens, { reason: report.reason }).inc();
      else if (report.what === 'relist') used.series(relists, { reason: report.reason }).inc();
      else used.series(failures, { kind: failureKind(report) }).inc();
    },
    events: used.series(counter('events_total', 'Watch events taken')),
    stale: used.series(counter('stale_events_total', 'Watch events that were not newer than the cache')),
    malformed: used.series(counter('malformed_objects_total', 'Objects left out because they have no name')),
    indexErrors: used.series(counter('index_errors_total', 'Calls of an index function that threw')),
    storeSize: used.series(gauge('store_objects', 'Objects in the cache')),
    resourceVersion: (value) => version.set(Number(value.slice(-VERSION_DIGITS)) || 0),
    lastContact: used.series(gauge('last_contact_seconds', 'Seconds since the server was last heard')),
    handler(handler) {
      const own = new SeriesUsed(name);
      return {
        errors: own.series(handlerErrors, { handler }),
        coalesced: own.series(coalesced, { handler }),
        pending: own.series(pending, { handler }),
        lag: own.series(lag, { handler }),
        close: () => own.close(),
      };
    },
    close: () => used.close(),
  };
}

/** Remembers which series were used under a name, so that all of them can be forgotten. */
class SeriesUsed {
  readonly #name: string;
  readonly #removals = new Map<MetricFamily<unknown>, Map<string, () => void>>();

  constructor(name: string) {
    this.#name = name;
  }

  series<M>(family: MetricFamily<M>, labels: LabelValues = {}): M {
    const values = { name: this.#name, ...labels };
    const removals = this.#removals.get(family) ?? new Map<string, () => void>();
    this.#removals.set(family, removals);
    removals.set(Object.values(values).join(), () => family.remove(values));
    return family.labels(values);
  }

  close(): void {
    for (const removals of this.#removals.values()) for (const remove of removals.values()) remove();
    this.#removals.clear();
  }
}

function failureKind(report: Exclude<Report, { what: 'reopen' | 'relist' }>): string {
  if (report.what === 'streaming-given-up') return `streaming-${report.reason}`;
  return report.failure?.kind ?? ('reason' in report ? report.reason : 'unknown');
}
