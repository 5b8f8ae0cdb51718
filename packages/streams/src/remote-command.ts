import type { Duplex } from 'node:stream';
import { type Clock, orAbort, type Random } from '@windlass/base';
import type { ByteStream } from './byte-stream.ts';
import { ChannelConnection } from './channels/channel-connection.ts';
import type { ChannelProtocol } from './channels/channel-protocol.ts';
import { StreamClosedError } from './errors.ts';
import { SpdySession } from './spdy/session.ts';
import type { SpdyStream } from './spdy/stream.ts';
import { WebSocketConnection } from './websocket/connection.ts';

/** Which streams a command was asked for with. */
export interface CommandStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The streams of a command that runs elsewhere, whatever carries them. */
export interface RemoteCommand {
  /** Undefined where it was not asked for. */
  readonly stdin: AsyncIterable<Uint8Array> | undefined;
  readonly stdout: ByteStream | undefined;
  readonly stderr: ByteStream | undefined;
  /** Tells how the command ended: the text that the protocol wants, at its end. */
  readonly error: ByteStream;
  readonly status: ChannelProtocol['status'];
  /** Sizes of the terminal as JSON; undefined without one. */
  readonly resize: AsyncIterable<Uint8Array> | undefined;
  /** Aborts when the peer has gone. */
  readonly signal: AbortSignal;
  /** Ends the streams and the connection. Idempotent, never rejects. */
  close(): Promise<void>;
}

/** The protocols of SPDY connections for commands, the newest first. */
export const SPDY_COMMAND_PROTOCOLS: readonly string[] = [
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
];

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;
const RESIZE = 4;
/** A client that has not opened its streams by then is hung up on. */
const STREAMS_TIMEOUT_MS = 30_000;

/** The server's side of a command over a WebSocket whose handshake is done. */
export async function webSocketCommand(
  socket: Duplex,
  protocol: ChannelProtocol,
  wanted: CommandStreams,
): Promise<RemoteCommand> {
  const channels = new ChannelConnection(new WebSocketConnection(socket), protocol);
  const stdin = channels.channel(STDIN, { isRead: wanted.stdin });
  const resize = channels.channel(RESIZE, { isRead: wanted.tty });
  const gone = new AbortController();
  const command: RemoteCommand = {
    stdin: wanted.stdin ? stdin.input : undefined,
    stdout: wanted.stdout ? channels.channel(STDOUT, { isRead: false }) : undefined,
    stderr: wanted.stderr ? channels.channel(STDERR, { isRead: false }) : undefined,
    error: channels.channel(ERROR, { isRead: false }),
    status: protocol.status,
    resize: wanted.tty ? resize.input : undefined,
    signal: gone.signal,
    close: () => channels.close(),
  };
  const end = (): void => gone.abort();
  void channels.run().then(end, end);
  await channels.announce(wanted.stdout ? STDOUT : wanted.stderr ? STDERR : ERROR);
  return command;
}

/**
 * The server's side of a command over SPDY. Resolves when the client has opened all streams.
 * @throws StreamClosedError when it does not within 30 seconds
 */
export async function spdyCommand(
  socket: Duplex,
  protocol: string,
  wanted: CommandStreams,
  clock: Clock,
): Promise<RemoteCommand> {
  const version = SPDY_COMMAND_PROTOCOLS.indexOf(protocol);
  const hasResize = wanted.tty && version >= 0 && version <= 1;
  const expected = [
    'error',
    ...(wanted.stdin ? ['stdin'] : []),
    ...(wanted.stdout ? ['stdout'] : []),
    ...(wanted.stderr ? ['stderr'] : []),
    ...(hasResize ? ['resize'] : []),
  ];
  const opened = new Map<string, SpdyStream>();
  const all = Promise.withResolvers<void>();
  const gone = new AbortController();
  const session = new SpdySession(socket, {
    role: 'server',
    onStream: (stream) => {
      opened.set(stream.headers.get('streamtype') ?? '', stream);
      if (expected.every((type) => opened.has(type))) all.resolve();
    },
  });
  const end = (): void => {
    gone.abort();
    all.reject(new StreamClosedError('the client left before it had opened its streams'));
  };
  session.run().then(end, end);
  const timer = clock.setTimeout(
    () => all.reject(new StreamClosedError('timed out waiting for client to create streams')),
    STREAMS_TIMEOUT_MS,
    { keepAlive: false },
  );
  try {
    await orAbort(all.promise, gone.signal);
  } catch (error) {
    await session.close();
    throw error;
  } finally {
    timer.cancel();
  }
  const { stdin, stdout, stderr, error, resize } = Object.fromEntries(opened);
  if (error === undefined) throw new StreamClosedError();
  return {
    stdin: stdin?.input,
    stdout,
    stderr,
    error,
    status: version === 0 ? 'json' : 'text',
    resize: resize?.input,
    signal: gone.signal,
    async close() {
      for (const stream of [stdout, stderr, error, stdin, resize]) await stream?.end();
      await session.close();
    },
  };
}

/** The client's side of a command over SPDY: what the server above speaks to. */
export async function openSpdyCommand(socket: Duplex, wanted: CommandStreams): Promise<OpenCommand> {
  const session = new SpdySession(socket, { role: 'client' });
  const ended = session.run().catch(() => {});
  const open = (type: string): Promise<SpdyStream> => session.open(new Map([['streamtype', type]]));
  // In this order, as kubectl opens them.
  const error = await open('error');
  await error.end();
  const stdin = wanted.stdin ? await open('stdin') : undefined;
  const stdout = wanted.stdout ? await open('stdout') : undefined;
  const stderr = wanted.stderr && !wanted.tty ? await open('stderr') : undefined;
  const resize = wanted.tty ? await open('resize') : undefined;
  // Nothing is written to them by this side.
  await stdout?.end();
  await stderr?.end();
  return { error, stdin, stdout, stderr, resize, ended, close: () => session.close() };
}

/** The client's side of a command over a WebSocket whose handshake is done. */
export function openWebSocketCommand(
  socket: Duplex,
  { protocol, random }: { readonly protocol: ChannelProtocol; readonly random: Random },
  wanted: CommandStreams,
): OpenCommand {
  const channels = new ChannelConnection(new WebSocketConnection(socket, { random }), protocol);
  const error = channels.channel(ERROR, { isRead: true });
  const stdin = channels.channel(STDIN, { isRead: false, tellsEnd: true });
  const stdout = channels.channel(STDOUT, { isRead: wanted.stdout });
  const stderr = channels.channel(STDERR, { isRead: wanted.stderr && !wanted.tty });
  const resize = channels.channel(RESIZE, { isRead: false });
  return {
    error,
    stdin: wanted.stdin ? stdin : undefined,
    stdout: wanted.stdout ? stdout : undefined,
    stderr: wanted.stderr && !wanted.tty ? stderr : undefined,
    resize: wanted.tty ? resize : undefined,
    ended: channels.run().catch(() => {}),
    close: () => channels.close(),
  };
}

export interface OpenCommand {
  readonly error: ByteStream;
  readonly stdin: ByteStream | undefined;
  readonly stdout: ByteStream | undefined;
  readonly stderr: ByteStream | undefined;
  readonly resize: ByteStream | undefined;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}
