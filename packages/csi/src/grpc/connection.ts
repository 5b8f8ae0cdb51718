import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { connect as connectSocket, type Socket } from 'node:net';
import { GrpcError } from './errors.ts';

/**
 * One HTTP/2 connection over a unix socket, or to a port, made when it is first needed and again after it was lost. It
 * keeps the process alive only while a call runs.
 */
export class Connection {
  /** The path of a unix socket, or a server of the network. */
  readonly #address: string | { readonly host: string; readonly port: number };
  #session: ClientHttp2Session | undefined;
  /** How many calls each has; also those that take no more calls and still have some. */
  readonly #open = new Map<ClientHttp2Session, number>();
  #closed = false;

  constructor(address: string | { readonly host: string; readonly port: number }) {
    this.#address = address;
  }

  /** @throws GrpcError UNAVAILABLE after `close` */
  request(headers: Readonly<Record<string, string>>): ClientHttp2Stream {
    const session = this.#connected();
    const stream = session.request({ [constants.HTTP2_HEADER_METHOD]: 'POST', ...headers });
    this.#count(session, 1);
    stream.once('close', () => this.#count(session, -1));
    return stream;
  }

  /** Calls that run fail. */
  async close(): Promise<void> {
    this.#closed = true;
    const closed = [...this.#open.keys()].map(
      (session) =>
        new Promise<void>((resolve) => {
          session.once('close', resolve);
          session.destroy();
        }),
    );
    await Promise.all(closed);
  }

  get #name(): string {
    const address = this.#address;
    return typeof address === 'string' ? address : `${address.host}:${address.port}`;
  }

  #connect(): Socket {
    const address = this.#address;
    return typeof address === 'string' ? connectSocket(address) : connectSocket(address);
  }

  #count(session: ClientHttp2Session, by: 1 | -1): void {
    const before = this.#open.get(session);
    if (before === undefined || session.destroyed) return;
    this.#open.set(session, before + by);
    if (before === 0) session.ref();
    else if (before + by === 0) session.unref();
  }

  #connected(): ClientHttp2Session {
    if (this.#closed) throw new GrpcError('UNAVAILABLE', `the client of ${this.#name} is closed`);
    const present = this.#session;
    if (present !== undefined && !present.destroyed && !present.closed) return present;
    const session = connect('http://localhost', {
      createConnection: () => this.#connect(),
    });
    const forget = (): void => {
      if (this.#session === session) this.#session = undefined;
    };
    // Each stream hears of it too, and tells its caller.
    session.on('error', forget);
    session.on('goaway', forget);
    session.on('close', () => {
      forget();
      this.#open.delete(session);
    });
    this.#open.set(session, 0);
    session.unref();
    this.#session = session;
    return session;
  }
}
