import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import { onAbort, toError } from '@windlass/base';
import { endedEarly, receivedStatus } from './client-status.ts';
import type { Connection } from './connection.ts';
import { GrpcError, toGrpcError } from './errors.ts';
import { frame, MessageSplitter } from './framing.ts';
import type { Message } from './protobuf/message-codec.ts';
import type { Method } from './service.ts';

export interface StreamOptions {
  readonly maxMessageBytes: number;
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** Sent with it, beside gRPC's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A call in which both sides send any number of messages. */
export interface StreamCall {
  /** Does nothing after the end. */
  send(request: unknown): void;
  /**
   * What the server sends, as it is read: who does not read holds the server up. Ends when the server ends the call well.
   * To be read once. Leaving it cancels the call.
   * @throws GrpcError
   */
  messages(): AsyncGenerator<Message, void, undefined>;
  /** The call ends; who reads gets CANCELLED. */
  cancel(): void;
}

/** @throws GrpcError */
export function openStream(connection: Connection, method: Method, options: StreamOptions): StreamCall {
  const stream = connection.request({
    ':path': method.path,
    'content-type': 'application/grpc',
    te: 'trailers',
    'user-agent': 'windlass',
    ...options.headers,
  });
  return new ClientStream(stream, method, options);
}

class ClientStream implements StreamCall {
  readonly #stream: ClientHttp2Stream;
  readonly #session: ClientHttp2Stream['session'];
  readonly #method: Method;
  readonly #maxMessageBytes: number;
  readonly #closed: Promise<void>;
  #headers: IncomingHttpHeaders | undefined;
  #trailers: IncomingHttpHeaders | undefined;
  #error: Error | undefined;
  #isCancelled = false;

  constructor(stream: ClientHttp2Stream, method: Method, { maxMessageBytes, signal }: StreamOptions) {
    this.#stream = stream;
    this.#session = stream.session;
    this.#method = method;
    this.#maxMessageBytes = maxMessageBytes;
    stream.on('response', (headers) => {
      this.#headers = headers;
    });
    stream.on('trailers', (trailers) => {
      this.#trailers = trailers;
    });
    stream.on('error', (error: Error) => {
      this.#error = error;
    });
    this.#closed = new Promise((resolve) => {
      stream.once('close', resolve);
    });
    const release = onAbort(signal, () => this.cancel());
    stream.once('close', release);
  }

  send(request: unknown): void {
    if (this.#stream.writable) this.#stream.write(frame(this.#method.request.encode(request)));
  }

  cancel(): void {
    if (this.#stream.closed) return;
    this.#isCancelled = true;
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  async *messages(): AsyncGenerator<Message, void, undefined> {
    const splitter = new MessageSplitter(this.#maxMessageBytes);
    try {
      // A stream without an encoding gives buffers.
      for await (const chunk of this.#stream as AsyncIterable<Buffer>)
        for (const message of splitter.add(chunk)) yield this.#method.response.decode(message);
    } catch (thrown) {
      const error = toError(thrown);
      if (error !== this.#error && !this.#isCancelled && !this.#stream.destroyed) throw toGrpcError(error);
      this.#error ??= error;
    } finally {
      this.cancel();
    }
    await this.#closed;
    const status = receivedStatus(this.#headers, this.#trailers);
    if (status === 'OK' && !splitter.isCut) return;
    if (status === 'OK') throw new GrpcError('INTERNAL', 'the last message is cut off');
    throw status ?? endedEarly(this.#stream.rstCode, this.#session, this.#error);
  }
}
