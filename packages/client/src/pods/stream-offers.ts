import { type ChannelProtocol, COMMAND_PROTOCOLS } from '@windlass/streams';

/** One way to ask a server for streams, of which it may refuse each. */
export type StreamOffer =
  | { readonly type: 'websocket'; readonly protocols: readonly string[] }
  | { readonly type: 'spdy'; readonly protocols: readonly string[] };

const V5 = 'v5.channel.k8s.io';
const V4 = 'v4.channel.k8s.io';

/**
 * In the order in which they are tried. Servers before 1.30 know no v5, and v4 over WebSocket cannot tell the end of
 * stdin: with one, SPDY comes before it, which every server up to now speaks.
 */
export function commandOffers(hasStdin: boolean): readonly StreamOffer[] {
  const spdy: StreamOffer = { type: 'spdy', protocols: [V4] };
  return hasStdin
    ? [{ type: 'websocket', protocols: [V5] }, spdy, { type: 'websocket', protocols: [V4] }]
    : [{ type: 'websocket', protocols: [V5, V4] }, spdy];
}

/** A tunnel that carries SPDY, and SPDY itself for servers before 1.30. */
export const PORT_OFFERS: readonly StreamOffer[] = [
  { type: 'websocket', protocols: ['SPDY/3.1+portforward.k8s.io'] },
  { type: 'spdy', protocols: ['portforward.k8s.io'] },
];

/**
 * Whether the next offer may be taken after such a refusal. Who is not known, and what is not there, stays so. But a
 * 403 may be about GET, by which WebSockets are asked for: older roles allow POST alone.
 */
export function mayTryNext(status: number): boolean {
  return status !== 401 && status !== 404 && status !== 429;
}

export function channelProtocol(name: string): ChannelProtocol | undefined {
  return COMMAND_PROTOCOLS.find((protocol) => protocol.name === name);
}
