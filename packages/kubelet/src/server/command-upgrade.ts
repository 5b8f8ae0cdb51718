import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@windlass/base';
import {
  COMMAND_PROTOCOLS,
  chooseProtocol,
  isUpgradeRequest,
  isWebSocketRequest,
  type RemoteCommand,
  SPDY_COMMAND_PROTOCOLS,
  spdyCommand,
  subprotocolsOf,
  webSocketAnswer,
  webSocketCommand,
  webSocketProblem,
} from '@windlass/streams';
import { NodeRequestError } from './container-state.ts';

/** Which streams a command is to have. */
export interface WantedStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** @throws NodeRequestError 400 when there would be none */
export function wantedStreams(query: URLSearchParams): WantedStreams {
  const is = (name: string): boolean => query.get(name) === '1' || query.get(name) === 'true';
  const tty = is('tty');
  // A terminal has one output.
  const wanted = { stdin: is('input'), stdout: is('output'), stderr: is('error') && !tty, tty };
  if (!wanted.stdin && !wanted.stdout && !wanted.stderr)
    throw new NodeRequestError(400, 'you must specify at least 1 of stdin, stdout, stderr');
  return wanted;
}

/** A protocol that both sides speak: the answer that says so, and what to do on the connection then. */
export interface AgreedProtocol<T> {
  readonly headers: Readonly<Record<string, string>>;
  readonly open: (socket: Duplex) => Promise<T>;
}

/** @throws NodeRequestError when there is none */
export function agreeOnCommand(
  headers: IncomingHttpHeaders,
  wanted: WantedStreams,
  clock: Clock,
): AgreedProtocol<RemoteCommand> {
  if (isWebSocketRequest(headers)) {
    checkWebSocket(headers);
    const protocol = chooseProtocol(subprotocolsOf(headers), COMMAND_PROTOCOLS);
    if (protocol === undefined) throw notAgreed(subprotocolsOf(headers));
    return {
      headers: webSocketAnswer(headers, protocol.name),
      open: (socket) => webSocketCommand(socket, protocol, wanted),
    };
  }
  const { answer, protocol } = agreeOnSpdy(headers, SPDY_COMMAND_PROTOCOLS);
  return { headers: answer, open: (socket) => spdyCommand(socket, protocol, wanted, clock) };
}

/** @throws NodeRequestError when the request is for something else */
export function agreeOnSpdy(
  headers: IncomingHttpHeaders,
  known: readonly string[],
): { readonly answer: Record<string, string>; readonly protocol: string } {
  if (!isUpgradeRequest(headers) || headers.upgrade?.toLowerCase() !== 'spdy/3.1')
    throw new NodeRequestError(400, 'unable to upgrade: missing upgrade headers in request');
  const offered = spdyProtocols(headers);
  const chosen = offered.length === 0 ? '' : offered.find((name) => known.includes(name));
  if (chosen === undefined) throw notAgreed(offered);
  return {
    answer: {
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
      ...(chosen !== '' && { 'x-stream-protocol-version': chosen }),
    },
    protocol: chosen,
  };
}

export function checkWebSocket(headers: IncomingHttpHeaders): void {
  const problem = webSocketProblem(headers);
  if (problem !== undefined) throw new NodeRequestError(400, problem);
}

function spdyProtocols(headers: IncomingHttpHeaders): string[] {
  const value = headers['x-stream-protocol-version'];
  return (typeof value === 'string' ? value : (value?.join(',') ?? ''))
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function notAgreed(offered: readonly string[]): NodeRequestError {
  return new NodeRequestError(
    403,
    `unable to upgrade: unable to negotiate protocol: client supports [${offered.join(' ')}]`,
  );
}
