import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { GrpcError } from './errors.ts';
import { connectionOf, type Target, targetName, WINDOW_BYTES } from './target.ts';

/**
 * One HTTP/2 connection, made when it is first needed and again after it was lost. It
 * keeps the process alive only while a call runs.
 */
export class Connection {
  readonly #target: Target;
  #session: ClientHttp2Session | undefined;
  /** How many calls each has; also those that take no more calls and still have some. */
  readonly #open = new Map<ClientHttp2Session, number>();
  #closed = false;

  constructor(target: Target) {
    this.#target = target;
  }

  /** @throws GrpcError UNAVAILABLE after `close` */
  request(headers: Readonly<Record<string, string>>): ClientHttp2Stream {
    const session = this.#connected();
    const stream = session.request({ [constants.HTTP2_HEADER_METHOD]: 'POST', ...headers });
    this.#count(session, 1);
    stream.once('close', () => this.#count(session, -1));
    return stream;
  }

  /** Later calls get a connection of their own: this one may lead nowhere. Calls that run go on. */
  renew(): void {
    this.#session?.close();
    this.#session = undefined;
  }

  /** Calls that run fail. */
  async close(): Promise<void> {
    this.#closed = true;
    const closed = [...this.#open.keys()].map(
      (session) =>
        new Promise<void>((resolve) => {
          // One whose TLS was refused has been destroyed, and never says that it is closed.
          if (session.destroyed) return resolve();
          session.once('close', resolve);
          session.destroy();
        }),
    );
    await Promise.all(closed);
  }

  #count(session: ClientHttp2Session, by: 1 | -1): void {
    const before = this.#open.get(session);
    if (before === undefined || session.destroyed) return;
    this.#open.set(session, before + by);
    if (before === 0) session.ref();
    else if (before + by === 0) session.unref();
  }

  #connected(): ClientHttp2Session {
    if (this.#closed)
      throw new GrpcError('UNAVAILABLE', `the client of ${targetName(this.#target)} is closed`);
    const present = this.#session;
    if (present !== undefined && !present.destroyed && !present.closed) return present;
    const session = connect(...connectionOf(this.#target));
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
    session.once('connect', () => session.setLocalWindowSize(WINDOW_BYTES));
    this.#open.set(session, 0);
    session.unref();
    this.#session = session;
    return session;
  }
}
