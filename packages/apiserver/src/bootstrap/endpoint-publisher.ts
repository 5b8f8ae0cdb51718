import { type Clock, type Logger, type Timer, toError } from '@windlass/base';
import type { SharingServers, Store } from '../storage/store.ts';
import type { OwnCalls } from './own-calls.ts';
import { type ApiEndpoint, publishEndpoint } from './system-objects.ts';

export interface EndpointPublisherOptions {
  readonly store: Store;
  readonly calls: OwnCalls;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The first address of the services' range. */
  readonly serviceIp: string;
}

/** As upstream: what is announced lives for fifteen seconds. */
const EVERY_MS = 10_000;

/**
 * Keeps the service `kubernetes` leading to where the API is served. Where several servers share the store each announces
 * itself again and again, and all write the same list: one that is gone is out of it a few seconds later.
 */
export class EndpointPublisher {
  readonly #options: EndpointPublisherOptions;
  #own: ApiEndpoint | undefined;
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: EndpointPublisherOptions) {
    this.#options = options;
  }

  async start(endpoint: ApiEndpoint): Promise<void> {
    this.#own = endpoint;
    await this.#publish();
    const { servers } = this.#options.store;
    if (servers !== undefined) this.#schedule();
  }

  /** What is announced goes: nobody is to be led here any more. */
  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#running;
    const { store, logger } = this.#options;
    if (this.#own === undefined || store.servers === undefined) return;
    const { addresses } = this.#own;
    try {
      for (const address of addresses) await store.servers.withdraw(address);
      const others = await store.servers.list();
      if (others.length > 0) await this.#write(others);
    } catch (error) {
      logger.warn('the address of this server could not be withdrawn; it goes in a few seconds', {
        error: toError(error),
      });
    }
  }

  #schedule(): void {
    if (this.#isStopped) return;
    const { clock, logger } = this.#options;
    const again = (): void => {
      this.#running = this.#publish()
        .catch((error: unknown) =>
          logger.warn('the address of this server could not be announced; it will be tried again', {
            error: toError(error),
          }),
        )
        .finally(() => this.#schedule());
    };
    this.#timer = clock.setTimeout(again, EVERY_MS, { keepAlive: false });
  }

  async #publish(): Promise<void> {
    const { servers } = this.#options.store;
    await this.#write(servers === undefined ? (this.#own?.addresses ?? []) : await this.#announce(servers));
  }

  async #announce(servers: SharingServers): Promise<string[]> {
    for (const address of this.#own?.addresses ?? []) await servers.announce(address);
    return servers.list();
  }

  async #write(addresses: readonly string[]): Promise<void> {
    const { store, calls, serviceIp } = this.#options;
    if (this.#own === undefined) return;
    await publishEndpoint(store, calls, { port: this.#own.port, addresses: addresses.toSorted() }, serviceIp);
  }
}
