import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { KubeObject } from '@windlass/apimachinery';
import {
  type Clock,
  isCancelled,
  type Logger,
  type Metrics,
  type Random,
  sleep,
  toError,
  withDeadline,
} from '@windlass/base';
import type { Client } from '@windlass/client';
import type { Runnable, RunnableContext } from '../runnable.ts';
import { parseAddress } from '../servers/address.ts';
import { HttpServer } from '../servers/http-server.ts';
import type { Mutate, Validate } from './admission.ts';
import { type CaBundleTargets, keepCaBundles, publishCaBundle } from './ca-bundle.ts';
import {
  CertificateError,
  type CertificateSet,
  checkServerPair,
  renewalTime,
  renewed,
} from './certificate-set.ts';
import { type CertificateStore, memoryStore } from './certificate-store.ts';
import type { Convert } from './conversion.ts';
import { BadReviewError, Reviews, type Webhook } from './reviews.ts';
import { webhookMetrics } from './webhook-metrics.ts';

/** What a server of webhooks serves, and where. */
export interface WebhookOptions {
  /** Where webhooks are served: `:9443`. */
  readonly address: string;
  /** Names and addresses that API servers reach it by: `my-operator.my-namespace.svc`. */
  readonly hosts: readonly string[];
  /** What is served: webhooks made by `validate`, `mutate` and `convert`. @default what is added later */
  readonly serve?: readonly Webhook[];
  /** Where certificates are kept. @default in memory, which is for one replica */
  readonly certificates?: CertificateStore | ((client: Client) => CertificateStore);
  /** Configurations that are told whom to trust. @default none */
  readonly publishTo?: CaBundleTargets;
  /** How often certificates are looked at: for new ones in the store, and for their age. @default 600000 */
  readonly checkMs?: number;
  /** @default 3650 */
  readonly authorityDays?: number;
  /** @default 365 */
  readonly serverDays?: number;
}

export interface WebhookServerOptions extends WebhookOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const DEFAULTS = { checkMs: 600_000, authorityDays: 3650, serverDays: 365, publishTo: {}, serve: [] };
/** API servers send no more than 3 MiB of object, twice for an update, and some more around it. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** How soon a configuration that was missing is looked for again. */
const PUBLISH_AGAIN_MS = 10_000;
/** API servers wait for thirty seconds at most. */
const HANDLER_TIMEOUT_MS = 30_000;

/**
 * Serves admission and conversion webhooks over HTTPS, with certificates that it makes, shares and replaces
 * itself. A handler that fails refuses the request it was asked about, and harms no other.
 */
export class WebhookServer implements Runnable {
  readonly name = 'webhook server';
  readonly signalsReady = true;
  readonly #options: Required<Omit<WebhookServerOptions, 'certificates'>>;
  readonly #store: CertificateStore;
  readonly #reviews = new Reviews((path, thrown) => this.#failed(path, thrown));
  #certificates: CertificateSet | undefined = undefined;
  /** Configurations that were not there when they were to be told whom to trust. */
  #unpublished: readonly string[] = [];
  #server: TlsServer | undefined = undefined;
  #http: HttpServer | undefined = undefined;

