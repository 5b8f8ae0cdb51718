import { type Clock, isCancelled, type Logger, type Random, toError } from '@windlass/base';
import { type Client, createClient } from '@windlass/client';
import type { ClusterOptions } from '../cluster.ts';
import { LeadershipLostError, NotLeadingError } from '../errors.ts';
import { LeaderElector, type LeaderElectorOptions } from '../leader-election/leader-elector.ts';

export interface LeadershipOptions extends LeaderElectorOptions {
  readonly onElected: () => void;
  readonly onLost: (error: Error) => void;
}

/** A manager's part in an election: waits for its turn, and says when it is over. */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #elector: LeaderElector;
  readonly #stopping = new AbortController();
  readonly #elected = Promise.withResolvers<void>();
  readonly #lease: string;
  #running: Promise<void> = Promise.resolve();
  #hasLed = false;

  constructor(options: LeadershipOptions) {
    this.#options = options;
    this.#elector = new LeaderElector(options);
    this.#lease = `${options.namespace}/${options.name}`;
  }

  get isLeading(): boolean {
    return this.#elector.isLeading;
  }

  get leader(): string {
    return this.#elector.leader;
  }

  /** Resolves when this replica leads for the first time. */
  get elected(): Promise<void> {
    return this.#elected.promise;
  }

  /**
   * Throws when this replica has led and does no longer, also when it does not know that yet because it was
   * frozen. A replica that never led may write: what runs on every replica does.
   */
  assertMayWrite(): void {
    if (this.#hasLed && !this.#elector.isLeading) throw new NotLeadingError(this.#lease);
  }

  start(): void {
    this.#running = this.#run(this.#stopping.signal);
  }

  /**
   * Takes part no longer. To be called when the leader's work has ended; if it has not, the lease must run
   * out by itself.
   */
  async stop(hasWorkEnded: boolean): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    if (hasWorkEnded) await this.#elector.stop();
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      await this.#elector.acquire(signal);
      this.#hasLed = true;
      this.#elected.resolve();
      this.#options.onElected();
      await this.#elector.renew(signal);
      this.#options.onLost(new LeadershipLostError(this.#lease));
    } catch (thrown) {
      if (!(isCancelled(thrown) && signal.aborted)) this.#options.onLost(toError(thrown));
    }
  }
}

/** Renewals must not wait behind other requests, so they get connections of their own where that is possible. */
export function electionClient(
  { client, config, transport }: Pick<ClusterOptions, 'client' | 'config' | 'transport'>,
  surroundings: { readonly clock: Clock; readonly random: Random; readonly logger: Logger },
): Client | undefined {
  if (client !== undefined) return undefined;
  return createClient({
    ...surroundings,
    ...(config !== undefined && { config }),
    ...(transport !== undefined && { transport }),
  });
}
