import {
  failureStatus,
  newBadRequest,
  newInternalError,
  newServiceUnavailable,
  StatusError,
} from '@windlass/apimachinery';
import { collectBytes, isWebSocketRequest, webSocketProblem } from '@windlass/streams';
import type { ConnectAnswer, ConnectRequest } from '../resource/connect.ts';
import {
  askBackend,
  type Backend,
  type BackendAnswer,
  BackendError,
  type BackendRequest,
} from './backend.ts';
import { forwardedHeaders, returnedHeaders } from './forwarded-headers.ts';
import { joinSockets } from './join-sockets.ts';
import type { ClusterNetwork } from './network.ts';

/** As much of a refusal is read. */
const MAX_REFUSAL_BYTES = 50_000;

export interface HandOnOptions {
  readonly network: ClusterNetwork;
  readonly backend: Backend;
  /** With its query. */
  readonly path: string;
  /** Instead of the client's. */
  readonly method?: string;
  /** Instead of what follows from the client's. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks the other side. What goes wrong on the way becomes a Status. */
export async function ask(request: ConnectRequest, options: HandOnOptions): Promise<BackendAnswer> {
  const { network, backend, path, method = request.method } = options;
  const { isUpgrade, context } = request;
  const isDefaultPort = backend.port === (backend.tls === undefined ? 80 : 443);
  const host = isDefaultPort ? backend.host : `${backend.host}:${backend.port}`;
  const asked: BackendRequest = {
    method,
    path,
    headers: options.headers ?? forwardedHeaders(request.headers, { host, isUpgrade }),
    body: isUpgrade ? undefined : request.openBody?.(),
    signal: context.signal,
  };
  try {
    return await askBackend(network, backend, asked);
  } catch (error) {
    throw error instanceof BackendError ? unreachable(error, backend) : error;
  }
}

function unreachable(error: BackendError, { tls }: Backend): StatusError {
  // A kubelet that does not answer is the cluster's fault; a pod that does not is the caller's matter.
  if (tls?.cert !== undefined) return newInternalError(error);
  return newServiceUnavailable(error.message);
}

/** The other side's answer as it is; a connection for which both agree on a protocol is joined. */
export function passOn(request: ConnectRequest, answer: BackendAnswer): ConnectAnswer {
  if (answer.type === 'response')
    return {
      type: 'stream',
      status: answer.status,
      headers: returnedHeaders(answer.headers),
      body: answer.body,
    };
  const { socket, headers } = answer;
  const { signal } = request.context;
  const { connection: _, upgrade = '', ...rest } = headers;
  return {
    type: 'upgrade',
    status: 101,
    headers: { ...rest, connection: 'Upgrade', upgrade },
    run: (client) => joinSockets(client, socket, signal),
  };
}

/** @throws StatusError 400 when it is none, as the API server says it */
export function requireUpgrade({ isUpgrade, headers }: ConnectRequest): void {
  if (!isUpgrade) throw newBadRequest('Upgrade request required');
  const problem = isWebSocketRequest(headers) ? webSocketProblem(headers) : undefined;
  if (problem !== undefined) throw newBadRequest(problem);
}

/** The error that another side's refusal is for the client. */
export async function refusalOf(
  answer: Extract<BackendAnswer, { type: 'response' }>,
  resource: string,
  name: string,
): Promise<StatusError> {
  const text = (await collectBytes(answer.body, MAX_REFUSAL_BYTES)).toString();
  if (answer.status === 500) return newInternalError(new Error(text));
  if (answer.status === 400) return newBadRequest(text);
  const reason = answer.status === 404 ? 'NotFound' : answer.status === 403 ? 'Forbidden' : '';
  const message =
    answer.status === 404
      ? `the server could not find the requested resource ( ${resource} ${name})`
      : `the node answered ${answer.status}: ${text}`;
  return new StatusError(failureStatus(answer.status, reason, message, { name, kind: resource }));
}
