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
import { Access } from './access/access.ts';
import type { StaticToken } from './access/authenticators/static-tokens.ts';
import { openIdPaths } from './access/tokens/openid-paths.ts';
import { type Authenticator, SYSTEM_MASTERS, type UserInfo } from './access/user.ts';
import { AdmissionChain } from './admission/chain.ts';
import { defaultPlugins } from './admission/default-plugins.ts';
import { PolicyStatus } from './admission/policies/policy-status.ts';
import { type AuditPolicy, auditPolicyFor } from './audit/audit-policy.ts';
import type { AuditSink } from './audit/audit-sink.ts';
import { Auditor } from './audit/auditor.ts';
import { Bootstrap } from './bootstrap/bootstrap.ts';
import { builtinDefinitions } from './builtin/definitions.ts';
import { builtinRules } from './builtin/rules.ts';
import { ServiceAllocator } from './builtin/services/service-allocator.ts';
import { DefinitionController } from './custom/controller/definition-controller.ts';
import { discoveryPaths } from './discovery/discovery.ts';
import { EventExpiry } from './lifetime/event-expiry.ts';
import { openApiPaths } from './openapi/openapi-paths.ts';
import { swaggerPath } from './openapi/swagger-path.ts';
import { healthPaths, metricsPath, versionPath } from './paths/health.ts';
import { indexPath } from './paths/index-path.ts';
import { Catalog } from './resource/catalog.ts';
import { Dispatcher } from './server/dispatcher.ts';
import { HttpFront } from './server/http-front.ts';
import { inProcessTransport } from './server/in-process.ts';
import type { Store } from './storage/store.ts';
import { createFieldManagers } from './verbs/field-managers.ts';
import type { VerbRuntime } from './verbs/runtime.ts';

export interface ApiServerOptions {
  readonly store: Store;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** @default the machine's generator */
  readonly random?: Random;
  /** @default none */
  readonly logger?: Logger;
  readonly metrics?: MetricsRegistry;
  /** PKCS#8 PEM, RSA; signs the tokens of service accounts. @default a new one, made when first needed */
  readonly serviceAccountKey?: string;
  /** Bearer tokens that always mean the same user. @default none */
  readonly tokens?: readonly StaticToken[];
  /** PEM of the authority that clients in the cluster trust; published in every namespace. @default none */
  readonly rootCa?: string;
  /** IPv4 block of which services get their addresses. @default '10.0.0.0/24' */
  readonly serviceCidr?: string;
  /** How long events stay after they were last written, in milliseconds. @default 3600000 */
  readonly eventTtlMs?: number;
  /** Tells of requests. The server closes the sink. @default none; with one, every request at level Metadata */
  readonly audit?: { readonly sink: AuditSink; readonly policy?: AuditPolicy };
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
  /** @default certificates of the authority, static tokens and service account tokens */
  readonly authenticator?: Authenticator;
}

/**
 * A Kubernetes API server: its handlers, for callers in the same process and over HTTPS.
 */
export class ApiServer implements AsyncDisposable {
  readonly #options: ApiServerOptions &
    Required<Pick<ApiServerOptions, 'clock' | 'random' | 'logger' | 'metrics'>>;
  readonly #catalog = new Catalog();
  readonly #dispatcher: Dispatcher;
  readonly #definitions: DefinitionController;
  #isReady = false;
  #ready: Promise<void> | undefined = undefined;
  readonly #access: Access;
  readonly #bootstrap: Bootstrap;
  readonly #policyStatus: PolicyStatus;
  readonly #eventExpiry: EventExpiry;
  #front: HttpFront | undefined = undefined;
  readonly #auditor: Auditor | undefined;

