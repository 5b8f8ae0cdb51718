import { type Clock, type Logger, toError } from '@windlass/base';
import type { FailureKind } from '../list-watch/failure.ts';
import type { InformerMetrics } from '../metrics.ts';
import type { Report } from '../reflector/reflector-state.ts';
import { type PublishedReport, reports } from './diagnostics.ts';

export interface ServerContactOptions {
  /** Of the informer. */
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: InformerMetrics | undefined;
  readonly onReport: ((report: Report) => void) | undefined;
}

/** When the server last said something, and what went wrong since. */
export class ServerContact {
  readonly #options: ServerContactOptions;
  #lastHeard: number;
  #lastFailure: { readonly error: Error; readonly kind?: FailureKind } | undefined = undefined;

  constructor(options: ServerContactOptions) {
    this.#options = options;
    this.#lastHeard = options.clock.monotonic();
  }

  get lastError(): Error | undefined {
    return this.#lastFailure?.error;
  }

  get silentMs(): number {
    return this.#options.clock.monotonic() - this.#lastHeard;
  }

  heard(): void {
    this.#lastHeard = this.#options.clock.monotonic();
    this.#lastFailure = undefined;
  }

  /** The reflector itself has failed. */
  failed(error: Error): void {
    this.#lastFailure = { error };
    this.#options.logger.error('the informer failed and has stopped; this is a defect', { error });
  }

  /** Each reopening, relisting and failure. Never throws. */
  report(report: Report): void {
    const { name, logger, metrics, onReport } = this.#options;
    metrics?.report(report);
    if (reports.hasSubscribers) reports.publish({ informer: name, report } satisfies PublishedReport);
    const error = report.failure?.error;
    if (report.failure !== undefined) this.#lastFailure = report.failure;
    const reason = 'reason' in report ? report.reason : report.failure.kind;
    const fields = { what: report.what, reason, error };
    if (error === undefined) logger.debug('the watch goes on', fields);
    else logger.warn('the watch was interrupted and goes on', fields);
    try {
      onReport?.(report);
    } catch (thrown) {
      logger.error('onReport threw', { error: toError(thrown) });
    }
  }

  /** What the server said, and what to do about it; undefined when nothing is wrong. */
  explain(): string | undefined {
    if (this.#lastFailure === undefined) return undefined;
    const { error, kind } = this.#lastFailure;
    if (kind === 'not-found')
      return `${error.message}; is it installed? It is tried again until it is served`;
    if (kind === 'denied') return `${error.message}; it takes the verbs list and watch`;
    return error.message;
  }
}
