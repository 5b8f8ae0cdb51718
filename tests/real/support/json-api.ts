// Plain requests to a real API server, for tests that must not lean on the client under test.
import { Agent, request } from 'node:https';
import { type RealClusterAccess, sharedRealCluster } from '../harness/index.ts';

export interface Answer {
  readonly status: number;
  readonly body: JsonBody;
  /** As they came, quoted and with their code. */
  readonly warnings: readonly string[];
}

export interface JsonBody {
  readonly [key: string]: unknown;
}

export interface Call {
  readonly body?: unknown;
  /** @default application/json */
  readonly contentType?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly userAgent?: string;
  /** @default whatever the server likes, which is JSON */
  readonly accept?: string;
}

export const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** An object, or the events of a watch, a line each; anything else as text. */
function parse(text: string): JsonBody {
  if (!text.startsWith('{')) return { text };
  const lines = text.trimEnd().split('\n');
  const isWatch = lines.every((line) => line.startsWith('{"type":"'));
  return isWatch
    ? { events: lines.map((line) => JSON.parse(line) as unknown) }
    : (JSON.parse(text) as JsonBody);
}

type ApiAccess = Pick<RealClusterAccess, 'server' | 'ca'> & {
  readonly admin: Pick<RealClusterAccess['admin'], 'cert' | 'key'>;
};

/** As the cluster's admin, over a few connections that are kept. */
export class JsonApi implements Disposable {
  readonly #cluster: ApiAccess;
  readonly #agent: Agent;

  constructor(cluster: ApiAccess) {
    this.#cluster = cluster;
    const { cert, key } = cluster.admin;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 8, ca: cluster.ca, cert, key });
  }

  static async open(): Promise<JsonApi> {
    return new JsonApi(await sharedRealCluster());
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  post(path: string, body: unknown, call: Call = {}): Promise<Answer> {
    return this.call('POST', path, { ...call, body });
  }

  put(path: string, body: unknown, call: Call = {}): Promise<Answer> {
    return this.call('PUT', path, { ...call, body });
  }

  patch(type: keyof typeof PATCH_TYPES, path: string, body: unknown, call: Call = {}): Promise<Answer> {
    return this.call('PATCH', path, { ...call, body, contentType: PATCH_TYPES[type] });
  }

  /** Throws unless the answer is a success. */
  async must(answer: Promise<Answer>): Promise<JsonBody> {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`the server answers ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  call(method: string, path: string, call: Call = {}): Promise<Answer> {
    const query = new URLSearchParams(call.query).toString();
    const body = call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body));
    const headers: Record<string, string> = {
      // Node does not say by itself that a DELETE has a body.
      ...(body !== undefined && { 'content-length': String(body.byteLength) }),
      'content-type': call.contentType ?? 'application/json',
      'user-agent': call.userAgent ?? 'windlass-tests/1',
      ...(call.accept !== undefined && { accept: call.accept }),
    };
    const url = `${this.#cluster.server}${path}${query === '' ? '' : `?${query}`}`;
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const warnings = response.headersDistinct['warning'] ?? [];
          resolve({ status: response.statusCode ?? 0, body: parse(text), warnings });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
