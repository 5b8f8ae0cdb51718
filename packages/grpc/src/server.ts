import {
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type Clock, type Logger, linkSignals, sleep, toError, withDeadline } from '@windlass/base';
import type { CallObserver } from './call-metrics.ts';
import { type GrpcCode, grpcNumber } from './codes.ts';
import { GrpcError, toGrpcError } from './errors.ts';
import { frame, MessageAssembler } from './framing.ts';
import { runCall } from './run-call.ts';
import type { Handler } from './service.ts';
import { encodeStatusMessage } from './status-message.ts';
import { parseTimeout } from './timeout.ts';
import { listenOnSocket } from './unix-socket.ts';

/** Answers that belong to the normal course of things. */
const EXPECTED_CODES: ReadonlySet<GrpcCode> = new Set([
  'ABORTED',
  'CANCELLED',
  'FAILED_PRECONDITION',
  'NOT_FOUND',
  'UNAVAILABLE',
]);

export interface GrpcServerOptions {
  readonly socketPath: string;
  readonly handlers: readonly Handler[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observe: CallObserver;
  readonly maxMessageBytes: number;
  readonly maxTimeoutMs: number;
  readonly maxConcurrentCalls: number;
  readonly graceMs: number;
}

/** Unary gRPC over HTTP/2 on a unix socket: what CSI and plugin registration need of it. */
export class GrpcServer implements AsyncDisposable {
  readonly socketPath: string;
  readonly #options: GrpcServerOptions;
  readonly #handlers: ReadonlyMap<string, Handler>;
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #stopping = new AbortController();
  #running = 0;
  #idle: (() => void) | undefined;
  #removeSocket: (() => Promise<void>) | undefined;
  #stopped: Promise<void> | undefined;

  private constructor(options: GrpcServerOptions) {
    this.socketPath = options.socketPath;
    this.#options = options;
    this.#handlers = new Map(options.handlers.map((handler) => [handler.method.path, handler]));
    this.#server = createServer({ settings: { maxConcurrentStreams: options.maxConcurrentCalls } });
    this.#server.on('session', (session) => this.#follow(session));
    // A server's streams are of the server's kind, which the type does not say.
    this.#server.on('stream', (stream, headers) => this.#accept(stream as ServerHttp2Stream, headers));
  }

  static async start(options: GrpcServerOptions): Promise<GrpcServer> {
    const server = new GrpcServer(options);
    server.#removeSocket = await listenOnSocket(server.#server, options.socketPath);
    server.#server.on('error', (error) => options.logger.error('the gRPC server failed', { error }));
    return server;
  }