  constructor(options: ApiServerOptions) {
    this.#options = {
      clock: realClock,
      random: systemRandom,
      logger: silentLogger,
      metrics: new MetricsRegistry(),
      ...options,
    };
    const { store, clock, random, logger, metrics } = this.#options;
    const { serviceAccountKey, tokens = [], rootCa, serviceCidr } = options;
    this.#access = new Access({
      store,
      clock,
      random,
      logger,
      tokens,
      ...(serviceAccountKey !== undefined && { serviceAccountKey }),
    });
    const { authorizer, rules, rbac } = this.#access;
    const plugins = defaultPlugins({
      store,
      catalog: this.#catalog,
      clock,
      random,
      logger,
      authorizer,
      rules,
      rbac,
    });
    const runtime: VerbRuntime = {
      store,
      catalog: this.#catalog,
      admission: new AdmissionChain(plugins),
      clock,
      random,
      logger,
      fieldManager: createFieldManagers(clock, this.#catalog),
      allocator: new ServiceAllocator({ store, random, ...(serviceCidr !== undefined && { serviceCidr }) }),
    };
    const definitions = builtinDefinitions(
      builtinRules({
        runtime,
        authorizer,
        tokenIssuer: this.#access.serviceAccounts,
        tokenCheckers: this.#access.tokenAuthenticators,
        rules,
      }),
    );
    this.#catalog.add(definitions);
    this.#definitions = new DefinitionController(runtime);
    this.#auditor =
      options.audit === undefined
        ? undefined
        : new Auditor({
            policy: auditPolicyFor('Metadata'),
            ...options.audit,
            clock,
            random,
            logger,
            metrics,
          });
    this.#dispatcher = new Dispatcher({
      runtime,
      authorizer,
      paths: [
        discoveryPaths(this.#catalog),
        openApiPaths(this.#catalog),
        swaggerPath(this.#catalog),
        openIdPaths(this.#access.serviceAccounts),
        versionPath(),
        healthPaths([
          { name: 'ping', check: () => undefined },
          { name: 'storage', check: () => store.failure?.message },
        ]),
        metricsPath(() => metrics.expose()),
        indexPath(this.#catalog),
      ],
      logger,
      auditor: this.#auditor,
    });
    const transport = inProcessTransport(this.#dispatcher, LOOPBACK_USER);
    this.#bootstrap = new Bootstrap({ store, transport, logger, rootCa });
    const { eventTtlMs: ttlMs } = options;
    this.#eventExpiry = new EventExpiry({
      store,
      clock,
      logger,
      metrics,
      ...(ttlMs !== undefined && { ttlMs }),
    });
    this.#policyStatus = new PolicyStatus({ store, catalog: this.#catalog, transport, logger });
  }

  /**
   * Resolves when everything that the store defines is served, what every cluster has is there (namespaces,
   * default roles), and roles count. Requests wait for it by themselves.
   */
  ready(): Promise<void> {
    this.#ready ??= this.#start();
    return this.#ready;
  }

  async #start(): Promise<void> {
    await this.#definitions.start();
    await this.#bootstrap.start();
    await this.#access.start();
    await Promise.all([this.#policyStatus.start(), this.#eventExpiry.start()]);
    this.#isReady = true;
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Calls straight into the handlers, as `user`. Default: one who may do everything. */
  transport(user: UserInfo = LOOPBACK_USER): Transport {
    const handle: Dispatcher['handle'] = async (request) => {
      if (!this.#isReady) await this.ready();
      return this.#dispatcher.handle(request);
    };
    return inProcessTransport({ handle }, user);
  }

  /** Serves HTTPS as well. Resolves with the port. */
  async listen(options: ListenOptions): Promise<number> {
    const { clock, random, logger } = this.#options;
    await this.ready();
    this.#front = new HttpFront({
      dispatcher: this.#dispatcher,
      catalog: this.#catalog,
      clock,
      random,
      logger,
      authenticator: this.#access.authenticator,
      auditor: this.#auditor,
      ...options,
    });
    const port = await this.#front.listen();
    await this.#bootstrap.publishEndpoint({ address: options.host ?? '127.0.0.1', port });
    return port;
  }

  async close(): Promise<void> {
    await this.#front?.close();
    await Promise.all([this.#policyStatus.stop(), this.#eventExpiry.stop()]);
    await Promise.all([this.#definitions.stop(), this.#bootstrap.stop(), this.#access.stop()]);
    await this.#options.store.close();
    await this.#options.audit?.sink.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
