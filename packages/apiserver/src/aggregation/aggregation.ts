import type { Clock, KeyPair, Logger, Metrics } from '@windlass/base';
import type { OwnCalls } from '../bootstrap/own-calls.ts';
import type { PathHandler } from '../exchange/path-handler.ts';
import { serviceResolver } from '../exchange/service-resolver.ts';
import type { Catalog } from '../resource/catalog.ts';
import type { Store } from '../storage/store.ts';
import { ApiServices } from './api-services.ts';
import { AutoRegistration } from './auto-registration.ts';
import { AvailabilityController } from './availability.ts';
import { AvailabilityMetrics } from './availability-metrics.ts';
import { mergedDiscovery } from './merged-discovery.ts';
import { mergedOpenApi } from './merged-openapi.ts';
import { aggregationProxy } from './proxy.ts';
import { RemoteDocuments } from './remote-documents.ts';
import { RemoteServers } from './remote-server.ts';

export interface AggregationOptions {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** By which other servers know this one. Undefined: they are not told who asks. */
  readonly client: KeyPair | undefined;
}

/**
 * The aggregation layer: other API servers behind this one. Each APIService with a service names a group version and
 * who answers for it.
 *
 *   request ─► authorised here ─► APIService with a service? ─► its server, told who asks
 *                                          │ no
 *                                          ▼
 *                                    this server itself
 */
export class Aggregation implements AsyncDisposable {
  readonly #options: AggregationOptions;
  readonly #services: ApiServices;
  readonly #servers: RemoteServers;
  readonly #documents: RemoteDocuments;
  #registration: AutoRegistration | undefined = undefined;
  #availability: AvailabilityController | undefined = undefined;
  /** Answers what belongs to other servers. */
  readonly proxy: PathHandler;

  constructor(options: AggregationOptions) {
    const { store, clock, logger, client } = options;
    this.#options = options;
    this.#services = new ApiServices(store, logger);
    this.#servers = new RemoteServers({ resolve: serviceResolver(store), client });
    const shared = { services: this.#services, servers: this.#servers, clock, logger };
    this.#documents = new RemoteDocuments(shared);
    this.proxy = aggregationProxy(shared);
  }

  /** The APIServices that are known. */
  get services(): ApiServices {
    return this.#services;
  }

  get servers(): RemoteServers {
    return this.#servers;
  }

  discovery(local: PathHandler): PathHandler {
    return mergedDiscovery(local, this.#services, this.#documents);
  }

  openApi(local: PathHandler): PathHandler {
    const { clock, logger } = this.#options;
    const options = { services: this.#services, servers: this.#servers, clock, logger };
    return mergedOpenApi(local, this.#documents, options);
  }

  /** Call it when the catalog has all that is defined. Resolves when what is served here is registered. */
  async start(calls: OwnCalls): Promise<void> {
    const { store, catalog, clock, logger, metrics } = this.#options;
    const services = this.#services;
    await services.start();
    this.#registration = new AutoRegistration({ catalog, services, calls, clock, logger });
    await this.#registration.start();
    this.#availability = new AvailabilityController({
      store,
      services,
      servers: this.#servers,
      calls,
      metrics: new AvailabilityMetrics(metrics),
      clock,
      logger,
    });
    this.#availability.start();
    this.#documents.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#registration?.stop(), this.#availability?.stop(), this.#documents.stop()]);
    await this.#services.stop();
    this.#servers.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