  /** Takes no more calls, lets those that run end within the grace, then ends them. Idempotent. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #stop(): Promise<void> {
    await this.#removeSocket?.();
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const session of this.#sessions) session.close();
    if (this.#running > 0) await this.#waitForCalls();
    this.#stopping.abort(new GrpcError('UNAVAILABLE', 'the server is stopping'));
    for (const session of this.#sessions) session.destroy();
    await closed;
  }

  async #waitForCalls(): Promise<void> {
    const { clock, graceMs, logger } = this.#options;
    const idle = new Promise<void>((resolve) => {
      this.#idle = resolve;
    });
    using waiting = linkSignals();
    await Promise.race([idle, sleep(clock, graceMs, waiting.signal).catch(() => {})]);
    waiting.abort();
    if (this.#running > 0) logger.warn('calls were still running at the stop', { calls: this.#running });
  }

  #follow(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    session.on('close', () => this.#sessions.delete(session));
    session.on('error', (error) => this.#options.logger.debug('a gRPC connection failed', { error }));
    if (this.#stopping.signal.aborted) session.destroy();
  }

  #accept(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    // A caller that goes away is no failure of ours; what matters of it comes as 'close'.
    stream.on('error', (error) => this.#options.logger.debug('a gRPC stream failed', { error }));
    const type = headers['content-type'] ?? '';
    if (headers[constants.HTTP2_HEADER_METHOD] !== 'POST') refuse(stream, 405);
    else if (!/^application\/grpc(?:\+proto)?(?:;|$)/.test(type)) refuse(stream, 415);
    else void this.#answer(stream, headers);
  }

  async #answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const { clock, observe, logger } = this.#options;
    const started = clock.monotonic();
    const path = String(headers[constants.HTTP2_HEADER_PATH] ?? '');
    const handler = this.#handlers.get(path);
    const caller = linkSignals(this.#stopping.signal);
    const onClose = (): void => caller.abort(new GrpcError('CANCELLED', 'the caller went away'));
    stream.once('close', onClose);
    let code: GrpcCode | 'OK' = 'OK';
    try {
      if (handler === undefined) throw new GrpcError('UNIMPLEMENTED', `there is no method ${path}`);
      const response = await this.#call(handler, stream, headers, caller.signal);
      respond(stream, response);
    } catch (error) {
      const failure = toGrpcError(error);
      code = failure.code;
      // Neither request nor response is written here: either may hold what nobody should read.
      // What a caller is told to try again later is no trouble of ours; the caller tells whom it concerns.
      const level = EXPECTED_CODES.has(code) ? 'info' : 'warn';
      logger[level]('a CSI call failed', { method: path, code, error: failure });
      fail(stream, failure);
    } finally {
      stream.off('close', onClose);
      caller[Symbol.dispose]();
    }
    // Strangers' method names would make series without end.
    observe(handler === undefined ? 'unknown' : path, code, (clock.monotonic() - started) / 1000);
  }

  async #call(
    handler: Handler,
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const { clock, logger, maxTimeoutMs, maxMessageBytes, maxConcurrentCalls } = this.#options;
    // Not RESOURCE_EXHAUSTED: to a provisioner that would say that the storage is full.
    if (this.#running >= maxConcurrentCalls)
      throw new GrpcError('UNAVAILABLE', `${maxConcurrentCalls} calls are running; try again`);
    const timeoutMs = Math.min(timeoutOf(headers) ?? maxTimeoutMs, maxTimeoutMs);
    this.#running++;
    let settled = false;
    const onSettled = (): void => {
      if (settled) return;
      settled = true;
      if (--this.#running === 0) this.#idle?.();
    };
    const { method } = handler;
    using deadline = withDeadline(clock, timeoutMs, method.path, signal);
    let request: unknown;
    try {
      const bytes = await receive(stream, maxMessageBytes, deadline.signal);
      request = decode(() => method.request.decode(bytes));
    } catch (error) {
      onSettled();
      throw error;
    }
    if (logger.debugEnabled)
      logger.debug('CSI call', { method: method.path, request: method.request.redact(request) });
    const response = await runCall(handler, request, { logger, signal: deadline.signal, onSettled });
    if (logger.debugEnabled)
      logger.debug('CSI answer', { method: method.path, response: method.response.redact(response) });
    return method.response.encode(response);
  }
}

function timeoutOf(headers: IncomingHttpHeaders): number | undefined {
  const text = headers['grpc-timeout'];
  if (typeof text !== 'string') return undefined;
  const timeoutMs = parseTimeout(text);
  if (timeoutMs === undefined) throw new GrpcError('INTERNAL', `the grpc-timeout "${text}" is malformed`);
  return timeoutMs;
}

function decode<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new GrpcError('INTERNAL', `the request cannot be read: ${toError(error).message}`, error);
  }
}

/** The one message of the request. */
function receive(stream: ServerHttp2Stream, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const assembler = new MessageAssembler(maxBytes);
    const end = (error: unknown): void => {
      stream.removeAllListeners('data');
      // What still comes is thrown away, so that the caller is not stopped by flow control.
      stream.resume();
      reject(error);
    };
    stream.on('data', (chunk: Buffer) => {
      try {
        assembler.add(chunk);
      } catch (error) {
        end(error);
      }
    });
    stream.once('end', () => {
      try {
        const message = assembler.finish();
        if (message === undefined) end(new GrpcError('INTERNAL', 'the call has no message'));
        else resolve(message);
      } catch (error) {
        end(error);
      }
    });
    signal.addEventListener('abort', () => end(signal.reason), { once: true });
  });
}

const HEADERS = { ':status': 200, 'content-type': 'application/grpc' } as const;

function respond(stream: ServerHttp2Stream, message: Uint8Array): void {
  if (stream.destroyed || stream.closed) return;
  stream.respond(HEADERS, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(frame(message));
}

/** Status and message in the only headers that are sent. */
function fail(stream: ServerHttp2Stream, error: GrpcError): void {
  if (stream.destroyed || stream.closed || stream.headersSent) return;
  const status = {
    'grpc-status': String(grpcNumber(error.code)),
    'grpc-message': encodeStatusMessage(error.message),
  };
  stream.respond({ ...HEADERS, ...status }, { endStream: true });
  stream.resume();
}

function refuse(stream: ServerHttp2Stream, status: number): void {
  stream.respond({ ':status': status }, { endStream: true });
  stream.resume();
}
