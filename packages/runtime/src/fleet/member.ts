import { CancelledError, type Clock, type Logger, toError } from '@windlass/base';
import type { Cluster } from '../cluster.ts';
import type { RunningSource, Source, SourceSink } from '../sources/source.ts';
import { memberKey } from './member-key.ts';

/** How long a cluster may take to answer before people are told. */
const LATE_MS = 30_000;

/** What a source of a controller is in one cluster. */
export type SourceOf = (cluster: Cluster) => Source;

/** One cluster of a fleet, with the sources of every controller in it. */
export class Member {
  readonly name: string;
  readonly version: string;
  readonly cluster: Cluster;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #gone = new AbortController();
  readonly #sources = new Set<RunningSource>();

  constructor(name: string, version: string, cluster: Cluster, clock: Clock, logger: Logger) {
    this.name = name;
    this.version = version;
    this.cluster = cluster;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Aborts when the cluster is gone, or is reached in another way. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** Whether nothing of this cluster is on its way to a controller. One that does not answer is not waited for. */
  get isIdle(): boolean {
    return this.#sources.values().every((source) => source.whyNotSynced() !== undefined || source.isIdle);
  }

  /**
   * Puts the keys of a source into the sink. A cluster that does not answer holds up nobody else; its own keys wait until
   * its source has told what there is.
   * @returns takes the source away again
   */
  start(sourceOf: SourceOf, sink: SourceSink<string>): () => Promise<void> {
    const early = new Map<string, Parameters<SourceSink<string>['add']>>();
    let hasSynced = false;
    const source = sourceOf(this.cluster);
    const running = source.start({
      logger: sink.logger.with({ cluster: this.name }),
      add: (key, reason, priority) => {
        const member = memberKey(this.name, key);
        if (hasSynced) sink.add(member, reason, priority);
        else early.set(member, [member, reason, priority]);
      },
    });
    this.#sources.add(running);
    const late = this.#clock.setTimeout(() => {
      this.#logger.warn('a cluster does not answer; others are not held up', {
        cluster: this.name,
        source: source.name,
        why: running.whyNotSynced(),
      });
    }, LATE_MS);
    running
      .synced(this.signal)
      .then(() => {
        hasSynced = true;
        for (const added of early.values()) sink.add(...added);
        early.clear();
      })
      .catch((thrown: unknown) => {
        if (!this.signal.aborted)
          this.#logger.error('a source of a cluster failed', { cluster: this.name, error: toError(thrown) });
      })
      .finally(() => late.cancel());
    return async () => {
      late.cancel();
      this.#sources.delete(running);
      await running.stop();
    };
  }

  async stop(): Promise<void> {
    this.#gone.abort(new CancelledError(`the cluster ${this.name} is gone`));
    await Promise.all(Array.from(this.#sources, (source) => source.stop()));
    await this.cluster.stop();
  }
}
