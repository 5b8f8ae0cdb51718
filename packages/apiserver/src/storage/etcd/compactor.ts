import { type Clock, type Logger, type Timer, toError } from '@windlass/base';
import { isCompacted } from './errors.ts';
import type { EtcdClient } from './etcd-client.ts';

/** Where API servers, also those of Kubernetes, agree on who compacts: its version counts the rounds. */
const KEY = Buffer.from('compact_rev_key');
const DEFAULT_EVERY_MS = 300_000;

export interface CompactorOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** 0 never. @default 300000 */
  readonly everyMs?: number | undefined;
}

/**
 * Lets etcd forget what is older than one round. In each round, of all API servers the one that counts it up compacts, up
 * to the revision that it saw a round ago.
 */
export class Compactor {
  readonly #client: EtcdClient;
  readonly #options: CompactorOptions;
  #round = 0;
  #revision = 0;
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(client: EtcdClient, options: CompactorOptions) {
    this.#client = client;
    this.#options = options;
  }

  start(): void {
    const { clock, everyMs = DEFAULT_EVERY_MS } = this.#options;
    if (this.#isStopped || everyMs === 0) return;
    this.#timer = clock.setTimeout(
      () => {
        this.#running = this.compact().then(() => this.start());
      },
      everyMs,
      { keepAlive: false },
    );
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  /** One round. Never rejects. */
  async compact(): Promise<void> {
    try {
      const { header, succeeded, responses } = await this.#client.once((etcd) =>
        etcd.txn({
          compare: [{ target: 'VERSION', result: 'EQUAL', key: KEY, version: this.#round }],
          success: [{ requestPut: { key: KEY, value: Buffer.from(String(this.#revision)) } }],
          failure: [{ requestRange: { key: KEY } }],
        }),
      );
      const before = this.#revision;
      this.#revision = header?.revision ?? 0;
      // Somebody else has had the round.
      if (!succeeded) this.#round = responses[0]?.responseRange?.kvs[0]?.version ?? 0;
      else {
        this.#round++;
        if (before > 0) await this.#client.once((etcd) => etcd.compact({ revision: before }));
      }
    } catch (error) {
      if (isCompacted(error)) return;
      this.#options.logger.warn('etcd could not be compacted; it will be tried again', {
        error: toError(error),
      });
    }
  }
}
