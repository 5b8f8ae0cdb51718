import {
  type ApiRequest,
  type ApiResponse,
  type ApiUpgradeResponse,
  type RawWatchEvent,
  type RequestSubject,
  statusErrorFromResponse,
  type Transport,
} from '@windlass/apimachinery';
import {
  Backoff,
  type Clock,
  type Logger,
  type Random,
  sleep,
  throwIfAborted,
  withDeadline,
} from '@windlass/base';
import { InvalidRequestError } from '../errors.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { type RequestReport, requestEnds, requestStarts } from './request-reports.ts';
import { retryAfterMs } from './retry-after.ts';
import { afterError, afterResponse, type RetryVerdict } from './retry-rules.ts';
import type { TokenBucket } from './token-bucket.ts';
import { type ApiWarning, parseWarnings } from './warnings.ts';

/** What every call to the API server may be given. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /**
   * The whole call, with its waits and retries, may take this many milliseconds. Zero: no limit.
   * @default the client's
   */
  readonly timeoutMs?: number;
}

export interface ApiCallerOptions {
  readonly transport: Transport;
  /** The address of the API server, without a slash at its end; undefined when it is in this process. */
  readonly server: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
  readonly limiter: TokenBucket | undefined;
  readonly maxRetries: number;
  readonly maxRetryAfterMs: number;
  readonly timeoutMs: number;
  readonly onWarning: (warning: ApiWarning, request: ApiRequest) => void;
}

/** A failure without an answer is tried again this often: longer outages are for the caller to judge. */
const MAX_ERROR_RETRIES = 3;
const ERROR_BACKOFF = Object.freeze({ initialMs: 100, maxMs: 2000 });

/** Sends requests by the client's policy: limits, retries, deadlines, metrics; and throws what fails. */
export class ApiCaller {
  readonly #options: ApiCallerOptions;

  constructor(options: ApiCallerOptions) {
    this.#options = options;
  }

  /**
   * The answer of a request that succeeded; a StatusError otherwise.
   * @param expected other statuses that the caller knows what to do with
   */
  async call(
    request: ApiRequest,
    subject: RequestSubject,
    options: CallOptions,
    expected: readonly number[] = [],
  ): Promise<ApiResponse> {
    const observed = requestStarts.hasSubscribers || requestEnds.hasSubscribers;
    const response = observed
      ? await this.#observed(request, subject, options)
      : await this.#ask(request, options);
    this.#warn(response.headers['warning'], request);
    if (response.status >= 200 && response.status <= 206) return response;
    if (expected.includes(response.status)) return response;
    throw statusErrorFromResponse(response.status, response.body, subject, response.headers);
  }

