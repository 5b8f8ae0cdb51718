import type { Clock, Counter, Logger, Metrics } from '@windlass/base';
import { GoneNamespaces } from './gone-namespaces.ts';

/** Why an event was not written. */
export type DropReason = 'spam' | 'full' | 'refused' | 'unreachable' | 'invalid' | 'stopped';

export interface DroppedEventsOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** Logs and counts the events that are not written. */
export class DroppedEvents {
  readonly #options: DroppedEventsOptions;
  readonly #gone: GoneNamespaces;

  constructor(options: DroppedEventsOptions) {
    this.#options = options;
    this.#gone = new GoneNamespaces(options);
  }

  one(why: DropReason, fields: Readonly<Record<string, unknown>>): void {
    this.#counter(why).inc();
    this.#options.logger.warn('an event was dropped', { why, ...fields });
  }

  /** Their namespace is gone or going, so that the server refused them. One line for all of them. */
  withNamespace(namespace: string, count: number): void {
    this.#counter('refused').inc(count);
    this.#gone.add(namespace, count);
  }

  /** Tells what is still to be told. */
  close(): void {
    this.#gone.flush();
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
