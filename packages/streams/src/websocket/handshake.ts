import { createHash } from 'node:crypto';

/** Headers of a request, by their lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** RFC 6455 names it. */
const ACCEPT_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const VERSION = '13';

/** Whether the `Connection` header asks for another protocol. */
export function isUpgradeRequest(headers: RequestHeaders): boolean {
  return listOf(headers['connection']).some((token) => token.toLowerCase() === 'upgrade');
}

export function isWebSocketRequest(headers: RequestHeaders): boolean {
  return isUpgradeRequest(headers) && textOf(headers['upgrade']).toLowerCase() === 'websocket';
}

/** The subprotocols that a client offers, in its order. */
export function subprotocolsOf(headers: RequestHeaders): string[] {
  return listOf(headers['sec-websocket-protocol']);
}

/** What is wrong with a request for a WebSocket; undefined when it is as it should be. */
export function webSocketProblem(headers: RequestHeaders): string | undefined {
  if (textOf(headers['sec-websocket-version']) !== VERSION) return `Sec-WebSocket-Version must be ${VERSION}`;
  const key = textOf(headers['sec-websocket-key']);
  return /^[A-Za-z0-9+/]{22}==$/.test(key) ? undefined : 'Sec-WebSocket-Key must be 16 bytes in base64';
}

/** The headers of the answer that makes the connection a WebSocket. */
export function webSocketAnswer(
  headers: RequestHeaders,
  subprotocol: string | undefined,
): Record<string, string> {
  return {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-accept': acceptOf(textOf(headers['sec-websocket-key'])),
    ...(subprotocol !== undefined && subprotocol !== '' && { 'sec-websocket-protocol': subprotocol }),
  };
}

/** What the server must answer to a client's key. */
export function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}${ACCEPT_GUID}`).digest('base64');
}

function textOf(value: string | readonly string[] | undefined): string {
  return (typeof value === 'string' ? value : (value?.[0] ?? '')).trim();
}

function listOf(value: string | readonly string[] | undefined): string[] {
  const text = typeof value === 'string' ? value : (value?.join(',') ?? '');
  return text
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
}
