import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { issueCertificate, realClock, systemRandom } from '@windlass/base';

export const GROUP = 'wardle.example.com';
const issuer = { clock: realClock, random: systemRandom };

export interface SampleServerOptions {
  /** The name that its certificate is for. */
  readonly serverName: string;
  /** PEM: whose clients it believes. */
  readonly frontProxyCa: string;
  /** Whether it knows aggregated discovery and OpenAPI v3. @default true */
  readonly isModern?: boolean;
}

export interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** The common name of a client certificate that the front proxy's authority has signed. */
  readonly proxy: string | undefined;
}

/** An aggregated API server as small as can be: it serves flunders, and keeps what it was asked. */
export class SampleServer implements AsyncDisposable {
  readonly asked: SampleRequest[] = [];
  readonly port: number;
  /** base64 PEM, for an APIService. */
  readonly caBundle: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #watches = new Set<ServerResponse>();
  readonly #flunders = new Map<string, object>();
  readonly #isModern: boolean;
  /** What discovery answers with. */
  status = 200;

  private constructor(server: ReturnType<typeof createServer>, caBundle: string, isModern: boolean) {
    this.#server = server;
    this.caBundle = caBundle;
    this.#isModern = isModern;
    this.port = (server.address() as AddressInfo).port;
    server.on('request', (request, response) => void this.#handle(request, response));
    server.on('upgrade', (request, socket) => {
      this.#note(request, '');
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
      socket.pipe(socket);
      socket.on('error', () => {});
    });
  }

  static async start({
    serverName,
    frontProxyCa,
    isModern = true,
  }: SampleServerOptions): Promise<SampleServer> {
    const authority = issueCertificate({ commonName: 'sample-ca', usage: 'authority', validDays: 1 }, issuer);
    const subject = { commonName: 'sample', hosts: [serverName], usage: 'server', validDays: 1 } as const;
    const { cert, key } = issueCertificate(subject, issuer, authority);
    const server = createServer({
      cert,
      key,
      ca: frontProxyCa,
      requestCert: true,
      rejectUnauthorized: false,
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    return new SampleServer(server, Buffer.from(authority.cert).toString('base64'), isModern);
  }

  /** Tells all watches. */
  emit(event: object): void {
    for (const watch of this.#watches) watch.write(`${JSON.stringify(event)}\n`);
  }

  get watches(): number {
    return this.#watches.size;
  }

  /** Breaks all connections. */
  breakOff(): void {
    this.#server.closeAllConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #note(request: IncomingMessage, body: string): void {
    const socket = request.socket as TLSSocket;
    this.asked.push({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body,
      proxy: socket.authorized ? String(socket.getPeerCertificate().subject.CN) : undefined,
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    this.#note(request, body);
    const url = new URL(request.url ?? '/', 'https://sample');
    const answer = (status: number, object: object, contentType = 'application/json'): void => {
      response.writeHead(status, { 'content-type': contentType, warning: '299 - "from the sample"' });
      response.end(JSON.stringify(object));
    };
    const items = `/apis/${GROUP}/v1alpha1/namespaces/default/flunders`;
    if (url.pathname === items && url.searchParams.get('watch') === 'true') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      this.#watches.add(response);
      response.on('close', () => this.#watches.delete(response));
    } else if (url.pathname === items && request.method === 'POST') {
      const flunder = { metadata: {}, ...JSON.parse(body) };
      this.#flunders.set(flunder.metadata.name, flunder);
      answer(201, flunder);
    } else if (url.pathname === items)
      answer(200, {
        kind: 'FlunderList',
        apiVersion: `${GROUP}/v1alpha1`,
        metadata: { resourceVersion: '1' },
        items: [...this.#flunders.values()],
      });
    else if (url.pathname === `/apis/${GROUP}/v1alpha1`)
      answer(this.status, {
        kind: 'APIResourceList',
        groupVersion: `${GROUP}/v1alpha1`,
        resources: RESOURCES,
      });
    else if (url.pathname === '/apis' && this.#isModern) answer(200, AGGREGATED, AGGREGATED_TYPE);
    else if (url.pathname === '/openapi/v3' && this.#isModern)
      answer(200, {
        paths: {
          [`apis/${GROUP}/v1alpha1`]: { serverRelativeURL: `/openapi/v3/apis/${GROUP}/v1alpha1?hash=1` },
        },
      });
    else if (url.pathname === `/openapi/v3/apis/${GROUP}/v1alpha1`)
      answer(200, { openapi: '3.0.0', sample: true });
    else if (url.pathname === '/openapi/v2') answer(200, SWAGGER);
    else answer(404, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 });
  }
}

const RESOURCES = [
  {
    name: 'flunders',
    singularName: 'flunder',
    namespaced: true,
    kind: 'Flunder',
    verbs: ['list', 'create', 'watch'],
  },
  { name: 'flunders/status', singularName: '', namespaced: true, kind: 'Flunder', verbs: ['get'] },
];
const AGGREGATED_TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const AGGREGATED = {
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: [
    {
      metadata: { name: GROUP },
      versions: [
        {
          version: 'v1alpha1',
          resources: [
            {
              resource: 'flunders',
              responseKind: { group: GROUP, version: 'v1alpha1', kind: 'Flunder' },
              scope: 'Namespaced',
              singularResource: 'flunder',
              verbs: ['list', 'create', 'watch'],
            },
          ],
        },
      ],
    },
  ],
};
const SWAGGER = {
  swagger: '2.0',
  paths: {
    [`/apis/${GROUP}/v1alpha1/flunders`]: { get: { schema: { $ref: '#/definitions/Flunder' } } },
    '/version/': { get: { schema: { $ref: '#/definitions/Version' } } },
  },
  definitions: {
    Flunder: { type: 'object', properties: { spec: { $ref: '#/definitions/FlunderSpec' } } },
    FlunderSpec: { type: 'object' },
    Version: { type: 'object' },
  },
};
