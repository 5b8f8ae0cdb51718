import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Cached, Transport } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { ApiServer, type AuditSink, createMemoryStore } from '@windlass/apiserver';
import { issueCertificate, type KeyPair, realClock, silentLogger, systemRandom } from '@windlass/base';
import { WebSocketConnection } from '@windlass/streams';
import { completeNodeSpec } from '../../node/node-spec.ts';
import { NodeServers } from '../node-servers.ts';

export interface Refusal {
  readonly status: number;
  readonly body: string;
}

export interface Opened {
  readonly status: 101;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly socket: Duplex;
}

const issuer = { clock: realClock, random: systemRandom };
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

/**
 * An API server on a port of its own, and two nodes that it reaches: `new` speaks WebSocket, as kubelets since 1.36,
 * and `old` speaks SPDY alone. What runs on them is what the test says.
 */
export class StreamApi implements AsyncDisposable {
  readonly server: ApiServer;
  readonly audited: string[] = [];
  readonly #authority: KeyPair;
  readonly #nodes: NodeServers;
  readonly #pods = new Map<string, Cached<Pod>>();
  #port = 0;

  private constructor() {
    this.#authority = issueCertificate({ commonName: 'ca', usage: 'authority', validDays: 1 }, issuer);
    const specs = ['new', 'old'].map((name, index) => completeNodeSpec({ name }, index));
    this.#nodes = new NodeServers({
      specs: new Map(specs.map((spec) => [spec.name, spec])),
      serving: {
        clientAuthority: this.#authority.cert,
        certificateFor: ({ name, address }) => this.#issue(name, 'server', [address]),
      },
      clock: realClock,
      logger: silentLogger,
      isSuspended: () => false,
      findPod: (key) => this.#pods.get(key),
      podsOf: () => [...this.#pods.values()],
      allPods: () => this.#pods.values(),
      directories: () => new Map(),
      objects: {
        configMap: async () => undefined,
        secret: async () => undefined,
        services: async () => [],
        allocatable: () => ({}),
      },
      onFinished: () => {},
    });
    const sink: AuditSink = {
      write: (line) => void this.audited.push(line),
      close: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
    this.server = new ApiServer({
      store: createMemoryStore({}),
      tokens: ['admin', 'reader', 'runner', 'nobody'].map((name) => ({
        token: name,
        user: name,
        groups: name === 'admin' ? ['system:masters'] : [],
      })),
      audit: { sink },
      nodes: {
        kubeletClient: this.#issue('kube-apiserver-kubelet-client', 'client'),
        kubeletAuthority: this.#authority.cert,
        network: {
          connect: async (host, port) => {
            const found = this.#nodes.connect(host, port);
            if (found === undefined) throw new Error(`connect ECONNREFUSED ${host}:${port}`);
            return found;
          },
        },
      },
    });
  }

  static async start(): Promise<StreamApi> {
    const api = new StreamApi();
    await api.#start();
    return api;
  }

