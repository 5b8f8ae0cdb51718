import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { issueCertificate, type KeyPair, realClock, systemRandom } from '@windlass/base';
import { ApiServer } from '../../api-server.ts';
import type { ApiServerOptions, ListenOptions } from '../../api-server-options.ts';
import { createMemoryStore } from '../../storage/index.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export interface Asked {
  readonly method?: string;
  readonly token?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `admin` may do everything, `bob` and `carol` all with config maps, `jane` nothing. */
const USERS = { admin: ['system:masters'], bob: ['writers'], carol: ['writers'], jane: [] } as const;

/** An API server on a port of its own, and clients that behave or do not. */
export class HttpsApi implements AsyncDisposable {
  readonly server: ApiServer;
  readonly authority: KeyPair = issue('authority');
  port = 0;
  readonly #sessions = new Set<ClientHttp2Session>();

  constructor(options: Partial<ApiServerOptions>) {
    this.server = new ApiServer({
      store: createMemoryStore({}),
      tokens: Object.entries(USERS).map(([name, groups]) => ({
        token: name,
        user: name,
        groups,
      })),
      ...options,
    });
  }

  static async start(
    options: Partial<ListenOptions> = {},
    server: Partial<ApiServerOptions> = {},
  ): Promise<HttpsApi> {
    const api = new HttpsApi(server);
    await api.#start(options);
    return api;
  }

  async #start(options: Partial<ListenOptions>): Promise<void> {
    const { cert, key } = issue('server', this.authority);
    this.port = await this.server.listen({
      port: 0,
      tls: { cert, key, clientCa: this.authority.cert },
      ...options,
    });
    const admin = this.server.transport();
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    for (const [path, body] of [
      [
        `${rbac}/clusterroles`,
        {
          metadata: { name: 'writer' },
          rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['*'] }],
        },
      ],
      [
        `${rbac}/clusterrolebindings`,
        {
          metadata: { name: 'writers' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'writer' },
          subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'writers' }],
        },
      ],
    ] as const)
      await admin.request({ method: 'POST', path, body });
    // Roles count a moment after they are written.
    for (let turn = 0; (await this.ask('/api/v1/configmaps', { token: 'bob' })).status !== 200; turn++)
      if (turn === 1000) throw new Error('the roles do not take effect');
  }

  session(options: object = {}): ClientHttp2Session {
    const session = connect(`https://127.0.0.1:${this.port}`, { rejectUnauthorized: false, ...options });
    this.#sessions.add(session);
    session.on('error', () => {});
    return session;
  }

  /** A stream that is open and whose answer nobody waits for. Its body, if it has one, does not end. */
  open(
    session: ClientHttp2Session,
    path: string,
    { method = 'GET', token, headers }: Asked,
  ): ClientHttp2Stream {
    const stream = session.request(
      { ':method': method, ':path': path, ...bearer(token), ...headers },
      { endStream: method === 'GET' },
    );
    stream.on('error', () => {});
    return stream;
  }

  async ask(path: string, asked: Asked = {}, session = this.session()): Promise<Answer> {
    const stream = session.request(
      { ':method': asked.method ?? 'GET', ':path': path, ...bearer(asked.token), ...asked.headers },
      { endStream: asked.body === undefined },
    );
    if (asked.body !== undefined) stream.end(asked.body);
    return answerOf(stream);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await this.server.close();
  }
}

export function answerOf(stream: ClientHttp2Stream): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let headers: Record<string, unknown> = {};
    const chunks: Buffer[] = [];
    stream.on('response', (given) => {
      headers = given;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', reject);
    const end = (): void =>
      resolve({ status: Number(headers[':status'] ?? 0), headers, body: Buffer.concat(chunks).toString() });
    // Node closes a stream whose body the server has refused only with its session, so the end of the answer counts.
    stream.on('end', end).on('close', end);
  });
}

/** Resolves with the status as soon as there is one. */
export function statusOf(stream: ClientHttp2Stream): Promise<number> {
  return new Promise((resolve, reject) => {
    stream.on('response', (headers) => resolve(headers[':status'] ?? 0));
    stream.on('error', reject);
    stream.on('close', () => resolve(0));
  });
}

function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

export function issue(
  usage: 'authority' | 'server' | 'client',
  issuer?: KeyPair,
  commonName: string = usage,
): KeyPair {
  return issueCertificate(
    {
      commonName,
      usage,
      validDays: 1,
      ...(usage === 'server' && { hosts: ['127.0.0.1'] }),
    },
    { clock: realClock, random: systemRandom },
    issuer,
  );
}
