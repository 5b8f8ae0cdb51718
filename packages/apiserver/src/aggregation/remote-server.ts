import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { KeyPair } from '@windlass/base';
import { remoteUserHeaders } from '../access/remote-user.ts';
import type { UserInfo } from '../access/user.ts';
import type { ServiceResolver } from '../exchange/service-resolver.ts';
import type { RemoteApiService } from './api-services.ts';

/** An idle connection is closed after so long: before the other server does, which would look like a failure. */
const IDLE_MS = 30_000;

export interface RemoteCall {
  readonly method: string;
  /** With the query, percent-encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array | undefined;
  /** Whom the other server is told that asks. */
  readonly user: UserInfo;
  readonly signal: AbortSignal | undefined;
}

export interface RemoteServersOptions {
  readonly resolve: ServiceResolver;
  /** By which other servers know this one; they believe it who asks. @default none, and they believe nothing */
  readonly client: KeyPair | undefined;
}

/** Where an APIService leads, and the TLS by which it is reached. */
export interface RemoteTarget {
  readonly host: string;
  readonly port: number;
  readonly servername: string;
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** A service without an address that answers. */
export class UnresolvedServiceError extends Error {
  override readonly name = 'UnresolvedServiceError';
  readonly code = 'UNRESOLVED_SERVICE';

  constructor({ namespace, name, port }: RemoteApiService['service']) {
    super(
      `no endpoints available for service "${namespace}/${name}" on port ${port}; it needs a ready endpoint`,
    );
  }
}

/** The connections to the servers of APIServices. */
export class RemoteServers implements Disposable {
  readonly #options: RemoteServersOptions;
  /** It tells connections of different certificates apart by itself. */
  readonly #agent = new Agent({ keepAlive: true, timeout: IDLE_MS });

  constructor(options: RemoteServersOptions) {
    this.#options = options;
  }

  /** @throws UnresolvedServiceError */
  async target({ service, ca, isVerified }: RemoteApiService): Promise<RemoteTarget> {
    const { resolve, client } = this.#options;
    const found = await resolve(service.namespace, service.name, service.port);
    if (found === undefined) throw new UnresolvedServiceError(service);
    return {
      host: found.host,
      port: found.port,
      servername: `${service.name}.${service.namespace}.svc`,
      rejectUnauthorized: isVerified,
      ...(ca !== undefined && { ca }),
      ...(client !== undefined && { cert: client.cert, key: client.key }),
    };
  }

  /** Resolves with the head of the answer; its body is to be read or destroyed. */
  async call(remote: RemoteApiService, call: RemoteCall): Promise<IncomingMessage> {
    const target = await this.target(remote);
    try {
      return await this.#send(target, call);
    } catch (error) {
      // The other server closed an idle connection in the same moment: nothing was done with the request.
      if (call.method === 'GET' && error instanceof StaleConnectionError) return this.#send(target, call);
      throw error;
    }
  }

  /** As `call`, for a request that asks for another protocol. With a socket when the other server agrees to it. */
  async upgrade(
    remote: RemoteApiService,
    { method, path, headers, user, signal }: RemoteCall,
  ): Promise<{ readonly response: IncomingMessage; readonly socket: Duplex | undefined }> {
    const target = await this.target(remote);
    return new Promise((resolve, reject) => {
      const request = httpsRequest({
        ...target,
        agent: false,
        method,
        path,
        headers: { ...headers, host: hostOf(target), ...remoteUserHeaders(user) },
        ...(signal !== undefined && { signal }),
      });
      request.once('upgrade', (response, socket, head) => {
        if (head.byteLength > 0) socket.unshift(head);
        resolve({ response, socket });
      });
      request.once('response', (response) => resolve({ response, socket: undefined }));
      request.on('error', reject);
      request.end();
    });
  }

  /** Ends all connections. */
  close(): void {
    this.#agent.destroy();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #send(
    target: RemoteTarget,
    { method, path, headers, body, user, signal }: RemoteCall,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = httpsRequest({
        ...target,
        agent: this.#agent,
        method,
        path,
        headers: {
          ...headers,
          host: hostOf(target),
          ...remoteUserHeaders(user),
          ...(body !== undefined && { 'content-length': body.byteLength }),
        },
        ...(signal !== undefined && { signal }),
      });
      request.once('response', resolve);
      request.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = request.reusedSocket && error.code === 'ECONNRESET';
        reject(isStale ? new StaleConnectionError(error) : error);
      });
      request.end(body);
    });
  }
}

class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError';
  readonly code = 'STALE_CONNECTION';

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

export function hostOf({ host, port }: Pick<RemoteTarget, 'host' | 'port'>): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
