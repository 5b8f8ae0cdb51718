import { BytePipe } from '../byte-pipe.ts';
import type { ByteStream } from '../byte-stream.ts';
import { StreamProtocolError } from '../errors.ts';
import type { MessagePiece, WebSocketConnection } from '../websocket/connection.ts';
import { type ChannelProtocol, END_CHANNEL } from './channel-protocol.ts';

const DIGIT_ZERO = 48;

/** The channels of one WebSocket. Each is a stream of its own; what comes for others is dropped. */
export class ChannelConnection {
  readonly #socket: WebSocketConnection;
  readonly #protocol: ChannelProtocol;
  readonly #inputs = new Map<number, BytePipe>();
  /** The channel of the message that is under way. */
  #current: number | undefined = undefined;
  /** Base64 is read four characters at a time. */
  #base64 = '';
  #isEnding = false;

  constructor(socket: WebSocketConnection, protocol: ChannelProtocol) {
    this.#socket = socket;
    this.#protocol = protocol;
  }

  /**
   * @param isRead whether the peer may write to it; what it writes must then be read
   * @param tellsEnd whether the peer is told when nothing more will be written, where the protocol can say so
   */
  channel(
    number: number,
    { isRead, tellsEnd = false }: { readonly isRead: boolean; readonly tellsEnd?: boolean },
  ): ByteStream {
    let hasEnded = false;
    const input = new BytePipe();
    if (isRead) this.#inputs.set(number, input);
    else input.end();
    return {
      input,
      write: (bytes) => this.#write(number, bytes),
      end: async () => {
        if (hasEnded || !tellsEnd || !this.#protocol.canEndChannels) return;
        hasEnded = true;
        // A peer that is gone needs to be told nothing.
        await this.#write(END_CHANNEL, Uint8Array.of(number)).catch(() => {});
      },
    };
  }

  /** Reads until the peer closes or is gone. All channels have ended then. */
  async run(): Promise<void> {
    try {
      for await (const piece of this.#socket.messages()) await this.#received(piece);
    } finally {
      for (const input of this.#inputs.values()) input.end();
    }
  }

  /** Sends an empty message: the peer knows then that the channels stand. */
  async announce(number: number): Promise<void> {
    await this.#write(number, new Uint8Array());
  }

  async close(): Promise<void> {
    await this.#socket.close();
  }

  async #write(number: number, bytes: Uint8Array): Promise<void> {
    if (this.#protocol.isBase64) {
      const text = `${String.fromCharCode(DIGIT_ZERO + number)}${Buffer.from(bytes).toString('base64')}`;
      await this.#socket.send('text', Buffer.from(text));
    } else await this.#socket.send('binary', Buffer.concat([Uint8Array.of(number), bytes]));
  }

  async #received({ bytes, isStart, isEnd }: MessagePiece): Promise<void> {
    let rest = bytes;
    if (isStart) {
      this.#current = undefined;
      this.#base64 = '';
      this.#isEnding = false;
    }
    if (this.#current === undefined) {
      const first = rest[0];
      // An empty message says nothing, as do those that keep a connection alive.
      if (first === undefined) return;
      this.#current = this.#protocol.isBase64 ? first - DIGIT_ZERO : first;
      this.#isEnding = this.#protocol.canEndChannels && first === END_CHANNEL;
      rest = rest.subarray(1);
    }
    if (this.#isEnding) this.#end(rest, isEnd);
    else await this.#inputs.get(this.#current)?.write(this.#protocol.isBase64 ? this.#decode(rest) : rest);
  }

  #end(rest: Uint8Array, isEnd: boolean): void {
    const [number] = rest;
    if (number === undefined && !isEnd) return;
    if (number === undefined || rest.byteLength > 1)
      throw new StreamProtocolError('the end of a channel must name one channel');
    this.#inputs.get(number)?.end();
  }

  #decode(bytes: Uint8Array): Uint8Array {
    const text = this.#base64 + Buffer.from(bytes).toString('latin1');
    const whole = text.length - (text.length % 4);
    this.#base64 = text.slice(whole);
    return Buffer.from(text.slice(0, whole), 'base64');
  }
}
