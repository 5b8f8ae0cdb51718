import type { Counter, Logger, Metrics } from '@windlass/base';

/** Why an event was not written. */
export type DropReason = 'spam' | 'full' | 'refused' | 'unreachable' | 'invalid' | 'stopped';

/** Logs and counts the events that are not written. */
export class DroppedEvents {
  readonly #options: { readonly metrics: Metrics; readonly logger: Logger };

  constructor(options: { readonly metrics: Metrics; readonly logger: Logger }) {
    this.#options = options;
  }

  one(why: DropReason, fields: Readonly<Record<string, unknown>>): void {
    this.#counter(why).inc();
    this.#options.logger.warn('an event was dropped', { why, ...fields });
  }

  /** Those that still waited when the time of a stop was over. One line: there may be thousands. */
  atStop(count: number): void {
    this.#counter('stopped').inc(count);
    this.#options.logger.warn('events were not written before the stop', { count });
  }

  #counter(why: DropReason): Counter {
    return this.#options.metrics
      .counter({
        name: 'windlass_events_dropped_total',
        help: 'Events that were not written, by why: spam, full, refused, unreachable, invalid, stopped',
        labelNames: ['why'],
      })
      .labels({ why });
  }
}
