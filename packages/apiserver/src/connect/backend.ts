import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { abortError, onAbort, WindlassError } from '@windlass/base';
import type { ClusterNetwork } from './network.ts';

/** Where a request is handed on to. */
export interface Backend {
  readonly host: string;
  readonly port: number;
  /** Undefined: plain HTTP. */
  readonly tls: BackendTls | undefined;
}

export interface BackendTls {
  /** Whom the other side is believed to be: PEM of the authority. Undefined: anybody, as for pods. */
  readonly authority: string | undefined;
  /** Who the API server is. */
  readonly cert?: string;
  readonly key?: string;
}

export interface BackendRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: AsyncIterable<Uint8Array> | undefined;
  readonly signal: AbortSignal | undefined;
}

export type BackendAnswer =
  | {
      readonly type: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** It must be read, or returned. */
      readonly body: AsyncIterable<Uint8Array>;
    }
  | {
      readonly type: 'upgrade';
      readonly headers: Readonly<Record<string, string>>;
      readonly socket: Duplex;
    };

/** Nobody answers where a request was to be handed on to. */
export class BackendError extends WindlassError {
  constructor(message: string, cause: unknown) {
    super(message, { code: 'BACKEND', cause });
  }
}

/** How long another side may take for its handshake and the head of its answer. Logs may take longer for the rest. */
const TLS_HANDSHAKE_MS = 10_000;

/**
 * Hands a request on, on a connection of its own.
 * @throws BackendError when nobody is there or what is there does not speak HTTP
 */
export async function askBackend(
  network: ClusterNetwork,
  backend: Backend,
  request: BackendRequest,
): Promise<BackendAnswer> {
  const { signal, method, path, headers, body } = request;
  const socket = await dial(network, backend, signal);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ createConnection: () => socket, method, path, headers, setHost: false });
    const release = onAbort(signal, () => {
      outgoing.destroy();
      socket.destroy();
      if (signal !== undefined) reject(abortError(signal));
    });
    outgoing.on('error', (error) => {
      socket.destroy();
      release();
      reject(new BackendError(error.message, error));
    });
    outgoing.on('upgrade', (response, upgraded, head) => {
      release();
      if (head.byteLength > 0) upgraded.unshift(head);
      resolve({ type: 'upgrade', headers: headersOf(response), socket: upgraded });
    });
    outgoing.on('response', (response) => {
      response.once('close', () => {
        release();
        socket.destroy();
      });
      resolve({
        type: 'response',
        status: response.statusCode ?? 502,
        headers: headersOf(response),
        body: response,
      });
    });
    if (body === undefined) outgoing.end();
    else void sendBody(outgoing, body);
  });
}

async function dial(network: ClusterNetwork, backend: Backend, signal?: AbortSignal): Promise<Duplex> {
  const { host, port, tls } = backend;
  let raw: Duplex;
  try {
    raw = await network.connect(host, port, signal);
  } catch (error) {
    throw dialError(error);
  }
  if (tls === undefined) return raw;
  return new Promise((resolve, reject) => {
    const { authority, cert, key } = tls;
    const socket = tlsConnect({
      socket: raw,
      host,
      minVersion: 'TLSv1.2',
      ...(authority === undefined ? { rejectUnauthorized: false } : { ca: authority }),
      ...(cert !== undefined && key !== undefined && { cert, key }),
    });
    const release = onAbort(signal, () => {
      socket.destroy();
      if (signal !== undefined) reject(abortError(signal));
    });
    const fail = (error: Error): void => {
      release();
      socket.destroy();
      reject(dialError(error));
    };
    socket.once('error', fail);
    socket.setTimeout(TLS_HANDSHAKE_MS, () => fail(new Error('TLS handshake timeout')));
    socket.once('secureConnect', () => {
      release();
      socket.setTimeout(0);
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

function dialError(cause: unknown): BackendError {
  return new BackendError(
    `error dialing backend: ${cause instanceof Error ? cause.message : String(cause)}`,
    cause,
  );
}

async function sendBody(
  outgoing: ReturnType<typeof httpRequest>,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  try {
    for await (const chunk of body) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(chunk)) await new Promise<void>((resolve) => onceEither(outgoing, resolve));
    }
    outgoing.end();
  } catch (error) {
    outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

function onceEither(outgoing: ReturnType<typeof httpRequest>, done: () => void): void {
  const end = (): void => {
    outgoing.off('drain', end).off('close', end);
    done();
  };
  outgoing.on('drain', end).on('close', end);
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  return flat;
}
