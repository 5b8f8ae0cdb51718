import { networkInterfaces } from 'node:os';
import type { Transport } from '@windlass/apimachinery';
import { MetricsRegistry, realClock, silentLogger, systemRandom } from '@windlass/base';
import { Access } from './access/access.ts';
import { allowedNamesOf } from './access/front-proxy.ts';
import { SYSTEM_MASTERS, type UserInfo } from './access/user.ts';
import { AdmissionChain } from './admission/chain.ts';
import { defaultPlugins } from './admission/default-plugins.ts';
import { enabledPlugins } from './admission/optional-plugins.ts';
import { PolicyStatus } from './admission/policies/policy-status.ts';
import { Aggregation } from './aggregation/aggregation.ts';
import type { ApiServerOptions, ListenOptions } from './api-server-options.ts';
import { auditPolicyFor } from './audit/audit-policy.ts';
import { Auditor } from './audit/auditor.ts';
import { advertisedAddress } from './bootstrap/advertised-address.ts';
import { Bootstrap } from './bootstrap/bootstrap.ts';
import { OwnCalls } from './bootstrap/own-calls.ts';
import { ServiceAllocator } from './builtin/core/service/service-allocator.ts';
import { builtinDefinitions } from './builtin/definitions.ts';
import { builtinRules } from './builtin/kinds.ts';
import { connectForms } from './connect/connect-forms.ts';
import { NodeConnections } from './connect/node-connections.ts';
import { DefinitionController } from './definitions/definition-controller.ts';
import { discoveryPaths } from './discovery/discovery.ts';
import { FlowConfiguration } from './flowcontrol/configuration/flow-configuration.ts';
import { FlowControl } from './flowcontrol/flow-control.ts';
import { ObjectCounts } from './flowcontrol/object-counts.ts';
import { serverLimit } from './flowcontrol/server-limit.ts';
import { LargeWrites } from './large-writes/large-writes.ts';
import { AddressRepair } from './lifetime/address-repair.ts';
import { EventExpiry } from './lifetime/event-expiry.ts';
import { KubeletUsage } from './metrics/kubelet-usage.ts';
import { metricsDefinitions } from './metrics/metrics-definitions.ts';
import { openApiPaths } from './openapi/openapi-paths.ts';
import { swaggerPath } from './openapi/swagger-path.ts';
import { flowControlPaths } from './paths/flow-control-paths.ts';
import { healthPaths, metricsPath, versionPath } from './paths/health.ts';
import { indexPath } from './paths/index-path.ts';
import { openIdPaths } from './paths/openid-paths.ts';
import { serverChecks } from './paths/server-checks.ts';
import { snapshotPath } from './paths/snapshot-path.ts';
import { Catalog } from './resource/catalog.ts';
import { Dispatcher } from './server/dispatcher.ts';
import { HttpFront } from './server/http/http-front.ts';
import { inProcessTransport } from './server/in-process.ts';
import { createFieldManagers } from './verbs/field-managers.ts';
import type { VerbRuntime } from './verbs/runtime.ts';

/** The identity of whoever runs in the server's own process. */
const LOOPBACK_USER: UserInfo = Object.freeze({
  name: 'system:apiserver',
  groups: Object.freeze([SYSTEM_MASTERS, 'system:authenticated']),
});

