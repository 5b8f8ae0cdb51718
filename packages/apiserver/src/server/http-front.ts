import type { IncomingHttpHeaders } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { constants, createGzip } from 'node:zlib';
import {
  failureStatus,
  newRequestEntityTooLarge,
  newTooManyRequests,
  newUnauthorized,
  StatusError,
  toStatus,
} from '@windlass/apimachinery';
import { type Clock, isCancelled, type Logger, type Random, toError } from '@windlass/base';
import { ANONYMOUS, type Authenticator, type Credentials, type UserInfo } from '../access/user.ts';
import type { Auditor } from '../audit/auditor.ts';
import { MAX_BODY_BYTES } from '../request/body.ts';
import { first, type Query } from '../request/list-options.ts';
import { requestInfoOf } from '../request/request-info.ts';
import type { Catalog } from '../resource/catalog.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Dispatcher } from './dispatcher.ts';
import { type EncodedBody, encodeList, encodeObject, encodeValue, parseInclude } from './encode.ts';
import type { ServerRequest, ServerResponse } from './exchange.ts';
import { negotiate, type OutputForm } from './negotiation.ts';
import { writeWatch } from './watch-writer.ts';

export interface HttpFrontOptions {
  readonly dispatcher: Dispatcher;
  readonly catalog: Catalog;
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly tls: { readonly cert: string; readonly key: string; readonly clientCa: string };
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 picks a free one. */
  readonly port: number;
  /**
   * Whether a caller without credentials is somebody: system:anonymous.
   * @default false
   */
  readonly allowAnonymous?: boolean;
  /**
   * How many requests may be under way at once, watches aside.
   * @default 400
   */
  readonly maxInFlight?: number;
  /**
   * How long a request may take to arrive, in milliseconds.
   * @default 60000
   */
  readonly requestTimeoutMs?: number;
  /** @default nothing is told of requests */
  readonly auditor?: Auditor | undefined;
}

/** Answers below this size are sent as they are: packing them costs more than it saves. */
const GZIP_FROM_BYTES = 128 * 1024;
const DEFAULT_MAX_IN_FLIGHT = 400;
const DEFAULT_REQUEST_TIMEOUT_MS = 60_000;

type Method = ServerRequest['method'];
type Certificate = NonNullable<Credentials['certificate']>;
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** HTTP/2 and HTTP/1.1 on one TLS port. Whatever a stranger sends, it answers or hangs up. */
export class HttpFront implements AsyncDisposable {
  readonly #options: HttpFrontOptions;
  readonly #server: Http2SecureServer;
  readonly #sockets = new Set<TLSSocket>();
  readonly #certificates = new WeakMap<object, Certificate | undefined>();
  readonly #stopping = new AbortController();
  #inFlight = 0;

