// How bytes go through a WebSocket whose client only listens: a watch, a log.

import { newBadRequest } from '@windlass/apimachinery';
import {
  type RequestHeaders,
  subprotocolsOf,
  type WebSocketConnection,
  webSocketAnswer,
  webSocketProblem,
} from '@windlass/streams';

/** A client that wants each message in base64 says so. */
export const BASE64 = 'base64.binary.k8s.io';
export const BINARY = 'binary.k8s.io';
const KNOWN: ReadonlySet<string> = new Set(['', BINARY, BASE64]);

export interface Handshake {
  /** Undefined where the client named none that is known. */
  readonly protocol: string | undefined;
  /** Of the answer. */
  readonly headers: Record<string, string>;
}

/** @throws StatusError 400 for one that makes no sense */
export function handshakeOf(headers: RequestHeaders): Handshake {
  const problem = webSocketProblem(headers);
  if (problem !== undefined) throw newBadRequest(problem);
  const protocol = subprotocolsOf(headers).find((name) => KNOWN.has(name));
  return { protocol, headers: webSocketAnswer(headers, protocol) };
}

/** Reads what a listener sends, which means nothing, until it is gone. */
export async function untilGone(socket: WebSocketConnection): Promise<undefined> {
  try {
    for await (const _ of socket.messages());
  } catch {
    // A client that sends nonsense is as good as gone.
  }
  return undefined;
}
