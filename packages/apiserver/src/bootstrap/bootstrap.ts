import type { Transport } from '@windlass/apimachinery';
import type { Clock, Logger } from '@windlass/base';
import { addressBlock } from '../builtin/core/service/address-block.ts';
import type { Store } from '../storage/store.ts';
import { RoleAggregator } from './aggregation.ts';
import type { TrustedAuthorities } from './authentication-data.ts';
import { defaultPolicy } from './default-policy.ts';
import { DefaultServiceCidr } from './default-service-cidr.ts';
import { EndpointPublisher } from './endpoint-publisher.ts';
import { FlowObjects } from './flow-objects.ts';
import { KeptConfigMaps } from './kept-config-maps.ts';
import { NamespaceDefaults } from './namespace-defaults.ts';
import { OwnCalls } from './own-calls.ts';
import { reconcilePolicy } from './reconcile-policy.ts';
import { type ApiEndpoint, ensureSystemObjects } from './system-objects.ts';

export interface BootstrapOptions {
  readonly store: Store;
  /** Of the server itself, as an administrator. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly logger: Logger;
  /** PEM. Undefined publishes none. */
  readonly rootCa: string | undefined;
  /** The range of which services get their addresses. */
  readonly serviceCidr: string;
  /** Whether namespaces get their defaults from here. */
  readonly namespaceDefaults: boolean;
  /** Whom other API servers of the cluster are told to trust. */
  readonly trusted: TrustedAuthorities;
}

/** Brings a new cluster to where clients expect one to be, and an old one back there. Safe at every start. */
export class Bootstrap implements AsyncDisposable {
  readonly #options: BootstrapOptions;
  readonly #calls: OwnCalls;
  readonly #aggregator: RoleAggregator;
  readonly #serviceCidr: DefaultServiceCidr;
  readonly #namespaces: NamespaceDefaults | undefined;
  readonly #configMaps: KeptConfigMaps;
  readonly #flowObjects: FlowObjects;
  readonly #endpoint: EndpointPublisher;

  constructor(options: BootstrapOptions) {
    const { store, transport, clock, logger, rootCa, serviceCidr: cidr, trusted } = options;
    this.#options = options;
    this.#calls = new OwnCalls(transport);
    this.#aggregator = new RoleAggregator({ store, logger, clock, calls: this.#calls });
    this.#serviceCidr = new DefaultServiceCidr({ store, logger, clock, calls: this.#calls, cidr });
    if (options.namespaceDefaults)
      this.#namespaces = new NamespaceDefaults({ store, logger, clock, calls: this.#calls, rootCa });
    this.#configMaps = new KeptConfigMaps({ store, clock, logger, calls: this.#calls, trusted });
    const serviceIp = addressBlock(cidr).address(0);
    this.#endpoint = new EndpointPublisher({ store, calls: this.#calls, clock, logger, serviceIp });
    this.#flowObjects = new FlowObjects({ store, clock, logger, calls: this.#calls });
  }

  async start(): Promise<void> {
    const { store } = this.#options;
    await ensureSystemObjects(store, this.#calls);
    await this.#serviceCidr.start();
    await Promise.all([
      reconcilePolicy(store, this.#calls, defaultPolicy()),
      this.#namespaces?.start(),
      this.#configMaps.start(),
      this.#flowObjects.start(),
    ]);
    await this.#aggregator.start();
  }

  publishEndpoint(endpoint: ApiEndpoint): Promise<void> {
    return this.#endpoint.start(endpoint);
  }

  /** Nobody is led here any more. */
  withdrawEndpoint(): Promise<void> {
    return this.#endpoint.stop();
  }

  async stop(): Promise<void> {
    await Promise.all([
      this.#aggregator.stop(),
      this.#namespaces?.stop(),
      this.#serviceCidr.stop(),
      this.#configMaps.stop(),
      this.#endpoint.stop(),
      this.#flowObjects.stop(),
    ]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
