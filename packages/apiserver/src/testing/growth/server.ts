// An API server in this process and a client that counts the processor time of each call.
import { Agent, type RequestOptions, request } from 'node:https';
import { issueCertificate, realClock, systemRandom } from '@windlass/base';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: string | Uint8Array | undefined;
  /** @default application/json */
  readonly contentType?: string;
  /** @default application/json */
  readonly accept?: string;
}

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  /** Milliseconds that all threads of the process spent on it, the client's part included. */
  readonly cpuMs: number;
}

const ADMIN_TOKEN = 'admin';
const LINE_BREAK = 10;
/** Longer than any request may take; one that hangs must not hang its test. */
const TIMEOUT_MS = 120_000;

export interface GrowthServerOptions {
  /**
   * Whether the garbage of what went before is collected before each call, and so not counted with it. Needs
   * `--expose-gc`, and takes longer than most calls.
   * @default false
   */
  readonly collectFirst?: boolean;
  /** See the API server's option. @default what the server does by itself */
  readonly largeWriteBytes?: number;
}

export class GrowthServer implements AsyncDisposable {
  readonly #server: ApiServer;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false });
  readonly #port: number;
  readonly #collectFirst: boolean;

  private constructor(server: ApiServer, port: number, collectFirst: boolean) {
    this.#server = server;
    this.#port = port;
    this.#collectFirst = collectFirst;
  }

  static async start({
    collectFirst = false,
    largeWriteBytes,
  }: GrowthServerOptions = {}): Promise<GrowthServer> {
    const issuer = { clock: realClock, random: systemRandom };
    const authority = issueCertificate({ commonName: 'growth', usage: 'authority', validDays: 1 }, issuer);
    const pair = issueCertificate(
      { commonName: 'server', usage: 'server', validDays: 1, hosts: ['127.0.0.1'] },
      issuer,
      authority,
    );
    const server = new ApiServer({
      store: createMemoryStore({}),
      tokens: [{ token: ADMIN_TOKEN, user: 'admin', groups: ['system:masters'] }],
      ...(largeWriteBytes !== undefined && { largeWriteBytes }),
    });
    const port = await server.listen({ port: 0, tls: { ...pair, clientCa: authority.cert } });
    return new GrowthServer(server, port, collectFirst);
  }

  async call(call: Call): Promise<Answer> {
    if (this.#collectFirst) globalThis.gc?.();
    const before = process.cpuUsage();
    const { status, body } = await this.#send(call);
    const { user, system } = process.cpuUsage(before);
    return { status, body, cpuMs: (user + system) / 1000 };
  }

  /** Makes a call while somebody watches, and resolves when the event of it is there. */
  async callWatched(call: Call, watchPath: string): Promise<Answer> {
    const stopping = new AbortController();
    const { promise: opened, resolve: open, reject: fail } = Promise.withResolvers<void>();
    const { promise: seen, resolve: see } = Promise.withResolvers<void>();
    const options = this.#options({ method: 'GET', path: watchPath });
    const watch = request({ ...options, agent: false, signal: stopping.signal }, (response) => {
      open();
      response.on('data', (chunk: Buffer) => {
        // An event ends with its line.
        if (chunk.at(-1) === LINE_BREAK) see();
      });
      response.on('error', () => {});
    });
    watch.on('error', fail);
    watch.end();
    await opened;
    watch.off('error', fail);
    watch.on('error', () => {});
    const before = process.cpuUsage();
    const answer = await this.#send(call);
    if (answer.status < 300) await seen;
    const { user, system } = process.cpuUsage(before);
    stopping.abort();
    return { ...answer, cpuMs: (user + system) / 1000 };
  }

  #options({ method, path, body, contentType, accept }: Call): RequestOptions {
    return {
      agent: this.#agent,
      host: '127.0.0.1',
      port: this.#port,
      method,
      path,
      timeout: TIMEOUT_MS,
      // Warnings are headers, and there may be many.
      maxHeaderSize: 16 * 1024 * 1024,
      rejectUnauthorized: false,
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        accept: accept ?? 'application/json',
        ...(body !== undefined && {
          'content-type': contentType ?? 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      },
    };
  }

  #send(call: Call): Promise<{ status: number; body: Buffer }> {
    return new Promise((resolve, reject) => {
      const sent = request(this.#options(call), (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      });
      sent.on('error', reject);
      sent.on('timeout', () => sent.destroy(new Error(`${call.method} ${call.path}: no answer`)));
      sent.end(call.body);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    await this.#server.close();
  }
}