/** Of the addresses of services. */
const DEFAULT_RANGE = '10.0.0.0/24';

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
  readonly #addressRepair: AddressRepair;
  #front: HttpFront | undefined = undefined;
  readonly #auditor: Auditor | undefined;
  readonly #largeWrites: LargeWrites;
  readonly #aggregation: Aggregation;
  readonly #usage: KubeletUsage | undefined;
  readonly #ownCalls: OwnCalls;
  readonly #flowControl: FlowControl;
  readonly #flowConfiguration: FlowConfiguration;

  constructor(options: ApiServerOptions) {
    this.#options = {
      clock: realClock,
      random: systemRandom,
      logger: silentLogger,
      metrics: new MetricsRegistry(),
      ...options,
    };
    const { store, clock, random, logger, metrics } = this.#options;
    const { serviceAccountKey, tokens = [], rootCa, serviceCidr = DEFAULT_RANGE } = options;
    this.#access = new Access({
      store,
      clock,
      random,
      logger,
      tokens,
      bootstrapTokens: options.bootstrapTokens ?? true,
      frontProxyNames: options.frontProxy === undefined ? [] : allowedNamesOf(options.frontProxy),
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
      localWebhooks: options.localWebhooks,
    });
    const runtime: VerbRuntime = {
      store,
      catalog: this.#catalog,
      admission: new AdmissionChain(enabledPlugins(plugins, options.disabledAdmissionPlugins ?? [])),
      clock,
      random,
      logger,
      fieldManager: createFieldManagers(clock, this.#catalog),
      allocator: new ServiceAllocator({ store, random, clock, logger }),
    };
    const definitions = builtinDefinitions(
      builtinRules({
        runtime,
        authorizer,
        tokenIssuer: this.#access.serviceAccounts,
        tokenCheckers: this.#access.tokenAuthenticators,
        rules,
        connect: connectForms(store, new NodeConnections(store, options.nodes ?? {})),
      }),
    );
    this.#catalog.add(definitions);
    const { readKubelet } = options.resourceMetrics ?? {};
    this.#usage =
      readKubelet === undefined ? undefined : new KubeletUsage({ store, clock, logger, readKubelet });
    const measured = this.#usage?.read;
    if (options.resourceMetrics !== undefined)
      this.#catalog.add(metricsDefinitions({ store, clock, ...(measured !== undefined && { measured }) }));
    this.#definitions = new DefinitionController(runtime, options.localWebhooks);
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
    this.#largeWrites = new LargeWrites({
      runtime,
      clock,
      logger,
      metrics,
      ...(options.largeWriteBytes !== undefined && { largeBytes: options.largeWriteBytes }),
    });
    this.#aggregation = new Aggregation({
      store,
      catalog: this.#catalog,
      clock,
      logger,
      metrics,
      client: options.frontProxy?.client,
    });
    const counts = new ObjectCounts(store, this.#catalog, clock);
    this.#flowControl = new FlowControl({
      clock,
      metrics,
      serverLimit: serverLimit(options),
      statsOf: (info) => counts.of(info),
    });
    this.#dispatcher = new Dispatcher({
      runtime,
      largeWrites: this.#largeWrites,
      authorizer,
      delegate: this.#aggregation.proxy,
      paths: [
        this.#aggregation.discovery(discoveryPaths(this.#catalog)),
        this.#aggregation.openApi(openApiPaths(this.#catalog, clock)),
        this.#aggregation.openApi(swaggerPath(this.#catalog)),
        openIdPaths(this.#access.serviceAccounts),
        versionPath(),
        healthPaths(serverChecks(store, this.#definitions)),
        metricsPath(() => metrics.expose()),
        flowControlPaths(this.#flowControl, clock),
        snapshotPath(store),
        indexPath(this.#catalog),
      ],
      logger,
      auditor: this.#auditor,
    });
    const transport = inProcessTransport(this.#dispatcher, LOOPBACK_USER);
    this.#ownCalls = new OwnCalls(transport);
    const { frontProxy, clientCa } = options;
    this.#bootstrap = new Bootstrap({
      store,
      transport,
      clock,
      logger,
      rootCa,
      serviceCidr,
      namespaceDefaults: options.namespaceDefaults ?? true,
      trusted: {
        clientCa,
        frontProxy: frontProxy && { ca: frontProxy.ca, allowedNames: allowedNamesOf(frontProxy) },
      },
    });
    this.#flowConfiguration = new FlowConfiguration({
      store,
      transport,
      clock,
      random,
      logger,
      flowControl: this.#flowControl,
    });
    const { eventTtlMs: ttlMs } = options;
    this.#eventExpiry = new EventExpiry({
      store,
      clock,
      logger,
      metrics,
      ...(ttlMs !== undefined && { ttlMs }),
    });
    this.#addressRepair = new AddressRepair({ store, clock, random, logger, metrics });
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
    await this.#aggregation.start(this.#ownCalls);
    await Promise.all([
      this.#policyStatus.start(),
      ...(this.#options.store.expiresEvents ? [] : [this.#eventExpiry.start()]),
      this.#addressRepair.start(),
      this.#flowConfiguration.start(),
    ]);
    this.#usage?.start();
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
    const { clock, random, logger, metrics } = this.#options;
    await this.ready();
    this.#flowConfiguration.keepAdjusting();
    this.#front = new HttpFront({
      dispatcher: this.#dispatcher,
      flowControl: this.#flowControl,
      clock,
      random,
      logger,
      metrics,
      authenticator: this.#access.authenticator,
      auditor: this.#auditor,
      ...options,
    });
    const port = await this.#front.listen();
    const { host = '127.0.0.1', advertiseAddress = advertisedAddress(host, networkInterfaces()) } = options;
    const addresses = advertiseAddress === undefined ? [] : [advertiseAddress];
    await this.#bootstrap.publishEndpoint({ addresses, port });
    return port;
  }

  /** Serves nobody outside of this process any more; those inside go on. Idempotent. */
  async stopListening(): Promise<void> {
    await this.#bootstrap.withdrawEndpoint();
    await this.#front?.close();
  }

  async close(): Promise<void> {
    await this.stopListening();
    await this.#largeWrites.close();
    await this.#usage?.stop();
    await Promise.all([
      this.#policyStatus.stop(),
      this.#eventExpiry.stop(),
      this.#addressRepair.stop(),
      this.#flowConfiguration.stop(),
      this.#aggregation.stop(),
    ]);
    await Promise.all([this.#definitions.stop(), this.#bootstrap.stop(), this.#access.stop()]);
    await this.#options.store.close();
    await this.#options.audit?.sink.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
