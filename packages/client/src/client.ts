import type { ApiRequest, ApiResponse, KubeObject, ResourceType, Transport } from '@windlass/apimachinery';
import {
  type Clock,
  InvalidArgumentError,
  type Logger,
  type Metrics,
  noMetrics,
  type Random,
  realClock,
  silentLogger,
  systemRandom,
} from '@windlass/base';
import type { ClientFor } from './client-for.ts';
import type { ClientConfig } from './config.ts';
import { Discovery, type KindQuery, type PluralQuery } from './discovery/discovery.ts';
import { PodsClient } from './pods/pods-client.ts';
import { ApiCaller, type CallOptions } from './policy/api-caller.ts';
import { RequestMetrics } from './policy/request-metrics.ts';
import { TokenBucket } from './policy/token-bucket.ts';
import type { ApiWarning } from './policy/warnings.ts';
import type { FieldValidation } from './resource/options.ts';
import type { WriteDefaults } from './resource/query.ts';
import { ResourceClient } from './resource/resource-client.ts';
import { Target, type TypeSource } from './resource/target.ts';
import type { HttpTransportOptions } from './transport/http-options.ts';
import { HttpTransport } from './transport/http-transport.ts';

/** An object of a kind that is known at run time only. */
export interface DynamicObject extends KubeObject {
  [field: string]: unknown;
}

/** Which server a client talks to, and how patient it is. */
export interface ClientOptions {
  /** The server to talk to over HTTP. Either this or `transport`. */
  readonly config?: ClientConfig;
  /** Any other way to a server. The client does not close it. */
  readonly transport?: Transport;
  /** For the connections that `config` opens. */
  readonly http?: Omit<HttpTransportOptions, 'config' | 'clock' | 'logger' | 'metrics'>;
  /**
   * At most this many requests a second, on average. The API server has its own limits, fair to all, so
   * by default there are none here.
   * @default none
   */
  readonly qps?: number;
  /** With `qps`, how many requests may come at once. @default twice qps */
  readonly burst?: number;
  /** How often a request is sent again when the server asks for that (Retry-After). @default 10 */
  readonly maxRetries?: number;
  /** The longest that one Retry-After is waited for, whatever it says. @default 60000 */
  readonly maxRetryAfterMs?: number;
  /** A deadline for each call, with its waits and retries. Zero: none. @default 0 */
  readonly timeoutMs?: number;
  /** Who owns the fields that writes change. @default none; the server takes the user agent */
  readonly fieldManager?: string;
  /** @default the server's, which is Warn */
  readonly fieldValidation?: FieldValidation;
  /** Told what the server notes beside its answers. @default they are logged */
  readonly onWarning?: (warning: ApiWarning, request: ApiRequest) => void;
  /** @default the machine's */
  readonly clock?: Clock;
  /** @default the machine's */
  readonly random?: Random;
  /** @default none */
  readonly logger?: Logger;
  /** @default none */
  readonly metrics?: Metrics;
}

/** The defaults of `ClientOptions`. */
export const DEFAULT_CLIENT_OPTIONS = Object.freeze({
  maxRetries: 10,
  maxRetryAfterMs: 60_000,
  timeoutMs: 0,
});

/** The way to one API server as one user. Everything that talks to it can share one. */
export interface Client extends AsyncDisposable {
  /** The namespace of the context it was made from. For callers that want one; no call fills it in. */
  readonly namespace: string;
  readonly discovery: Discovery;
  /**
   * For a kind of the generated modules: typed, and known without asking the server. What needs a namespace is
   * there after `namespace('…')`; a kind that lives in no namespace has no such call.
   */
  resource<T extends KubeObject>(type: ResourceType<T>): ClientFor<T>;
  /** For a kind or a plural that the server is asked about: custom resources, and what is named at run time. */
  resource<T extends KubeObject = DynamicObject>(query: KindQuery | PluralQuery): ResourceClient<T>;
  /** Any request, by path. @throws StatusError unless it succeeds */
  request(request: Omit<ApiRequest, 'signal'>, options?: CallOptions): Promise<ApiResponse>;
  /** Closes the connections that it opened. */
  close(): Promise<void>;
}

/** Makes a client of a server that `config` or `transport` leads to. It connects at the first request. */
export function createClient(options: ClientOptions): Client {
  const { config, transport } = options;
  if ((config === undefined) === (transport === undefined)) {
    throw new InvalidArgumentError('options', options, 'an object with either config or transport');
  }
  if (transport !== undefined) return assemble(transport, undefined, undefined, options);
  if (config === undefined) throw new InvalidArgumentError('config', config, 'a ClientConfig');
  const { clock, logger, metrics } = options;
  const http = new HttpTransport({
    ...options.http,
    config,
    ...(clock === undefined ? {} : { clock }),
    ...(logger === undefined ? {} : { logger }),
    ...(metrics === undefined ? {} : { metrics }),
  });
  return assemble(http, http, new URL(config.server), options);
}

function assemble(
  transport: Transport,
  owned: AsyncDisposable | undefined,
  server: URL | undefined,
  options: ClientOptions,
): Client {
  const { clock = realClock, random = systemRandom, logger = silentLogger, qps } = options;
  const caller = new ApiCaller({
    transport,
    server: server && `${server.origin}${server.pathname}`.replace(/\/$/, ''),
    maxRetries: options.maxRetries ?? DEFAULT_CLIENT_OPTIONS.maxRetries,
    maxRetryAfterMs: options.maxRetryAfterMs ?? DEFAULT_CLIENT_OPTIONS.maxRetryAfterMs,
    timeoutMs: options.timeoutMs ?? DEFAULT_CLIENT_OPTIONS.timeoutMs,
    clock,
    random,
    logger,
    metrics: new RequestMetrics(options.metrics ?? noMetrics, server?.host ?? 'in-process'),
    limiter:
      qps === undefined
        ? undefined
        : new TokenBucket({ clock, qps, burst: options.burst ?? Math.max(1, Math.ceil(qps * 2)) }),
    onWarning:
      options.onWarning ??
      (({ text }, { method, path }) => logger.warn('the API server warns', { warning: text, method, path })),
  });
  const discovery = new Discovery(caller);
  const defaults: WriteDefaults = {
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
  };
  const close = async (): Promise<void> => owned?.[Symbol.asyncDispose]();
  return {
    namespace: options.config?.namespace ?? 'default',
    discovery,
    resource: <T extends KubeObject>(type: ResourceType<T> | KindQuery | PluralQuery): ResourceClient<T> => {
      const target = new Target(typeSource(type, discovery));
      const context = { caller, target, namespace: undefined, defaults, random, clock };
      // The type of core's pods is Pod.
      if (isPods(target.known)) return new PodsClient(context) as unknown as ResourceClient<T>;
      return new ResourceClient<T>(context);
    },
    request: (request, call = {}) => caller.call(request, { method: request.method }, call),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function typeSource(type: ResourceType | KindQuery | PluralQuery, discovery: Discovery): TypeSource {
  if (isComplete(type)) return type;
  if ('kind' in type) return (signal) => discovery.kind(type, signal === undefined ? {} : { signal });
  return (signal) => discovery.plural(type, signal === undefined ? {} : { signal });
}

function isPods(type: ResourceType | undefined): boolean {
  return type?.group === '' && type.plural === 'pods';
}

function isComplete(type: Partial<ResourceType>): type is ResourceType {
  const { version, kind, plural, namespaced } = type;
  return version !== undefined && kind !== undefined && plural !== undefined && namespaced !== undefined;
}
