/** How a subprotocol of Kubernetes puts several channels on one WebSocket: the first byte of a message is the channel. */
export interface ChannelProtocol {
  /** As clients and servers name it in their handshake; empty where none was asked for. */
  readonly name: string;
  /** Text messages in base64, with the channel as a digit; otherwise binary ones. */
  readonly isBase64: boolean;
  /** Whether a message can end one channel. */
  readonly canEndChannels: boolean;
  /** How a command's end is told: a Status as JSON, or a sentence when it went wrong. */
  readonly status: 'json' | 'text';
}

/** A message of this channel ends the one that its second byte names. */
export const END_CHANNEL = 255;

const V5: ChannelProtocol = {
  name: 'v5.channel.k8s.io',
  isBase64: false,
  canEndChannels: true,
  status: 'json',
};
const V4: ChannelProtocol = { ...V5, name: 'v4.channel.k8s.io', canEndChannels: false };
const V4_BASE64: ChannelProtocol = { ...V4, name: 'v4.base64.channel.k8s.io', isBase64: true };
const V1: ChannelProtocol = { ...V4, name: 'channel.k8s.io', status: 'text' };
const V1_BASE64: ChannelProtocol = { ...V1, name: 'base64.channel.k8s.io', isBase64: true };
const UNNAMED: ChannelProtocol = { ...V1, name: '' };

/** Those of commands, and those that port-forward knows. */
export const COMMAND_PROTOCOLS: readonly ChannelProtocol[] = [V5, V4, V4_BASE64, V1, V1_BASE64, UNNAMED];
export const PORT_PROTOCOLS: readonly ChannelProtocol[] = [V4, V4_BASE64, UNNAMED];

/** The first that the client offers and the server knows. A client that offers none means the unnamed one. */
export function chooseProtocol(
  offered: readonly string[],
  known: readonly ChannelProtocol[],
): ChannelProtocol | undefined {
  for (const name of offered.length === 0 ? [''] : offered) {
    const found = known.find((protocol) => protocol.name === name);
    if (found !== undefined) return found;
  }
  return undefined;
}