  constructor(options: HttpFrontOptions) {
    this.#options = options;
    const { cert, key, clientCa } = options.tls;
    this.#server = createSecureServer({
      allowHTTP1: true,
      cert,
      key,
      ca: clientCa,
      requestCert: true,
      // A certificate is one way among others to say who one is; the authenticators decide.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      settings: { maxConcurrentStreams: 250, initialWindowSize: 1024 * 1024 },
    });
    this.#server.setTimeout(0);
    this.#server.on('secureConnection', (socket) => {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', (error: Error) => options.logger.debug('a connection failed', { error }));
    });
    this.#server.on('tlsClientError', (error) => options.logger.debug('a TLS handshake failed', { error }));
    this.#server.on('sessionError', (error) => options.logger.debug('an HTTP/2 session failed', { error }));
    this.#server.on('request', (request, response) => {
      this.#serve(request, response).catch((thrown: unknown) => {
        options.logger.error('a request could not be answered', { error: toError(thrown) });
        response.stream?.close?.();
      });
    });
  }

  /** Resolves with the port once it listens; rejects when it cannot. */
  listen(): Promise<number> {
    const { host = '127.0.0.1', port } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        this.#server.on('error', (error) => this.#options.logger.error('the server failed', { error }));
        // A TCP server's address is an object.
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Takes no more connections, ends the watches, and hangs up. */
  async close(): Promise<void> {
    this.#stopping.abort();
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const socket of this.#sockets) socket.destroySoon();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const cancel = new AbortController();
    const abort = (): void => cancel.abort();
    response.on('close', abort);
    this.#stopping.signal.addEventListener('abort', abort, { once: true });
    this.#inFlight++;
    try {
      await this.#answer(request, response, cancel.signal);
    } finally {
      this.#inFlight--;
      // An abort makes an error with its stack, which is dear: none for an answer that is complete.
      response.off('close', abort);
      this.#stopping.signal.removeEventListener('abort', abort);
    }
  }

  async #answer(
    request: Http2ServerRequest,
    response: Http2ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    const url = splitUrl(request.url);
    const auditId = firstValue(request.headers['audit-id']) ?? this.#options.random.uuid();
    response.setHeader('audit-id', auditId);
    const json: OutputForm = {
      encoding: 'json',
      as: 'itself',
      version: '',
      isPretty: isPretty(request.headers, url.query),
    };
    try {
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      if (!METHODS.has(method))
        throw new StatusError(
          failureStatus(
            405,
            'MethodNotAllowed',
            'the server does not allow this method on the requested resource',
            {},
          ),
        );
      const isWatch = requestInfoOf({ method: method as Method, ...url }).verb === 'watch';
      if (!isWatch && this.#inFlight > (this.#options.maxInFlight ?? DEFAULT_MAX_IN_FLIGHT)) {
        throw newTooManyRequests('Too many requests, please try again later.', 1);
      }
      const headers = flatHeaders(request.headers);
      const source = request.socket.remoteAddress;
      const user = await this.#authenticate(request).catch(async (error: unknown) => {
        await this.#tellRefusal({ method: method as Method, ...url, headers, auditId }, request, source);
        throw error;
      });
      const body = await this.#readBody(request, signal);
      const incoming: ServerRequest = {
        method: method as Method,
        ...url,
        headers,
        ...(body !== undefined && { body }),
        signal,
        user,
        ...(source !== undefined && { sourceAddress: source }),
        auditId,
      };
      await this.#respond(
        incoming,
        await this.#options.dispatcher.handle(incoming),
        response,
        json,
        request.method === 'HEAD',
      );
    } catch (thrown) {
      if (response.headersSent || (isCancelled(thrown) && signal.aborted)) {
        response.stream?.close?.();
        return;
      }
      const status = toStatus(thrown);
      if (!(thrown instanceof StatusError))
        this.#options.logger.error('a request failed', { path: url.path, error: thrown });
      send(
        response,
        status.code ?? 500,
        encodeValue(status, json),
        retryHeaders(status.details?.retryAfterSeconds),
        request.headers,
        false,
      );
    }
  }

  async #respond(
    request: ServerRequest,
    answer: ServerResponse,
    response: Http2ServerResponse,
    json: OutputForm,
    isHead: boolean,
  ): Promise<void> {
    const definition = this.#definitionOf(request);
    const headers = { 'cache-control': 'no-cache, private', ...answer.headers };
    if (answer.type === 'bytes') {
      const chunk = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
      send(
        response,
        answer.status,
        { contentType: answer.contentType, chunks: [chunk] },
        headers,
        request.headers,
        isHead,
      );
      return;
    }
    const isFailure = answer.type === 'object' && answer.status >= 400;
    const form = negotiate(request.headers?.['accept'], {
      encodings: encodingsFor(answer, definition),
      canTransform: definition !== undefined,
      canDiscover:
        answer.type === 'object' && (answer.object as { kind?: string }).kind === 'APIGroupDiscoveryList',
      isPretty: json.isPretty,
    });
    const include = parseInclude(first(request.query?.['includeObject']));
    const options = {
      form: isFailure ? { ...form, as: 'itself' as const } : form,
      definition,
      include,
      now: this.#options.clock.now(),
    };
    if (answer.type === 'watch') {
      await writeWatch(response, answer.events, { ...options, headers, signal: request.signal });
      return;
    }
    const body = answer.type === 'list' ? encodeList(answer.list, options) : encodeObject(answer, options);
    send(response, answer.status, body, headers, request.headers, isHead);
  }

  #definitionOf(request: ServerRequest): ResourceDefinition | undefined {
    const info = requestInfoOf(request);
    if (!info.isResourceRequest || (info.subresource !== '' && info.subresource !== 'status'))
      return undefined;
    return this.#options.catalog.find(info.group, info.version, info.resource);
  }

  async #authenticate(request: Http2ServerRequest): Promise<UserInfo> {
    const socket = request.socket as TLSSocket;
    const certificate = socket.authorized ? this.#certificateOf(request, socket) : undefined;
    const credentials: Credentials = {
      headers: request.headers,
      ...(certificate !== undefined && { certificate }),
    };
    const user = await this.#options.authenticator.authenticate(credentials);
    if (user !== undefined) return user;
    const gave = request.headers.authorization !== undefined;
    if (gave || this.#options.allowAnonymous !== true) throw newUnauthorized('Unauthorized');
    return ANONYMOUS;
  }

  /** Parsing a certificate costs as much as half a write, so each connection's is parsed once. */
  #certificateOf(request: Http2ServerRequest, socket: TLSSocket): Certificate | undefined {
    const connection = request.stream?.session ?? socket;
    if (!this.#certificates.has(connection)) this.#certificates.set(connection, certificateOf(socket));
    return this.#certificates.get(connection);
  }

  /** What nobody may do because nobody is known is in the audit log too. */
  async #tellRefusal(
    asked: Omit<ServerRequest, 'user'>,
    { headers, socket }: Http2ServerRequest,
    source: string | undefined,
  ): Promise<void> {
    const request = { ...asked, ...(source !== undefined && { sourceAddress: source }) };
    const methods = [
      ...(/^bearer\s+\S/i.test(headers.authorization ?? '') ? ['bearer'] : []),
      ...(/^basic\s+\S/i.test(headers.authorization ?? '') ? ['basic'] : []),
      // Authentication asked it the same way.
      ...(certificateOf(socket as TLSSocket) === undefined ? [] : ['x509']),
    ];
    await this.#options.auditor
      ?.begin(request, undefined, requestInfoOf(request))
      ?.unauthenticated(
        methods.length === 0
          ? 'Authentication failed, no credentials provided'
          : `Authentication failed, attempted: ${methods.join(', ')}`,
      );
  }

  async #readBody(request: Http2ServerRequest, signal: AbortSignal): Promise<Uint8Array | undefined> {
    if (request.method === 'GET' || request.method === 'HEAD') return undefined;
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = this.#options.clock.setTimeout(
      () =>
        request.destroy(
          new StatusError(failureStatus(408, 'Timeout', 'the request did not arrive in time', {})),
        ),
      this.#options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS,
      { keepAlive: false },
    );
    try {
      for await (const chunk of request) {
        // The stream has no encoding set, so its chunks are buffers.
        const buffer = chunk as Buffer;
        size += buffer.byteLength;
        if (size > MAX_BODY_BYTES) throw newRequestEntityTooLarge(`limit is ${MAX_BODY_BYTES}`);
        chunks.push(buffer);
      }
    } finally {
      timer.cancel();
    }
    signal.throwIfAborted();
    return size === 0 ? undefined : Buffer.concat(chunks);
  }
}

