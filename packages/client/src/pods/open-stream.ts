import type { Duplex } from 'node:stream';
import {
  type ApiRequest,
  type ApiUpgradeResponse,
  type RequestSubject,
  statusErrorFromResponse,
} from '@windlass/apimachinery';
import type { Random } from '@windlass/base';
import { acceptOf } from '@windlass/streams';
import { TransportError } from '../errors.ts';
import type { ApiCaller } from '../policy/api-caller.ts';
import { mayTryNext, type StreamOffer } from './stream-offers.ts';

export interface StreamTarget {
  readonly caller: ApiCaller;
  readonly random: Random;
  readonly path: string;
  readonly subject: RequestSubject;
  readonly query: NonNullable<ApiRequest['query']>;
  readonly signal: AbortSignal | undefined;
}

/** A connection, and what is spoken on it. */
export interface OpenedStream {
  readonly type: StreamOffer['type'];
  readonly protocol: string;
  readonly socket: Duplex;
}

/**
 * Asks in each way until the server takes one.
 * @throws StatusError what the server said last, when it takes none
 */
export async function openStream(
  target: StreamTarget,
  offers: readonly StreamOffer[],
): Promise<OpenedStream> {
  let refusal: ApiUpgradeResponse | undefined;
  for (const offer of offers) {
    const answer = await ask(target, offer);
    if ('socket' in answer) return answer;
    // A Status says more than the text of an HTTP library that knows no such protocol.
    if (refusal === undefined || isObject(answer.refusal.body)) ({ refusal } = answer);
    if (!mayTryNext(answer.refusal.status)) break;
  }
  const { status, body, headers } = refusal ?? { status: 500, body: undefined, headers: {} };
  throw statusErrorFromResponse(status, body, target.subject, headers);
}

async function ask(
  target: StreamTarget,
  offer: StreamOffer,
): Promise<OpenedStream | { readonly refusal: ApiUpgradeResponse }> {
  const { caller, path, query, signal, random } = target;
  const key = Buffer.from(random.bytes(16)).toString('base64');
  const protocols = offer.protocols.join(', ');
  const isWebSocket = offer.type === 'websocket';
  const headers: Record<string, string> = isWebSocket
    ? {
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': key,
        'sec-websocket-protocol': protocols,
      }
    : { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': protocols };
  const method = isWebSocket ? 'GET' : 'POST';
  const response = await caller.upgrade({ method, path, query, headers }, signal);
  const { socket } = response;
  if (response.status !== 101 || socket === undefined) return { refusal: response };
  const chosen = response.headers[isWebSocket ? 'sec-websocket-protocol' : 'x-stream-protocol-version'] ?? '';
  const isAnswer = !isWebSocket || response.headers['sec-websocket-accept'] === acceptOf(key);
  if (isAnswer && offer.protocols.includes(chosen)) return { type: offer.type, protocol: chosen, socket };
  socket.destroy();
  throw new TransportError(
    `${method} ${path} was answered with the protocol ${JSON.stringify(chosen)}, but ${protocols} was asked for: ` +
      'is there a proxy in between that changes headers?',
    { code: 'BAD_RESPONSE', sent: true },
  );
}

function isObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !(body instanceof Uint8Array);
}