  #ask(request: ApiRequest, options: CallOptions): Promise<ApiResponse> {
    const { transport } = this.#options;
    return this.#withDeadline(request, options, (bounded) =>
      this.#send(bounded, (attempt) => transport.request(attempt), true),
    );
  }

  async #observed(request: ApiRequest, subject: RequestSubject, options: CallOptions): Promise<ApiResponse> {
    const { clock, server } = this.#options;
    const report: RequestReport = { request, subject, server, startedAt: clock.monotonic() };
    requestStarts.publish(report);
    const { headers, around } = report;
    const sent =
      headers === undefined ? request : { ...request, headers: { ...request.headers, ...headers } };
    const ask = () => this.#ask(sent, options);
    try {
      report.response = await (around === undefined ? ask() : around(ask));
      return report.response;
    } catch (error) {
      report.error = error;
      throw error;
    } finally {
      report.tookMs = clock.monotonic() - report.startedAt;
      requestEnds.publish(report);
    }
  }

  /** The events of a watch that was established. The signal holds for as long as it is read. */
  async watch(
    request: ApiRequest,
    subject: RequestSubject,
    signal: AbortSignal | undefined,
  ): Promise<AsyncIterable<readonly RawWatchEvent[]>> {
    const { transport } = this.#options;
    const bounded = signal === undefined ? request : { ...request, signal };
    const response = await this.#send(bounded, (attempt) => transport.watch(attempt), false);
    this.#warn(response.headers['warning'], request);
    if (response.status === 200 && response.events !== undefined) return response.events;
    throw statusErrorFromResponse(response.status, response.body, subject, response.headers);
  }

  /** The bytes of an answer that comes over time. The signal holds for as long as they are read. */
  async stream(
    request: ApiRequest,
    subject: RequestSubject,
    signal: AbortSignal | undefined,
  ): Promise<AsyncIterable<Uint8Array>> {
    const { transport } = this.#options;
    const bounded = signal === undefined ? request : { ...request, signal };
    const stream = transport.stream?.bind(transport);
    if (stream === undefined) throw cannot('stream an answer', request);
    const response = await this.#send(bounded, (attempt) => stream(attempt), false);
    this.#warn(response.headers['warning'], request);
    if (response.status === 200 && response.bytes !== undefined) return response.bytes;
    throw statusErrorFromResponse(response.status, response.body, subject, response.headers);
  }

  /** Whether answers can be read while they come. */
  get canStream(): boolean {
    return this.#options.transport.stream !== undefined;
  }

  /**
   * Asks for another protocol, once: what the server may have begun is not begun again. The answer may be a refusal.
   * The signal holds until the connection is closed.
   */
  async upgrade(request: ApiRequest, signal: AbortSignal | undefined): Promise<ApiUpgradeResponse> {
    const { transport, limiter, metrics } = this.#options;
    const { method } = request;
    if (transport.upgrade === undefined) throw cannot('open a connection', request);
    throwIfAborted(signal);
    if (limiter !== undefined) metrics.waited(method, await limiter.take(signal));
    try {
      const response = await transport.upgrade(signal === undefined ? request : { ...request, signal });
      metrics.answered(method, String(response.status), undefined);
      this.#warn(response.headers['warning'], request);
      return response;
    } catch (error) {
      metrics.answered(method, '<error>', undefined);
      throw error;
    }
  }

  async #withDeadline<R>(
    request: ApiRequest,
    options: CallOptions,
    run: (bounded: ApiRequest) => Promise<R>,
  ): Promise<R> {
    const { signal, timeoutMs = this.#options.timeoutMs } = options;
    if (timeoutMs === 0) return run(signal === undefined ? request : { ...request, signal });
    const what = `${request.method} ${request.path}`;
    using deadline = withDeadline(this.#options.clock, timeoutMs, what, signal);
    return await run({ ...request, signal: deadline.signal });
  }

  /** @param timed whether the time until the answer is worth measuring: a watch's is not */
  async #send<R extends Pick<ApiResponse, 'status' | 'headers'>>(
    request: ApiRequest,
    attempt: (request: ApiRequest) => Promise<R>,
    timed: boolean,
  ): Promise<R> {
    const { clock, limiter, metrics, maxRetries } = this.#options;
    const { method, signal } = request;
    let backoff: Backoff | undefined;
    for (let retries = 0; ; retries++) {
      throwIfAborted(signal);
      if (limiter !== undefined) metrics.waited(method, await limiter.take(signal));
      const startedAt = clock.monotonic();
      let verdict: RetryVerdict;
      try {
        const response = await attempt(request);
        const { status, headers } = response;
        metrics.answered(method, String(status), timed ? clock.monotonic() - startedAt : undefined);
        if (status < 400 || retries >= maxRetries) return response;
        verdict = afterResponse(method, status, retryAfterMs(headers['retry-after'], clock.now()));
        if (!verdict.retry) return response;
      } catch (error) {
        metrics.answered(method, '<error>', undefined);
        if (retries >= Math.min(maxRetries, MAX_ERROR_RETRIES)) throw error;
        verdict = afterError(method, error);
        if (!verdict.retry) throw error;
      }
      backoff ??= new Backoff({ ...ERROR_BACKOFF, clock, random: this.#options.random });
      await this.#wait(request, verdict, backoff);
    }
  }

  async #wait(request: ApiRequest, verdict: RetryVerdict & { retry: true }, backoff: Backoff): Promise<void> {
    const { clock, logger, metrics, maxRetryAfterMs } = this.#options;
    const { method, path, signal } = request;
    // Zero means at once; at once and ten times over would be an attack.
    const waitMs = Math.min(verdict.afterMs || backoff.next(), maxRetryAfterMs);
    metrics.retried(method, verdict.reason);
    logger.debug('sending a request again', { method, path, reason: verdict.reason, waitMs });
    await sleep(clock, waitMs, signal);
  }

  #warn(header: string | undefined, request: ApiRequest): void {
    if (header === undefined) return;
    for (const warning of parseWarnings(header)) this.#options.onWarning(warning, request);
  }
}

function cannot(what: string, { path }: ApiRequest): InvalidRequestError {
  return new InvalidRequestError(
    `the transport of this client cannot ${what} (${path}); use createClient({ config }), or a transport that has ` +
      'stream() and upgrade() as those of startCluster() do',
  );
}
