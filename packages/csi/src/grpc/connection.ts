import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { GrpcError } from './errors.ts';

/**
 * One HTTP/2 connection over a unix socket, made when it is first needed and again after it was lost. It
 * keeps the process alive only while a call runs.
 */
export class Connection {
  readonly #socketPath: string;
  #session: ClientHttp2Session | undefined;
  #calls = 0;
  #closed = false;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** @throws GrpcError UNAVAILABLE after `close` */
  request(headers: Readonly<Record<string, string>>): ClientHttp2Stream {
    const session = this.#open();
    const stream = session.request({ [constants.HTTP2_HEADER_METHOD]: 'POST', ...headers });
    if (this.#calls++ === 0) session.ref();
    stream.once('close', () => {
      if (--this.#calls === 0 && !session.destroyed) session.unref();
    });
    return stream;
  }

  /** Calls that run fail. */
  async close(): Promise<void> {
    this.#closed = true;
    const session = this.#session;
    if (session === undefined || session.destroyed) return;
    const closed = new Promise<void>((resolve) => {
      session.once('close', resolve);
    });
    session.destroy();
    await closed;
  }

  #open(): ClientHttp2Session {
    if (this.#closed) throw new GrpcError('UNAVAILABLE', `the client of ${this.#socketPath} is closed`);
    const present = this.#session;
    if (present !== undefined && !present.destroyed && !present.closed) return present;
    const session = connect('http://localhost', {
      createConnection: () => connectSocket(this.#socketPath),
    });
    const forget = (): void => {
      if (this.#session === session) this.#session = undefined;
    };
    // Each stream hears of it too, and tells its caller.
    session.on('error', forget);
    session.on('close', forget);
    session.on('goaway', forget);
    session.unref();
    this.#session = session;
    return session;
  }
}
