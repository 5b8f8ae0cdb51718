import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { StatusError, toStatus } from '@windlass/apimachinery';
import { type Clock, fieldOf, isCancelled, type Logger, type Random, turnMarks } from '@windlass/base';
import { isWebSocketRequest } from '@windlass/streams';
import type { ServerRequest, ServerResponse } from '../../exchange/exchange.ts';
import type { FlowControl } from '../../flowcontrol/flow-control.ts';
import { first } from '../../request/list-options.ts';
import { requestInfoOf } from '../../request/request-info.ts';
import { notAllowed } from '../check-served.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { type EncodedBody, encodeObject, encodeValue, parseInclude } from '../encode/encode.ts';
import { encodeList } from '../encode/encode-list.ts';
import { checkMetadataKind } from '../encode/metadata-kind.ts';
import { encodingsFor, negotiate, type OutputForm } from '../encode/negotiation.ts';
import { retryHeaders } from '../failure-response.ts';
import { ClientPatience } from './client-patience.ts';
import { discardRest } from './discard-rest.ts';
import type { FrontAuthentication } from './front-authentication.ts';
import { acceptsGzip, firstValue, flatHeaders, isPretty, splitUrl } from './http-request.ts';
import { readRequestBody } from './request-body.ts';
import type { RequestLimits } from './request-limits.ts';
import { RequestSeats } from './request-seats.ts';
import { hangUp, type SendOptions, send } from './send.ts';
import { sendStream } from './send-stream.ts';
import { endConnection, hangUpWhenIdle, switchProtocols } from './upgrade-request.ts';
import { writeWatchMessages } from './watch-messages.ts';
import { writeWatch } from './watch-writer.ts';
import { withoutWebSocketToken } from './websocket-token.ts';

/** What all exchanges of a front share. */
export interface ExchangeServices {
  readonly dispatcher: Pick<Dispatcher, 'handle'>;
  readonly authentication: FrontAuthentication;
  readonly limits: RequestLimits;
  readonly flowControl: FlowControl;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** For the body to arrive, and for the client to read something of the answer, in milliseconds. */
  readonly timeoutMs: number;
}

const FLOW_SCHEMA_UID = 'x-kubernetes-pf-flowschema-uid';
const PRIORITY_LEVEL_UID = 'x-kubernetes-pf-prioritylevel-uid';
export interface ExchangeOptions {
  /** Aborts when the client has gone, or the server stops. */
  readonly signal: AbortSignal;
  /** The client asks for another protocol on its connection, and nothing else is under way on it. */
  readonly isUpgrade: boolean;
}

type Method = ServerRequest['method'];
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** One request over HTTP and its answer. */
export class HttpExchange {
  readonly #request: Http2ServerRequest;
  readonly #response: Http2ServerResponse;
  readonly #signal: AbortSignal;
  readonly #isUpgrade: boolean;
  readonly #services: ExchangeServices;
  #seats: RequestSeats | undefined = undefined;
  #releaseBody = (): void => {};

  constructor(
    request: Http2ServerRequest,
    response: Http2ServerResponse,
    { signal, isUpgrade }: ExchangeOptions,
    services: ExchangeServices,
  ) {
    this.#request = request;
    this.#response = response;
    this.#signal = signal;
    this.#isUpgrade = isUpgrade;
    this.#services = services;
  }

  /** Resolves when the client has its answer, or is gone. */
  async serve(): Promise<void> {
    const { dispatcher, clock, random } = this.#services;
    const auditId = firstValue(this.#request.headers['audit-id']) ?? random.uuid();
    this.#response.setHeader('audit-id', auditId);
    try {
      const incoming = await this.#incoming(auditId);
      const answer = await dispatcher.handle(incoming);
      // What is handed on is read by the other side.
      if (answer.type !== 'stream' && answer.type !== 'upgrade') discardRest(this.#request, clock);
      await this.#respond(incoming, answer);
    } catch (thrown) {
      await this.#fail(thrown);
    }
  }

  /** Gives back what the request has held. */
  release(): void {
    this.#seats?.release();
    this.#releaseBody();
  }

  async #fail(thrown: unknown): Promise<void> {
    const { headers, url } = this.#request;
    if (this.#response.headersSent || (isCancelled(thrown) && this.#signal.aborted)) {
      this.#response.stream?.close?.();
      return;
    }
    discardRest(this.#request, this.#services.clock);
    const status = toStatus(thrown);
    if (!(thrown instanceof StatusError))
      this.#services.logger.error('a request failed', { url, error: thrown });
    const form: OutputForm = { encoding: 'json', as: 'itself', version: '', isPretty: isPretty(headers, {}) };
    await this.#send(encodeValue(status, form), {
      status: status.code ?? 500,
      headers: retryHeaders(status.details?.retryAfterSeconds),
      acceptsGzip: acceptsGzip(headers),
      isHead: false,
    });
  }