  async #start(): Promise<void> {
    const { cert, key } = this.#issue('server', 'server', ['127.0.0.1']);
    this.#port = await this.server.listen({ port: 0, tls: { cert, key, clientCa: this.#authority.cert } });
    for (const [name, address, features] of [
      ['new', '172.30.0.1', ['ExtendWebSocketsToKubelet']],
      ['old', '172.30.0.2', []],
    ] as const)
      await this.must('POST', '/api/v1/nodes', {
        metadata: { name },
        status: {
          addresses: [{ type: 'InternalIP', address }],
          daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
          declaredFeatures: features,
        },
      });
    await this.must('POST', '/api/v1/namespaces/default/serviceaccounts', {
      metadata: { name: 'default' },
    }).catch(() => {});
  }

  get admin(): Transport {
    return this.server.transport();
  }

  async must(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<unknown> {
    const answer = await this.admin.request({ method, path, ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** A pod that runs on a node, with one container. */
  async run(name: string, node: string, container: object = {}, status: object = {}): Promise<void> {
    const path = '/api/v1/namespaces/default/pods';
    await this.must('POST', path, {
      metadata: { name },
      spec: {
        nodeName: node,
        automountServiceAccountToken: false,
        containers: [{ name: 'main', image: 'busybox', ...container }],
      },
    });
    // The test plays the kubelet, and knows the pod as it would write it.
    const pod = (await this.must('GET', `${path}/${name}`)) as Cached<Pod>;
    const running = {
      phase: 'Running',
      podIP: '10.128.0.9',
      podIPs: [{ ip: '10.128.0.9' }],
      containerStatuses: [
        {
          name: 'main',
          image: 'busybox',
          imageID: 'x',
          ready: true,
          restartCount: 0,
          state: {
            running: { startedAt: new Date(realClock.now() - 5000).toISOString().replace(/\.\d+/, '') },
          },
        },
      ],
      ...status,
    };
    const full = { ...pod, status: { ...pod.status, ...running } };
    await this.must('PUT', `${path}/${name}/status`, full);
    this.#pods.set(`default/${name}`, full);
  }

  async grant(user: string, rules: readonly object[]): Promise<void> {
    const base = '/apis/rbac.authorization.k8s.io/v1';
    await this.must('POST', `${base}/clusterroles`, { metadata: { name: user }, rules });
    await this.must('POST', `${base}/clusterrolebindings`, {
      metadata: { name: user },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
    });
  }

  /** A plain request over HTTP/1.1, and all of its answer. */
  async ask(path: string, { method = 'GET', token = 'admin', headers = {} } = {}): Promise<Refusal> {
    const request = this.#request(path, method, { ...bearer(token), ...headers });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: await textOf(response) };
  }

  /** Asks for another protocol. */
  async upgrade(
    path: string,
    headers: Readonly<Record<string, string>>,
    { method = 'GET', token = 'admin' } = {},
  ): Promise<Opened | Refusal> {
    const request = this.#request(path, method, { ...bearer(token), connection: 'Upgrade', ...headers });
    request.end();
    return new Promise((resolve, reject) => {
      request.on('error', reject);
      request.on('upgrade', (response, socket, head) => {
        if (head.byteLength > 0) socket.unshift(head);
        resolve({ status: 101, headers: response.headers, socket });
      });
      request.on('response', (response: IncomingMessage) => {
        textOf(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      });
    });
  }

  async webSocket(
    path: string,
    protocols: string,
    options: { token?: string } = {},
  ): Promise<
    Refusal | { readonly status: 101; readonly protocol: unknown; readonly socket: WebSocketConnection }
  > {
    const opened = await this.upgrade(
      path,
      {
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': KEY,
        ...(protocols !== '' && { 'sec-websocket-protocol': protocols }),
      },
      options,
    );
    if (!('socket' in opened)) return opened;
    const socket = new WebSocketConnection(opened.socket, { random: systemRandom });
    return { status: 101, protocol: opened.headers['sec-websocket-protocol'], socket };
  }

  spdy(path: string, protocol: string): Promise<Opened | Refusal> {
    const headers = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': protocol };
    return this.upgrade(path, headers, { method: 'POST' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
    await this.#nodes[Symbol.asyncDispose]();
  }

  #request(path: string, method: string, headers: Readonly<Record<string, string>>): ClientRequest {
    return httpsRequest({
      host: '127.0.0.1',
      port: this.#port,
      path,
      method,
      headers,
      agent: false,
      ca: this.#authority.cert,
    });
  }

  #issue(commonName: string, usage: 'server' | 'client', hosts: readonly string[] = []): KeyPair {
    return issueCertificate({ commonName, usage, hosts, validDays: 1 }, issuer, this.#authority);
  }
}

function bearer(token: string): Record<string, string> {
  return token === '' ? {} : { authorization: `Bearer ${token}` };
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
