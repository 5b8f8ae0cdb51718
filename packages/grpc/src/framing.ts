import { GrpcError } from './errors.ts';

/** A flag, and the length in four bytes. */
const PREFIX = 5;

/** One message as it goes over the stream. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(PREFIX + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, PREFIX);
  return framed;
}

/**
 * Puts together the one message of a unary call from the chunks in which it comes. What is too long is
 * refused by its prefix, before it takes memory.
 */
export class MessageAssembler {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws GrpcError */
  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < PREFIX) return;
    const [head] = this.#merge(PREFIX);
    if (head === undefined) return;
    const size = messageSize(head, this.#maxBytes);
    if (this.#length > PREFIX + size)
      throw new GrpcError('INTERNAL', 'a unary call has more than one message');
  }

  /** The message, after the last chunk. Undefined when nothing came. */
  finish(): Uint8Array | undefined {
    if (this.#length === 0) return undefined;
    const [all] = this.#merge(this.#length);
    if (all === undefined || all.length < PREFIX || all.length < PREFIX + all.readUInt32BE(1))
      throw new GrpcError('INTERNAL', 'the message is cut off');
    return all.subarray(PREFIX);
  }

  /** Makes the first chunk at least this long. */
  #merge(least: number): readonly Buffer[] {
    const [first] = this.#chunks;
    if (first !== undefined && first.length < least) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks;
  }
}

/** Takes the messages of a stream out of the chunks in which they come. */
export class MessageSplitter {
  readonly #maxBytes: number;
  #rest: Buffer = Buffer.alloc(0);
  /** Chunks after `rest` that are not enough for a message yet. */
  #more: Buffer[] = [];
  #length = 0;
  #wanted = PREFIX;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of a message that has begun. */
  get isCut(): boolean {
    return this.#length > 0;
  }

  /** @throws GrpcError */
  *add(chunk: Buffer): Generator<Uint8Array> {
    this.#more.push(chunk);
    this.#length += chunk.length;
    while (this.#length >= this.#wanted) {
      if (this.#more.length > 0) {
        this.#rest = Buffer.concat([this.#rest, ...this.#more]);
        this.#more = [];
      }
      this.#wanted = PREFIX + messageSize(this.#rest, this.#maxBytes);
      if (this.#length < this.#wanted) return;
      yield this.#rest.subarray(PREFIX, this.#wanted);
      this.#rest = this.#rest.subarray(this.#wanted);
      this.#length = this.#rest.length;
      this.#wanted = PREFIX;
    }
  }
}

/** What the prefix says, which is not more than `maxBytes`. */
function messageSize(head: Buffer, maxBytes: number): number {
  if (head[0] !== 0)
    throw new GrpcError('UNIMPLEMENTED', 'the message is compressed, and no compression was agreed on');
  const size = head.readUInt32BE(1);
  if (size > maxBytes)
    throw new GrpcError('RESOURCE_EXHAUSTED', `the message has ${size} bytes; at most ${maxBytes} are taken`);
  return size;
}
