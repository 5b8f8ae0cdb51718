import { WebSocketConnection } from '@windlass/streams';
import { BASE64, handshakeOf, untilGone } from '../exchange/message-protocol.ts';
import type { ConnectAnswer, ConnectRequest } from '../resource/connect.ts';

/**
 * Bytes as messages of a WebSocket, for clients that cannot read an answer as it comes, as browsers. The first message
 * is empty and says that the connection stands.
 * @throws StatusError 400 for a handshake that makes no sense
 */
export function asMessages(request: ConnectRequest, body: AsyncIterable<Uint8Array>): ConnectAnswer {
  const { protocol, headers } = handshakeOf(request.headers);
  return {
    type: 'upgrade',
    status: 101,
    headers,
    run: async (client) => {
      const socket = new WebSocketConnection(client);
      const iterator = body[Symbol.asyncIterator]();
      const gone = untilGone(socket);
      try {
        await send(socket, protocol, new Uint8Array());
        for (;;) {
          const next = await Promise.race([iterator.next(), gone]);
          if (next === undefined || next.done === true) break;
          await send(socket, protocol, next.value);
        }
      } catch {
        // Either side is gone. What has come until now stands, and no message could say why there is no more.
      } finally {
        await socket.close();
        iterator.return?.()?.catch(() => {});
        client.end(() => client.destroy());
      }
    },
  };
}

function send(socket: WebSocketConnection, protocol: string | undefined, bytes: Uint8Array): Promise<void> {
  if (protocol !== BASE64) return socket.send('binary', bytes);
  return socket.send('text', Buffer.from(Buffer.from(bytes).toString('base64')));
}
