import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Clock, type Logger, toError, withDeadline } from '@windlass/base';
import { isRemoteUserHeader } from '../access/remote-user.ts';
import { HOP_BY_HOP } from '../connect/forwarded-headers.ts';
import type { ServerRequest, ServerResponse } from '../exchange/exchange.ts';
import type { PathHandler } from '../exchange/path-handler.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { ApiServices, RemoteApiService } from './api-services.ts';
import { joinConnections } from './join-connections.ts';
import { type RemoteServers, UnresolvedServiceError } from './remote-server.ts';

export interface ProxyOptions {
  readonly services: ApiServices;
  readonly servers: RemoteServers;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Which resources a server has must be told quickly: every client asks, and waits for all servers. */
const DISCOVERY_TIMEOUT_MS = 5000;

/** What is of one connection only, and what says who asks: both end at this server. */
const ENDS_HERE: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  'http2-settings',
  'host',
  'expect',
  'content-length',
  'authorization',
]);
const IMPERSONATE = 'impersonate-';

/** Hands requests below the path of an APIService to its server. They are authorised before. */
export function aggregationProxy(options: ProxyOptions): PathHandler {
  return (request, info) => {
    const remote = remoteFor(options.services, info);
    return remote === undefined ? undefined : proxied(remote, request, info, options);
  };
}

/** Whose the path is: `/apis/GROUP/VERSION` and all below. */
export function remoteFor(services: ApiServices, info: RequestInfo): RemoteApiService | undefined {
  if (info.isResourceRequest) return services.remote(info.group, info.version);
  const [root, group = '', version = ''] = info.path.split('/').filter((segment) => segment !== '');
  return root === 'apis' ? services.remote(group, version) : undefined;
}

/** Asks the server of the APIService, as whoever asks here, and passes on what it answers. */
export async function proxied(
  remote: RemoteApiService,
  request: ServerRequest,
  info: RequestInfo,
  { servers, clock, logger }: Omit<ProxyOptions, 'services'>,
): Promise<ServerResponse> {
  if (!remote.isAvailable) return unavailable('service unavailable');
  if (request.isUpgrade === true) return upgraded(remote, request, servers, logger);
  const read = await request.readBody?.();
  const body = read ?? bytesOf(request.body);
  const limit = isDiscovery(info) ? DISCOVERY_TIMEOUT_MS : Number.POSITIVE_INFINITY;
  using deadline = withDeadline(clock, limit, 'the discovery of an APIService', request.signal);
  try {
    const response = await servers.call(remote, {
      method: request.method,
      path: pathWithQuery(request),
      headers: requestHeaders(request),
      body,
      user: request.user,
      // A deadline is for the head of the answer; the body may be a watch.
      signal: limit === Number.POSITIVE_INFINITY ? request.signal : deadline.signal,
    });
    return streamed(response);
  } catch (error) {
    if (request.signal?.aborted === true) throw error;
    logger.debug('an APIService could not be reached', { name: remote.name, error: toError(error) });
    if (error instanceof UnresolvedServiceError) return unavailable('service unavailable');
    return unavailable(`error trying to reach service: ${toError(error).message}`);
  }
}

/** Asks for another protocol on a connection of its own, and joins it with the client's when the other server agrees. */
async function upgraded(
  remote: RemoteApiService,
  request: ServerRequest,
  servers: RemoteServers,
  logger: Logger,
): Promise<ServerResponse> {
  const asked = request.headers?.['upgrade'] ?? '';
  try {
    const answer = await servers.upgrade(remote, {
      method: request.method,
      path: pathWithQuery(request),
      headers: { ...requestHeaders(request), connection: 'Upgrade', upgrade: asked },
      body: undefined,
      user: request.user,
      signal: request.signal,
    });
    if (answer.socket === undefined) return streamed(answer.response);
    const { socket } = answer;
    return {
      type: 'upgrade',
      status: 101,
      headers: flatHeaders(answer.response.headers, () => true),
      run: (client) => joinConnections(client, socket),
    };
  } catch (error) {
    logger.debug('an APIService could not be reached', { name: remote.name, error: toError(error) });
    return unavailable(`error trying to reach service: ${toError(error).message}`);
  }
}

/** In plain text, as nobody has negotiated anything. */
function unavailable(message: string): ServerResponse {
  return {
    type: 'bytes',
    status: 503,
    contentType: 'text/plain; charset=utf-8',
    body: `${message}\n`,
    headers: { 'x-content-type-options': 'nosniff' },
  };
}

export function streamed(response: IncomingMessage): ServerResponse {
  return {
    type: 'stream',
    status: response.statusCode ?? 502,
    headers: responseHeaders(response.headers),
    body: response,
  };
}

function isDiscovery(info: RequestInfo): boolean {
  return !info.isResourceRequest && info.path.split('/').filter((segment) => segment !== '').length === 3;
}

/** What a client in this process sends may be a value that has no bytes yet. */
function bytesOf(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function pathWithQuery({ path, query = {} }: ServerRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of typeof value === 'string' ? [value] : value) parameters.append(name, one);
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

function requestHeaders({
  headers = {},
  auditId,
  sourceAddress,
  body,
}: ServerRequest): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => !ENDS_HERE.has(name) && !isRemoteUserHeader(name) && !name.startsWith(IMPERSONATE),
  );
  const before = headers['x-forwarded-for'];
  return {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...Object.fromEntries(kept),
    ...(auditId !== undefined && { 'audit-id': auditId }),
    ...(sourceAddress !== undefined && {
      'x-forwarded-for': before === undefined ? sourceAddress : `${before}, ${sourceAddress}`,
    }),
  };
}

function responseHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  // The length stays true: the bytes are passed on as they come.
  return flatHeaders(headers, (name) => !ENDS_HERE.has(name) || name === 'content-length');
}

function flatHeaders(
  headers: IncomingHttpHeaders,
  isKept: (name: string) => boolean,
): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && isKept(name))
      flat[name] = typeof value === 'string' ? value : value.join(', ');
  return flat;
}
