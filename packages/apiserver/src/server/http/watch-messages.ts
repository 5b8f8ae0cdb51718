import type { Http2ServerResponse } from 'node:http2';
import { type RequestHeaders, StreamClosedError, WebSocketConnection } from '@windlass/streams';
import type { ServerWatchEvent } from '../../exchange/exchange.ts';
import { BASE64, BINARY, handshakeOf, untilGone } from '../../exchange/message-protocol.ts';
import { endConnection, switchProtocols } from './upgrade-request.ts';
import { encodeBatch, type WatchWriteOptions } from './watch-writer.ts';

/** Writes events as messages of a WebSocket, one each, until there are no more or the client is gone. */
export async function writeWatchMessages(
  response: Http2ServerResponse,
  headers: RequestHeaders,
  events: AsyncIterable<readonly ServerWatchEvent[]>,
  options: Omit<WatchWriteOptions, 'patience'>,
): Promise<void> {
  const { protocol, headers: answered } = handshakeOf(headers);
  const client = switchProtocols(response, answered);
  const socket = new WebSocketConnection(client);
  const iterator = events[Symbol.asyncIterator]();
  const gone = untilGone(socket);
  try {
    for (let isFirst = true; ; isFirst = false) {
      const next = await Promise.race([iterator.next(), gone]);
      if (next === undefined || next.done === true) return;
      for (const [index, event] of next.value.entries())
        await sendEvent(socket, protocol, encodeBatch([event], options, isFirst && index === 0), options);
    }
  } catch (error) {
    if (!(error instanceof StreamClosedError)) throw error;
  } finally {
    await socket.close();
    // What is under way ends with the signal of the request, and nobody waits for it.
    iterator.return?.()?.catch(() => {});
    endConnection(client, options.clock);
  }
}

function sendEvent(
  socket: WebSocketConnection,
  protocol: string | undefined,
  bytes: Buffer,
  { form }: Pick<WatchWriteOptions, 'form'>,
): Promise<void> {
  if (form.encoding === 'protobuf') return socket.send('binary', bytes);
  if (protocol === BASE64) return socket.send('text', Buffer.from(bytes.toString('base64')));
  return socket.send(protocol === BINARY ? 'binary' : 'text', bytes);
}
