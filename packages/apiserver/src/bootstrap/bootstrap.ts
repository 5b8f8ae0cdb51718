import type { Transport } from '@windlass/apimachinery';
import type { Logger } from '@windlass/base';
import type { Store } from '../storage/store.ts';
import { RoleAggregator } from './aggregation.ts';
import { OwnCalls } from './calls.ts';
import { defaultPolicy } from './default-policy.ts';
import { NamespaceDefaults } from './namespace-defaults.ts';
import { reconcilePolicy } from './reconcile-policy.ts';
import { type ApiEndpoint, ensureSystemObjects, publishEndpoint } from './system-objects.ts';

export interface BootstrapOptions {
  readonly store: Store;
  /** Of the server itself, as an administrator. */
  readonly transport: Transport;
  readonly logger: Logger;
  /** PEM. Undefined publishes none. */
  readonly rootCa: string | undefined;
}

/** Brings a new cluster to where clients expect one to be, and an old one back there. Safe at every start. */
export class Bootstrap implements AsyncDisposable {
  readonly #options: BootstrapOptions;
  readonly #calls: OwnCalls;
  readonly #aggregator: RoleAggregator;
  readonly #namespaces: NamespaceDefaults;

  constructor(options: BootstrapOptions) {
    const { store, transport, logger, rootCa } = options;
    this.#options = options;
    this.#calls = new OwnCalls(transport);
    this.#aggregator = new RoleAggregator({ store, logger, calls: this.#calls });
    this.#namespaces = new NamespaceDefaults({ store, logger, calls: this.#calls, rootCa });
  }

  async start(): Promise<void> {
    const { store } = this.#options;
    await ensureSystemObjects(store, this.#calls);
    await Promise.all([reconcilePolicy(store, this.#calls, defaultPolicy()), this.#namespaces.start()]);
    await this.#aggregator.start();
  }

  publishEndpoint(endpoint: ApiEndpoint): Promise<void> {
    return publishEndpoint(this.#options.store, this.#calls, endpoint);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#aggregator.stop(), this.#namespaces.stop()]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
