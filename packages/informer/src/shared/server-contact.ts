import { type Clock, type LogFields, type Logger, toError, WindlassError } from '@windlass/base';
import type { FailureKind } from '../list-watch/failure.ts';
import type { InformerMetrics } from '../metrics.ts';
import type { Report } from '../reflector/reflector-state.ts';
import { type PublishedReport, reports } from './diagnostics.ts';

export interface ServerContactOptions {
  /** Of the informer. */
  readonly name: string;
  /** What is watched, for people: `the kind Foo (foos.example.com/v1)`. */
  readonly kind: string;
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
  /** The server does not serve the kind, and that was said. */
  #isMissing = false;

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
    if (!this.#isMissing) return;
    this.#isMissing = false;
    this.#options.logger.info(`the API server serves ${this.#options.kind} now`);
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
    if (report.failure?.kind === 'not-found') this.#missing(fields);
    else if (error === undefined) logger.debug('the watch goes on', fields);
    else if (error instanceof WindlassError && error.kind === 'bug')
      logger.error('the watch cannot work, and is tried again', fields);
    else logger.warn('the watch was interrupted and goes on', fields);
    try {
      onReport?.(report);
    } catch (thrown) {
      logger.error('onReport threw', { error: toError(thrown) });
    }
  }

  /** Said once, with what to do. It is asked for again every few seconds, and that is no news. */
  #missing(fields: LogFields): void {
    const { logger, kind } = this.#options;
    if (this.#isMissing) logger.debug('the kind is still not served', fields);
    else
      logger.warn(
        `the API server does not serve ${kind}; install its definition with kubectl apply -f FILE (windlass generate crds writes the file for kinds that a program declares); it is asked for again until it is served`,
      );
    this.#isMissing = true;
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