  /** Who asks for what. The body comes later, when it is known that the caller may send one. */
  async #incoming(auditId: string): Promise<ServerRequest> {
    const request = this.#request;
    const { authentication, limits, flowControl } = this.#services;
    const url = splitUrl(request.url);
    const asked = request.method === 'HEAD' ? 'GET' : request.method;
    if (!METHODS.has(asked)) throw notAllowed();
    // One of METHODS, as was just seen.
    const method = asked as Method;
    const info = requestInfoOf({ method, ...url });
    const headers = withoutWebSocketToken(flatHeaders(request.headers));
    const source = request.socket.remoteAddress;
    const known = {
      method,
      ...url,
      headers,
      auditId,
      ...(source !== undefined && { sourceAddress: source }),
    };
    const user = await authentication.authenticate(request, known, info);
    const seats = new RequestSeats({
      flowControl,
      limits,
      info,
      query: url.query,
      caller: user,
      signal: this.#signal,
      onClassified: (schemaUid, levelUid) => {
        this.#response.setHeader(FLOW_SCHEMA_UID, schemaUid);
        this.#response.setHeader(PRIORITY_LEVEL_UID, levelUid);
      },
      onGivenUp: () => hangUp(this.#response),
    });
    this.#seats = seats;
    const hasBody = method !== 'GET';
    return {
      ...known,
      info,
      user,
      signal: this.#signal,
      takeSeats: (as) => seats.take(as),
      onWatchBegun: () => seats.done(),
      ...(this.#isUpgrade && { isUpgrade: true }),
      ...(hasBody && { readBody: () => this.#readBody(seats), openBody: () => request }),
    };
  }

  async #readBody(seats: RequestSeats): Promise<Uint8Array | undefined> {
    const { clock, timeoutMs: limitMs, limits } = this.#services;
    const { body, release } = await seats.whileReceiving((patience) =>
      readRequestBody(this.#request, seats.owner, this.#signal, {
        clock,
        limitMs,
        patience,
        bytes: limits.bodyBytes,
      }),
    );
    this.#releaseBody = release;
    return body;
  }

  async #respond(request: ServerRequest, answer: ServerResponse): Promise<void> {
    const { definition } = answer;
    const headers = { 'cache-control': 'no-cache, private', ...answer.headers };
    const isHead = this.#request.method === 'HEAD';
    const sending = { status: answer.status, headers, acceptsGzip: acceptsGzip(request.headers), isHead };
    if (answer.type === 'bytes') {
      const chunk = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
      await this.#send({ contentType: answer.contentType, chunks: [chunk] }, sending);
      return;
    }
    if (answer.type === 'stream') {
      await sendStream(this.#response, answer, { headers: {}, isHead, signal: this.#signal });
      return;
    }
    if (answer.type === 'upgrade') {
      const client = switchProtocols(this.#response, answer.headers);
      const stayOn = hangUpWhenIdle(client, this.#services.clock);
      try {
        await answer.run(client);
      } finally {
        stayOn();
        endConnection(client, this.#services.clock);
      }
      return;
    }
    const isFailure = answer.type === 'object' && answer.status >= 400;
    const form = negotiate(request.headers?.['accept'], {
      encodings: encodingsFor(answer, definition),
      // A failure is told as it is, whatever was asked for.
      canTransform: definition !== undefined || isFailure,
      canBeTable: isFailure || (definition !== undefined && definition.review === undefined),
      canDiscover: answer.type === 'object' && fieldOf(answer.object, 'kind') === 'APIGroupDiscoveryList',
      isPretty: isPretty(request.headers ?? {}, request.query ?? {}),
    });
    const options = {
      form: isFailure ? { ...form, as: 'itself' as const } : form,
      definition,
      include: parseInclude(first(request.query?.['includeObject'])),
      now: this.#services.clock.now(),
    };
    if (!isFailure) checkMetadataKind(form, answer, definition);
    turnMarks.doing('answer', request.path);
    if (answer.type === 'watch') {
      this.#seats?.watchAnswered();
      const patience = new ClientPatience(() => this.#seats?.done());
      const { clock } = this.#services;
      const watch = { ...options, headers, signal: request.signal, clock };
      if (this.#isUpgrade && isWebSocketRequest(request.headers ?? {}))
        await writeWatchMessages(this.#response, request.headers ?? {}, answer.events, watch);
      else await writeWatch(this.#response, answer.events, { ...watch, patience });
      return;
    }
    const body = answer.type === 'list' ? encodeList(answer.list, options) : encodeObject(answer, options);
    await this.#send(body, sending);
  }

  #send(
    body: EncodedBody,
    options: Omit<SendOptions, 'clock' | 'limitMs' | 'patience' | 'onWritten'>,
  ): Promise<void> {
    const { clock, timeoutMs: limitMs } = this.#services;
    const patience = this.#seats?.patience ?? new ClientPatience(() => {});
    return send(this.#response, body, {
      ...options,
      clock,
      limitMs,
      patience,
      onWritten: () => this.#seats?.done(),
    });
  }
}
