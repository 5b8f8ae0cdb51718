import type { Duplex } from 'node:stream';
import {
  type ByteStream,
  ChannelConnection,
  type ChannelProtocol,
  readFrom,
  SpdySession,
  type SpdyStream,
  WebSocketConnection,
  writeTo,
} from '@windlass/streams';

/** A connection to a port of the pod. */
export type OpenPort = (port: number) => Duplex;

/** How many connections one client may have to a pod at once: each has two streams. */
const MAX_STREAMS = 512;

/** The server's side of port-forward over SPDY: each connection is a pair of streams, data and error. */
export async function spdyPorts(socket: Duplex, openPort: OpenPort): Promise<void> {
  const pairs = new Map<string, { data?: SpdyStream; error?: SpdyStream }>();
  const session = new SpdySession(socket, {
    role: 'server',
    maxStreams: MAX_STREAMS,
    accepts: (headers) =>
      portOf(headers.get('port')) !== undefined && /^(?:data|error)$/.test(headers.get('streamtype') ?? ''),
    onStream: (stream) => {
      const type = stream.headers.get('streamtype') === 'data' ? 'data' : 'error';
      // Old clients name no request: their streams come one after the other.
      const id = stream.headers.get('requestid') ?? String(type === 'error' ? stream.id : stream.id - 2);
      const pair = pairs.get(id) ?? {};
      pair[type] = stream;
      pairs.set(id, pair);
      if (pair.data === undefined || pair.error === undefined) return;
      pairs.delete(id);
      void forward(pair.data, pair.error, portOf(stream.headers.get('port')) ?? 0, openPort);
    },
  });
  try {
    await session.run();
  } catch {
    // The client does not keep to the protocol, and is hung up on.
  }
  await session.close();
}

/** The same over channels of a WebSocket: two for each port, which begin with its number. */
export async function channelPorts(
  socket: Duplex,
  protocol: ChannelProtocol,
  ports: readonly number[],
  openPort: OpenPort,
): Promise<void> {
  const channels = new ChannelConnection(new WebSocketConnection(socket), protocol);
  const pairs = ports.map((port, index) => ({
    port,
    data: channels.channel(index * 2, { isRead: true }),
    error: channels.channel(index * 2 + 1, { isRead: false }),
  }));
  const closed = channels.run().catch(() => {});
  for (const { port, data, error } of pairs) {
    const number = Buffer.alloc(2);
    number.writeUInt16LE(port);
    await data.write(number);
    await error.write(number);
  }
  await Promise.race([
    closed,
    Promise.all(pairs.map(({ port, data, error }) => forward(data, error, port, openPort))),
  ]);
  await channels.close();
}

async function forward(data: ByteStream, error: ByteStream, port: number, openPort: OpenPort): Promise<void> {
  const connection = openPort(port);
  const up = async (): Promise<void> => {
    for await (const bytes of data.input) await writeTo(connection, [bytes]);
    connection.end();
  };
  const down = async (): Promise<void> => {
    for await (const bytes of readFrom(connection)) await data.write(bytes);
  };
  // A client that has gone needs to be told nothing.
  up().catch(() => connection.destroy());
  await down().catch(() => {});
  await data.end();
  await error.end();
  connection.destroy();
}

export function portOf(text: string | undefined): number | undefined {
  const port = Number(text);
  return text !== undefined && Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}
