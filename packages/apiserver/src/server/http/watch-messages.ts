import type { Http2ServerResponse } from 'node:http2';
import { newBadRequest } from '@windlass/apimachinery';
import {
  type RequestHeaders,
  StreamClosedError,
  subprotocolsOf,
  WebSocketConnection,
  webSocketAnswer,
  webSocketProblem,
} from '@windlass/streams';
import type { ServerWatchEvent } from '../../exchange/exchange.ts';
import { endConnection, switchProtocols } from './upgrade-request.ts';
import { encodeBatch, type WatchWriteOptions } from './watch-writer.ts';

/** A client that wants each event in base64 says so. */
const BASE64 = 'base64.binary.k8s.io';
const BINARY = 'binary.k8s.io';
const KNOWN = new Set(['', BINARY, BASE64]);

/** Writes events as messages of a WebSocket, one each, until there are no more or the client is gone. */
export async function writeWatchMessages(
  response: Http2ServerResponse,
  headers: RequestHeaders,
  events: AsyncIterable<readonly ServerWatchEvent[]>,
  options: Omit<WatchWriteOptions, 'patience'>,
): Promise<void> {
  const problem = webSocketProblem(headers);
  if (problem !== undefined) throw newBadRequest(problem);
  const protocol = subprotocolsOf(headers).find((name) => KNOWN.has(name));
  const client = switchProtocols(response, webSocketAnswer(headers, protocol));
  const socket = new WebSocketConnection(client);
  const iterator = events[Symbol.asyncIterator]();
  const gone = ignoreMessages(socket);
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

/** Reads what a watcher sends, which means nothing, until it is gone. */
async function ignoreMessages(socket: WebSocketConnection): Promise<undefined> {
  try {
    for await (const _ of socket.messages());
  } catch {
    // A client that sends nonsense is as good as gone.
  }
  return undefined;
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
