import type { Transport } from '@windlass/apimachinery';
import {
  type Clock,
  type Logger,
  MetricsRegistry,
  type Random,
  realClock,
  silentLogger,
  systemRandom,
} from '@windlass/base';
import type { Authorizer } from './access/authorizer.ts';
import { type Authenticator, SYSTEM_MASTERS, type UserInfo } from './access/user.ts';
import type { AdmissionPlugin } from './admission/admission.ts';
import { AdmissionChain } from './admission/chain.ts';
import { builtinDefinitions } from './builtin/definitions.ts';
import { builtinRules } from './builtin/rules.ts';
import { discoveryPaths } from './discovery/discovery.ts';
import { openApiPaths } from './openapi/openapi-paths.ts';
import { healthPaths, metricsPath, versionPath } from './paths/health.ts';
import { indexPath } from './paths/index-path.ts';
import { Catalog } from './resource/catalog.ts';
import { Dispatcher } from './server/dispatcher.ts';
import { HttpFront } from './server/http-front.ts';
import { inProcessTransport } from './server/in-process.ts';
import type { Store } from './storage/store.ts';
import { createFieldManagers } from './verbs/field-managers.ts';
import { noAllocator } from './verbs/runtime.ts';

export interface ApiServerOptions {
  readonly store: Store;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** @default the machine's generator */
  readonly random?: Random;
  /** @default none */
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
}

/** The identity of whoever runs in the server's own process. */
const LOOPBACK_USER: UserInfo = Object.freeze({
  name: 'system:apiserver',
  groups: Object.freeze([SYSTEM_MASTERS, 'system:authenticated']),
});

export interface ListenOptions {
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly tls: { readonly cert: string; readonly key: string; readonly clientCa: string };
  readonly authenticator: Authenticator;
}

/**
 * A Kubernetes API server: its handlers, for callers in the same process and over HTTPS.
 */
export class ApiServer implements AsyncDisposable {
  readonly #options: Required<ApiServerOptions>;
  readonly #catalog = new Catalog();
  readonly #dispatcher: Dispatcher;
  #front: HttpFront | undefined = undefined;

  constructor(options: ApiServerOptions) {
    this.#options = {
      clock: realClock,
      random: systemRandom,
      logger: silentLogger,
      metrics: new MetricsRegistry(),
      ...options,
    };
    const { store, clock, random, logger, metrics } = this.#options;
    this.#catalog.add(builtinDefinitions(builtinRules()));
    const plugins: AdmissionPlugin[] = [];
    const authorizer: Authorizer = {
      authorize: ({ user }) => ({ isAllowed: user.groups.includes(SYSTEM_MASTERS), reason: '' }),
    };
    this.#dispatcher = new Dispatcher({
      runtime: {
        store,
        catalog: this.#catalog,
        admission: new AdmissionChain(plugins),
        clock,
        random,
        logger,
        fieldManager: createFieldManagers(clock),
        allocator: noAllocator,
      },
      authorizer,
      paths: [
        discoveryPaths(this.#catalog),
        openApiPaths(this.#catalog),
        versionPath(),
        healthPaths([
          { name: 'ping', check: () => undefined },
          { name: 'storage', check: () => store.failure?.message },
        ]),
        metricsPath(() => metrics.expose()),
        indexPath(this.#catalog),
      ],
      logger,
    });
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Calls straight into the handlers, as `user`. Default: one who may do everything. */
  transport(user: UserInfo = LOOPBACK_USER): Transport {
    return inProcessTransport(this.#dispatcher, user);
  }

  /** Serves HTTPS as well. Resolves with the port. */
  async listen(options: ListenOptions): Promise<number> {
    const { clock, random, logger } = this.#options;
    this.#front = new HttpFront({
      dispatcher: this.#dispatcher,
      catalog: this.#catalog,
      clock,
      random,
      logger,
      ...options,
    });
    return this.#front.listen();
  }

  async close(): Promise<void> {
    await this.#front?.close();
    await this.#options.store.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
