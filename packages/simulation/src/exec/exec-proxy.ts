import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  constants,
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { Agent, request as send } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { KeyPair } from '@windlass/base';
import type { RequestFaultAnswer } from '../plan/fault.ts';
import type { StageLink, StageWatch } from '../run/stage.ts';
import { statusOf } from '../world/wire.ts';
import { HeldBytes } from './held-bytes.ts';
import type { RealTime } from './real-time.ts';
import { type RequestTarget, requestTarget } from './request-target.ts';

/** So long a program waits for a connection that does not come. */
const REFUSED_AFTER_MS = 500;
/** So long for an answer. */
const TIMEOUT_MS = 5000;
/** These belong to one connection, and not to what is sent over it. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'host',
]);

/** What the proxy asks and tells the run. */
export interface ProxyHost {
  readonly isServerUp: () => boolean;
  /** What becomes of this request. Called once for each, when it is sent. */
  readonly faultOf: (target: RequestTarget) => RequestFaultAnswer | undefined;
  /** A request goes to the server. */
  readonly arrives: (target: RequestTarget) => void;
  /** The server has answered, whether or not the program hears it. */
  readonly answered: (target: RequestTarget, status: number) => void;
}

export interface ProxyOptions {
  readonly time: RealTime;
  readonly host: ProxyHost;
  /** What the proxy shows to the program. */
  readonly certificate: KeyPair;
  /** Where the API server is, and who has signed its certificate. */
  readonly server: { readonly port: number; readonly authority: string };
}

/**
 * The network between a program and the API server: HTTPS on both sides, HTTP/1.1 or HTTP/2 on the program's. Bytes are
 * passed on as they come; what goes wrong, goes wrong here.
 */
export class ExecProxy implements StageLink {
  readonly #options: ProxyOptions;
  readonly #server: Http2SecureServer;
  readonly #agent: Agent;
  readonly #watches = new Set<HeldBytes>();
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #addMs = 0;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#agent = new Agent({ keepAlive: true, ca: options.server.authority });
    const { cert, key } = options.certificate;
    this.#server = createSecureServer({ cert, key, allowHTTP1: true });
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      // A reset is what happens to connections of programs that are killed.
      socket.on('error', () => {});
    });
    this.#server.on('sessionError', () => {});
    this.#server.on('request', (request, response) => void this.#serve(request, response));
  }

  get watches(): ReadonlySet<StageWatch> {
    return this.#watches;
  }

  /** @returns the port, on loopback */
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    // A TCP server's address is an object.
    return (this.#server.address() as AddressInfo).port;
  }

  delay(byMs: number): void {
    this.#addMs += byMs;
  }

  cut(): void {
    this.#isCut = true;
    for (const watch of this.#watches) watch.hold();
  }

  mend(): void {
    this.#isCut = false;
    this.breakWatches();
  }

  breakWatches(matches: (watch: StageWatch) => boolean = () => true): void {
    for (const watch of this.#watches) if (matches(watch)) watch.break();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#agent.destroy();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }

  async #serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const { host, time } = this.#options;
    const target = requestTarget(request.method, request.url);
    request.on('error', () => {});
    response.on('error', () => {});
    const fault = host.faultOf(target);
    if (fault === 'lost') return broken(response);
    if (fault === 'timeout') return void time.set('proxy', () => broken(response), TIMEOUT_MS);
    if (fault !== undefined && fault !== 'answer lost') return answer(response, fault);
    if (this.#addMs > 0) await time.pass(this.#addMs);
    if (this.#isCut || !host.isServerUp())
      return void time.set('proxy', () => broken(response), REFUSED_AFTER_MS);
    host.arrives(target);
    const upstream = this.#forward(request, target);
    upstream.on('response', (reply) => {
      host.answered(target, reply.statusCode ?? 0);
      if (fault === 'answer lost' || this.#isCut) {
        reply.resume();
        broken(response);
      } else if (target.isWatch && reply.statusCode === 200) this.#passWatch(target, reply, response);
      else this.#pass(reply, response);
    });
    upstream.on('error', () => {
      host.answered(target, 0);
      broken(response);
    });
    request.on('aborted', () => !request.complete && upstream.destroy());
    // A program that no longer waits for its watch is no burden on the server.
    response.on('close', () => target.isWatch && upstream.destroy());
  }

  #forward(request: Http2ServerRequest, { isWatch }: RequestTarget): ClientRequest {
    const upstream = send({
      host: '127.0.0.1',
      port: this.#options.server.port,
      method: request.method,
      path: request.url,
      headers: passedOn(request.headers),
      // A watch that is ended takes its connection with it.
      agent: isWatch ? new Agent({ ca: this.#options.server.authority }) : this.#agent,
    });
    request.pipe(upstream);
    return upstream;
  }

  #pass(reply: IncomingMessage, response: Http2ServerResponse): void {
    reply.on('error', () => broken(response));
    const go = (): void => {
      if (isOver(response)) return void reply.resume();
      response.writeHead(reply.statusCode ?? 502, passedOn(reply.headers));
      reply.pipe(response);
    };
    if (this.#addMs > 0) this.#options.time.set('proxy', go, this.#addMs);
    else go();
  }

  #passWatch({ path }: RequestTarget, reply: IncomingMessage, response: Http2ServerResponse): void {
    if (isOver(response)) return void reply.destroy();
    const watch = new HeldBytes(path, response, this.#options.time, () => {
      this.#watches.delete(watch);
      reply.destroy();
      broken(response);
    });
    this.#watches.add(watch);
    response.on('close', () => this.#watches.delete(watch));
    response.writeHead(200, passedOn(reply.headers));
    // Over HTTP/1.1 headers wait for the first bytes, which may not come for long.
    if ('flushHeaders' in response && typeof response.flushHeaders === 'function') response.flushHeaders();
    reply.on('data', (bytes: Buffer) => watch.arrive(bytes, this.#addMs));
    reply.on('end', () => watch.end(this.#addMs));
    reply.on('error', () => watch.break());
  }
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !HOP_BY_HOP.has(name)),
  );
}

/** Over HTTP/1.1 there is no stream, whatever the types say. */
function isOver(response: Http2ServerResponse): boolean {
  const stream: Http2ServerResponse['stream'] | undefined = response.stream;
  return response.destroyed || (stream?.destroyed ?? false);
}

/**
 * The program hears that the connection broke. Over HTTP/2 only this exchange ends: the others on the same connection are
 * no part of the fault. The code says nothing of whether the server has acted, so that no client may just send it again.
 */
function broken(response: Http2ServerResponse): void {
  if (isOver(response)) return;
  if (response.req.httpVersionMajor >= 2) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.req.socket.destroy();
}

function answer(response: Http2ServerResponse, fault: RequestFaultAnswer): void {
  const { status, headers, body } = statusOf(fault);
  response.writeHead(status, headers);
  response.end(JSON.stringify(body));
}