function encodingsFor(
  answer: ServerResponse,
  definition: ResourceDefinition | undefined,
): OutputForm['encoding'][] {
  const withProtobuf = definition?.isCustom !== true;
  if (answer.type === 'watch') return withProtobuf ? ['json', 'protobuf'] : ['json'];
  return withProtobuf ? ['json', 'yaml', 'protobuf'] : ['json', 'yaml'];
}

function certificateOf(socket: TLSSocket): Certificate | undefined {
  const { subject } = socket.getPeerCertificate();
  if (subject === undefined || subject === null) return undefined;
  const names: readonly (string | string[] | undefined)[] = [subject.CN, subject.O];
  const [commonName, organizations] = names.map((value) =>
    value === undefined ? [] : typeof value === 'string' ? [value] : value,
  );
  return { commonName: commonName?.[0] ?? '', organizations: organizations ?? [] };
}

function splitUrl(url: string): { path: string; query: Query } {
  const mark = url.indexOf('?');
  if (mark === -1) return { path: url, query: {} };
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (typeof before === 'string') query[name] = [before, value];
    else before.push(value);
  }
  return { path: url.slice(0, mark), query };
}

function firstValue(value: string | string[] | undefined): string | undefined {
  const text = typeof value === 'string' ? value : value?.[0];
  return text === '' ? undefined : text;
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':'))
      flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

/** People with a browser or curl get lines they can read. */
function isPretty(headers: IncomingHttpHeaders, query: Query): boolean {
  const asked = first(query['pretty']);
  if (asked !== undefined) return asked !== 'false' && asked !== '0';
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '');
}

function retryHeaders(seconds: number | undefined): Record<string, string> {
  return seconds === undefined || seconds === 0 ? {} : { 'retry-after': String(seconds) };
}

function send(
  response: Http2ServerResponse,
  status: number,
  { contentType, chunks }: EncodedBody,
  headers: Readonly<Record<string, string>>,
  asked: Readonly<Record<string, string | readonly string[] | undefined>> | undefined,
  isHead: boolean,
): void {
  let size = 0;
  for (const chunk of chunks) size += chunk.byteLength;
  const accepts = asked?.['accept-encoding'];
  const isPacked = size >= GZIP_FROM_BYTES && typeof accepts === 'string' && accepts.includes('gzip');
  response.writeHead(status, {
    ...headers,
    'content-type': contentType,
    ...(isPacked
      ? { 'content-encoding': 'gzip', vary: 'Accept-Encoding' }
      : { 'content-length': String(size) }),
  });
  if (isHead) {
    response.end();
    return;
  }
  // Many small chunks would cost a write each, so they go together.
  const body = Buffer.concat(chunks, size);
  if (!isPacked) {
    response.end(body);
    return;
  }
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  gzip.pipe(response);
  gzip.end(body);
}
