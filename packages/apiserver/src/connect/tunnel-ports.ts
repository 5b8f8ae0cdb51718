import type { Duplex } from 'node:stream';
import {
  copyBytes,
  readFrom,
  subprotocolsOf,
  WebSocketConnection,
  webSocketAnswer,
  writeTo,
} from '@windlass/streams';
import type { ConnectAnswer, ConnectRequest } from '../resource/connect.ts';
import { ask, passOn } from './hand-on.ts';
import type { ClusterNetwork } from './network.ts';
import type { NodeBackend } from './node-connections.ts';

const PREFIX = 'SPDY/3.1+';
const SUFFIX = '.k8s.io';

/** Whether a subprotocol of a WebSocket carries SPDY. */
export function isTunnelProtocol(name: string): boolean {
  return name.startsWith(PREFIX) && name.endsWith(SUFFIX);
}

export interface TunnelOptions {
  readonly network: ClusterNetwork;
  readonly kubelet: NodeBackend;
  readonly path: string;
}

/** Takes SPDY out of a client's WebSocket, for a kubelet that expects it without. Its bytes are not looked at. */
export async function tunnelPorts(
  request: ConnectRequest,
  { network, kubelet, path }: TunnelOptions,
): Promise<ConnectAnswer> {
  const offered = subprotocolsOf(request.headers).filter(isTunnelProtocol);
  const answer = await ask(request, {
    network,
    backend: kubelet,
    path,
    method: 'POST',
    headers: {
      host: `${kubelet.host}:${kubelet.port}`,
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': offered.map((name) => name.slice(PREFIX.length)).join(', '),
    },
  });
  if (answer.type === 'response') return passOn(request, answer);
  const chosen = `${PREFIX}${answer.headers['x-stream-protocol-version'] ?? ''}`;
  return {
    type: 'upgrade',
    status: 101,
    headers: webSocketAnswer(request.headers, chosen),
    run: (client) => tunnel(client, answer.socket, request),
  };
}

async function tunnel(client: Duplex, kubelet: Duplex, { context }: ConnectRequest): Promise<void> {
  const { logger } = context;
  const socket = new WebSocketConnection(client);
  const up = async (): Promise<void> => {
    for await (const { bytes } of socket.messages())
      if (bytes.byteLength > 0) await writeTo(kubelet, [bytes]);
  };
  const down = copyBytes(readFrom(kubelet), {
    input: readFrom(kubelet),
    write: (bytes) => socket.send('binary', bytes),
    end: () => socket.close(),
  });
  try {
    await Promise.race([up(), down]);
  } catch (error) {
    logger.debug('a tunnel to the ports of a pod was cut', { error });
  } finally {
    down.catch(() => {});
    await socket.close();
    kubelet.destroy();
  }
}
