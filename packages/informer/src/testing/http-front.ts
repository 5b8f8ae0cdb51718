import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { toStatus } from '@windlass/apimachinery';
import type { Random } from '@windlass/base';
import type { FakeServer } from './fake-server.ts';
import { TEST_RESOURCE } from './test-object.ts';

const PATH = `/apis/${TEST_RESOURCE.group}/${TEST_RESOURCE.version}/${TEST_RESOURCE.plural}`;

/**
 * Puts a fake server behind real sockets, and breaks what only sockets can break: lines cut in two, by a
 * reset or by an end that looks regular; lines that are no JSON; events that arrive in crumbs.
 */
export class HttpFront implements AsyncDisposable {
  /** What was broken, for the proof that it was. */
  readonly broken = { reset: 0, truncated: 0, garbage: 0 };
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #fake: FakeServer;
  readonly #random: Random;

  private constructor(fake: FakeServer, random: Random) {
    this.#fake = fake;
    this.#random = random;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(fake: FakeServer, random: Random): Promise<HttpFront> {
    const front = new HttpFront(fake, random);
    await new Promise<void>((resolve) => {
      front.#server.listen(0, '127.0.0.1', resolve);
    });
    return front;
  }

  get url(): string {
    // A server that listens on a port has an address with one.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  /** Cuts every connection, as a crash would. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const { signal } = gone;
    const url = new URL(request.url ?? '/', 'http://localhost');
    const query = url.searchParams;
    const resourceVersion = query.get('resourceVersion') ?? '';
    response.setHeader('content-type', 'application/json');
    try {
      if (url.pathname !== PATH) throw new Error(`nothing is at ${url.pathname}`);
      if (query.get('watch') === 'true') {
        const sendInitialEvents = query.get('sendInitialEvents') === 'true';
        const timeoutSeconds = Number(query.get('timeoutSeconds'));
        const events = await this.#fake.watch({ resourceVersion, sendInitialEvents, timeoutSeconds, signal });
        response.writeHead(200).flushHeaders();
        for await (const batch of events)
          for (const event of batch) this.#line(response, JSON.stringify(event));
        if (!response.writableEnded) response.end();
        return;
      }
      const continueToken = query.get('continue') ?? undefined;
      const limit = Number(query.get('limit'));
      const page = await this.#fake.list({ resourceVersion, limit, continueToken, signal });
      const metadata = { resourceVersion: page.resourceVersion, continue: page.continueToken };
      response.end(JSON.stringify({ apiVersion: 'v1', kind: 'ThingList', metadata, items: page.items }));
    } catch (error) {
      this.#refuse(response, error);
    }
  }

  /** What a fake server throws without a status is a connection that broke. */
  #refuse(response: ServerResponse, error: unknown): void {
    const status = toStatus(error);
    if (status.reason === undefined || response.headersSent) response.socket?.resetAndDestroy();
    else response.writeHead(status.code ?? 500).end(JSON.stringify(status));
  }

  #line(response: ServerResponse, line: string): void {
    if (response.writableEnded || response.destroyed) return;
    const bytes = Buffer.from(`${line}\n`);
    const luck = this.#fake.faults > 0 ? this.#random.next() : 1;
    const half = 1 + this.#random.int(bytes.length - 2);
    if (luck < 0.04) {
      this.broken.reset++;
      response.write(bytes.subarray(0, half), () => response.socket?.resetAndDestroy());
    } else if (luck < 0.08) {
      this.broken.truncated++;
      response.end(bytes.subarray(0, half));
    } else if (luck < 0.12) {
      this.broken.garbage++;
      response.write('<html>502 Bad Gateway</html>\n');
    } else if (luck < 0.5) {
      response.write(bytes.subarray(0, half));
      response.write(bytes.subarray(half));
    } else response.write(bytes);
  }
}
