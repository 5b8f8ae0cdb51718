import type { Duplex } from 'node:stream';
import type { Random } from '@windlass/base';
import { StreamProtocolError } from '../errors.ts';
import { readFrom, writeTo } from '../socket-writer.ts';
import { closePayload, encodeFrame, FrameDecoder, type FramePiece, OPCODE } from './frames.ts';

export interface WebSocketOptions {
  /** Of a client: makes the masks of its frames. Absent for a server. */
  readonly random?: Random;
}

export type MessagePiece = Extract<FramePiece, { readonly isStart: boolean }>;

const NORMAL = 1000;

/** A socket whose handshake is done, and that speaks WebSocket from now on. */
export class WebSocketConnection {
  readonly #socket: Duplex;
  readonly #random: Random | undefined;
  readonly #decoder: FrameDecoder;
  #hasSentClose = false;

  constructor(socket: Duplex, { random }: WebSocketOptions = {}) {
    this.#socket = socket;
    this.#random = random;
    this.#decoder = new FrameDecoder({ isMasked: random === undefined });
  }

  /** What the peer sends, until it closes or is gone. Pings are answered while it is read. */
  async *messages(): AsyncGenerator<MessagePiece, void, undefined> {
    for await (const chunk of readFrom(this.#socket)) {
      try {
        for (const piece of this.#decoder.push(chunk)) {
          if (piece.type === 'text' || piece.type === 'binary') yield piece;
          else if (piece.type === 'ping') await this.#sendFrame(OPCODE.pong, piece.bytes);
          else if (piece.type === 'close') {
            await this.close(piece.code ?? NORMAL);
            return;
          }
        }
      } catch (error) {
        await this.close(error instanceof StreamProtocolError ? error.closeCode : NORMAL);
        throw error;
      }
    }
  }

  /** Sends one message. Resolves when there is room for more. */
  async send(type: 'text' | 'binary', payload: Uint8Array): Promise<void> {
    await this.#sendFrame(OPCODE[type], payload);
  }

  /** Says goodbye, and ends the connection. Idempotent, and never rejects. */
  async close(code: number = NORMAL, reason = ''): Promise<void> {
    if (this.#hasSentClose) return;
    this.#hasSentClose = true;
    try {
      await this.#sendFrame(OPCODE.close, closePayload(code, reason));
    } catch {
      // The peer is gone, and needs no goodbye.
    }
    this.#socket.end();
  }

  async #sendFrame(opcode: number, payload: Uint8Array): Promise<void> {
    const mask = this.#random === undefined ? undefined : this.#random.bytes(4);
    await writeTo(this.#socket, encodeFrame(opcode, payload, mask));
  }
}