  constructor(options: WebhookServerOptions) {
    const { certificates = memoryStore(), ...rest } = options;
    this.#options = { ...DEFAULTS, ...rest };
    this.#store = typeof certificates === 'function' ? certificates(options.client) : certificates;
    parseAddress('address', options.address);
    this.add(...this.#options.serve);
  }

  /** Once it listens. */
  get port(): number | undefined {
    return this.#http?.port;
  }

  /** Whom to trust, as PEM, once certificates are there. */
  get caBundle(): string | undefined {
    return this.#certificates?.caBundle;
  }

  /** Serves webhooks that are made by `validate`, `mutate` and `convert`; all versions of a kind at once. */
  add(...webhooks: readonly Webhook[]): this {
    this.#reviews.add(webhooks);
    return this;
  }

  validate<T extends KubeObject>(path: string, validate: Validate<T>): this {
    this.#reviews.validate(path, validate);
    return this;
  }

  mutate<T extends KubeObject>(path: string, mutate: Mutate<T>): this {
    this.#reviews.mutate(path, mutate);
    return this;
  }

  convert(path: string, convert: Convert): this {
    this.#reviews.convert(path, convert);
    return this;
  }

  async run(context: RunnableContext): Promise<void> {
    const { signal } = context;
    const { address, logger } = this.#options;
    await this.#refresh(signal);
    const { server } = this.#require();
    this.#http = new HttpServer({
      name: this.name,
      address: parseAddress('address', address),
      tls: server,
      logger,
      handle: (request, response) => this.#serve(request, response),
      onServer: (made: Server) => {
        // It was given certificates, so it is one of HTTPS.
        this.#server = made as TlsServer;
      },
    });
    const watching = this.#watch(signal);
    const { client, clock, publishTo: targets } = this.#options;
    const authority = (): string => this.caBundle ?? '';
    const keeping = keepCaBundles({ client, targets, authority, clock, logger, signal });
    await this.#http.run(context);
    await Promise.all([watching, keeping]);
  }

  /** Looks for new certificates now and then. What goes wrong is logged: the old ones still serve. */
  async #watch(signal: AbortSignal): Promise<void> {
    const { clock, checkMs, logger } = this.#options;
    while (!signal.aborted) {
      try {
        const { server } = this.#require();
        const dueMs = Math.max(1000, renewalTime(server.cert) - clock.now());
        const againMs = this.#unpublished.length > 0 ? PUBLISH_AGAIN_MS : checkMs;
        await sleep(clock, Math.min(checkMs, againMs, dueMs), signal);
        await this.#refresh(signal);
      } catch (thrown) {
        if (isCancelled(thrown) && signal.aborted) return;
        this.#count('certwatcher_read_certificate_errors_total', 'Total number of certificate read errors');
        logger.error('the certificates of the webhook server could not be renewed; the old ones stay', {
          error: toError(thrown),
        });
      }
    }
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    const { hosts, clock, client, publishTo, logger } = this.#options;
    const next = await this.#load(signal);
    checkServerPair(this.#store.name, next.server, this.#store.isWritable ? hosts : [], clock.now());
    this.#count('certwatcher_read_certificate_total', 'Total number of certificate reads');
    const isNew = next.server.cert !== this.#certificates?.server.cert;
    // Those who ask must trust the new authority before they meet it. A watch keeps it so, where one is allowed.
    if (next.caBundle !== '') {
      this.#unpublished = await publishCaBundle(client, publishTo, next.caBundle, signal);
      if (this.#unpublished.length > 0 && isNew)
        logger.warn('configurations that are to trust this webhook server do not exist yet', {
          missing: this.#unpublished,
        });
    }
    this.#certificates = next;
    if (!isNew || this.#server === undefined) return;
    this.#server.setSecureContext(next.server);
    logger.info('the webhook server has a new certificate');
  }

  async #load(signal: AbortSignal): Promise<CertificateSet> {
    const store = this.#store;
    for (let attempt = 0; attempt < 5; attempt++) {
      const found = await store.load(signal);
      if (!store.isWritable) {
        if (found === undefined) throw new CertificateError(store.name, 'there is none');
        return found;
      }
      const wanted = renewed(found, this.#options);
      if (wanted === found || (await store.save(wanted, signal))) return wanted;
    }
    throw new CertificateError(store.name, 'other replicas keep changing it');
  }

  #require(): CertificateSet {
    if (this.#certificates === undefined) throw new CertificateError(this.#store.name, 'it was not loaded');
    return this.#certificates;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, metrics } = this.#options;
    const path = new URL(request.url ?? '/', 'https://localhost').pathname;
    if (!this.#reviews.has(path))
      return send(response, 404, JSON.stringify({ message: `there is no webhook at ${path}` }));
    const measured = webhookMetrics(metrics, path);
    const startedAt = clock.monotonic();
    measured.started();
    let code = 200;
    try {
      if (request.method !== 'POST')
        throw new BadReviewError(`a webhook is asked with POST, not ${request.method}`);
      using deadline = withDeadline(clock, HANDLER_TIMEOUT_MS, `the webhook at ${path}`);
      send(response, 200, await this.#reviews.answer(path, await readBody(request), deadline.signal));
    } catch (thrown) {
      const error = toError(thrown);
      code = error instanceof BadReviewError ? 400 : 500;
      if (code === 500) this.#failed(path, error);
      send(response, code, JSON.stringify({ message: error.message }));
    } finally {
      measured.finished(code, clock.monotonic() - startedAt);
    }
  }

  #failed(path: string, thrown: unknown): void {
    const { logger, metrics } = this.#options;
    webhookMetrics(metrics, path).panicked();
    logger.error('a webhook failed', { path, error: toError(thrown) });
  }

  #count(name: string, help: string): void {
    this.#options.metrics.counter({ name, help }).labels().inc();
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    // Without an encoding a request gives buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > MAX_BODY_BYTES) throw new BadReviewError(`the body is longer than ${MAX_BODY_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, json: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(json);
}
