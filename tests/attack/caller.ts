import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
} from 'node:http2';
import { onAbort, realClock } from '@windlass/base';
import type { Identity } from './people.ts';
import type { Place } from './place.ts';
import { Tally } from './tally.ts';

export interface Ask {
  /** @default 'GET' */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Anything but text and bytes is sent as JSON. */
  readonly body?: unknown;
  /** The body is begun and never ended. @default false */
  readonly isEndless?: boolean;
  /** @default 30000 */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface Answer {
  /** 0 when there was none: the connection closed, or the time was over. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The first megabytes of the body. */
  readonly text: string;
  readonly ms: number;
}

/** So much of a body is kept. */
const KEPT_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** Lists and watches are read in this window; a small one would make the client the slow part. */
const WINDOW = 4 * 1024 * 1024;

/** One HTTP/2 connection as one identity, opened when it is first needed and again after it broke. */
export class Caller {
  readonly #place: Place;
  readonly #identity: Identity;
  readonly #tally: Tally;
  #session: ClientHttp2Session | undefined;

  constructor(place: Place, identity: Identity, tally: Tally = new Tally()) {
    this.#place = place;
    this.#identity = identity;
    this.#tally = tally;
  }

  /** Resolves with the answer when it is complete. Never rejects. */
  async ask(ask: Ask): Promise<Answer> {
    const began = realClock.monotonic();
    const stream = this.open(ask);
    if (stream === undefined) return { status: 0, headers: {}, text: '', ms: 0 };
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      let headers: IncomingHttpHeaders & { ':status'?: number | undefined } = {};
      let isComplete = false;
      const timer = realClock.setTimeout(() => stream.destroy(), ask.timeoutMs ?? TIMEOUT_MS);
      stream.on('response', (given) => {
        headers = given;
      });
      stream.on('data', (chunk: Buffer) => {
        if (size < KEPT_BYTES) chunks.push(chunk);
        size += chunk.byteLength;
      });
      stream.on('end', () => {
        isComplete = true;
      });
      stream.on('close', () => {
        timer.cancel();
        const text = Buffer.concat(chunks).toString();
        const status = isComplete ? (headers[':status'] ?? 0) : 0;
        this.#tally.answer(
          status,
          () => `${ask.method ?? 'GET'} ${ask.path.slice(0, 200)}: ${text.slice(0, 300)}`,
        );
        resolve({ status, headers, text, ms: realClock.monotonic() - began });
      });
    });
  }

  /** Only the stream, for those who read it in their own way; undefined when there is no connection. */
  open({
    method = 'GET',
    path,
    headers = {},
    body,
    isEndless = false,
    signal,
  }: Ask): ClientHttp2Stream | undefined {
    this.#tally.send();
    const session = this.#connected();
    const { token } = this.#identity;
    let stream: ClientHttp2Stream;
    try {
      stream = session.request(
        {
          ':method': method,
          ':path': path,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        { endStream: body === undefined && !isEndless },
      );
    } catch {
      this.#tally.answer(0);
      return undefined;
    }
    stream.on('error', () => {});
    if (signal !== undefined) {
      const off = onAbort(signal, () => stream.destroy());
      stream.on('close', off);
    }
    if (body !== undefined && isEndless) stream.write(bytesOf(body));
    else if (body !== undefined) stream.end(bytesOf(body));
    return stream;
  }

  close(): void {
    this.#session?.destroy();
    this.#session = undefined;
  }

  #connected(): ClientHttp2Session {
    const known = this.#session;
    if (known !== undefined && !known.closed && !known.destroyed) return known;
    const { host, port, ca } = this.#place;
    const { cert, key } = this.#identity;
    const session = connect(`https://${host}:${port}`, {
      ca,
      servername: 'localhost',
      settings: { initialWindowSize: WINDOW },
      ...(cert !== undefined && key !== undefined && { cert, key }),
    });
    session.on('error', () => {});
    session.on('connect', () => session.setLocalWindowSize(WINDOW));
    this.#session = session;
    return session;
  }
}

function bytesOf(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}
