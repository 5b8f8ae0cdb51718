// A page in a browser can give a WebSocket no header of its own. It says who it is in a subprotocol instead.
import { newUnauthorized } from '@windlass/apimachinery';
import { isWebSocketRequest, type RequestHeaders, subprotocolsOf } from '@windlass/streams';

const PREFIX = 'base64url.bearer.authorization.k8s.io.';
const HEADER = 'sec-websocket-protocol';

/**
 * The bearer token among the subprotocols; undefined when there is none.
 * @throws StatusError 401 when there are several, when it cannot be read, or when nothing else is offered
 */
export function webSocketToken(headers: RequestHeaders): string | undefined {
  if (!isWebSocketRequest(headers)) return undefined;
  const offered = subprotocolsOf(headers);
  const tokens = offered.filter((name) => name.startsWith(PREFIX));
  const [only] = tokens;
  if (only === undefined) return undefined;
  const encoded = only.slice(PREFIX.length);
  const token = Buffer.from(encoded, 'base64url');
  const isReadable = /^[A-Za-z0-9_-]+$/.test(encoded) && token.toString('base64url') === encoded;
  // The server must answer with one of the others.
  if (tokens.length > 1 || !isReadable || offered.length === 1) throw newUnauthorized('Unauthorized');
  return token.toString('utf8');
}

/** The headers without the token, which concerns nobody else. */
export function withoutWebSocketToken(headers: Record<string, string>): Record<string, string> {
  if (!(headers[HEADER] ?? '').includes(PREFIX)) return headers;
  const others = subprotocolsOf(headers).filter((name) => !name.startsWith(PREFIX));
  return { ...headers, [HEADER]: others.join(', ') };
}
