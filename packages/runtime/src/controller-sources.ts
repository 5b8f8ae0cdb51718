import { type Clock, isCancelled, type Logger, withDeadline } from '@windlass/base';
import { ControllerSyncError } from './errors.ts';
import type { RunningSource, Source, SourceSink } from './sources/source.ts';

export interface ControllerSourcesOptions<K> {
  readonly controller: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Sources that take longer to tell what there is fail the start. */
  readonly syncTimeoutMs: number;
  /** Queues a key. */
  readonly add: SourceSink<K>['add'];
  /** Whether a stop has begun, so that a wait that ends is no failure. */
  readonly isStopping: () => boolean;
}

/** The sources of a controller that run. */
export class ControllerSources<K> {
  readonly #options: ControllerSourcesOptions<K>;
  readonly #running = new Map<Source<K>, RunningSource>();

  constructor(options: ControllerSourcesOptions<K>) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#running.values().every((source) => source.isIdle);
  }

  has(source: Source<K>): boolean {
    return this.#running.has(source);
  }

  start(source: Source<K>): void {
    const { logger, add } = this.#options;
    this.#running.set(source, source.start({ logger: logger.with({ source: source.name }), add }));
  }

  async stop(source: Source<K>): Promise<void> {
    const running = this.#running.get(source);
    this.#running.delete(source);
    await running?.stop();
  }

  async stopAll(): Promise<void> {
    const running = [...this.#running.values()];
    this.#running.clear();
    await Promise.all(running.map((source) => source.stop()));
  }

  /**
   * Resolves when the sources have told what there is.
   * @param only one of them; all that run by default
   * @throws ControllerSyncError that names the sources that are missing, and why
   */
  async synced(signal: AbortSignal | undefined, only?: Source<K>): Promise<void> {
    const { controller, clock, syncTimeoutMs: timeoutMs, isStopping } = this.#options;
    const sources = [...this.#running].filter(([source]) => only === undefined || source === only);
    using deadline = withDeadline(clock, timeoutMs, `the start of controller "${controller}"`, signal);
    try {
      await Promise.all(sources.map(([, running]) => running.synced(deadline.signal)));
    } catch (error) {
      if (isCancelled(error) && (signal?.aborted === true || isStopping())) throw error;
      const missing = sources.flatMap(([source, running]) => {
        const why = running.whyNotSynced();
        return why === undefined ? [] : [`${source.name} (${why})`];
      });
      throw new ControllerSyncError(controller, missing, timeoutMs, error);
    }
  }
}
