import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import { type Clock, withDeadline } from '@windlass/base';
import { endedEarly, receivedStatus } from './client-status.ts';
import type { Connection } from './connection.ts';
import { GrpcError, toGrpcError } from './errors.ts';
import { frame, MessageAssembler } from './framing.ts';
import type { Method } from './service.ts';
import { formatTimeout } from './timeout.ts';

export interface ClientCallOptions {
  readonly clock: Clock;
  readonly maxMessageBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** One call over the connection. Fails with a GrpcError only. */
export async function callUnary(
  connection: Connection,
  method: Method,
  request: unknown,
  options: ClientCallOptions,
): Promise<unknown> {
  const body = frame(method.request.encode(request));
  using deadline = withDeadline(options.clock, options.timeoutMs, method.path, options.signal);
  const { signal } = deadline;
  const end = options.clock.monotonic() + options.timeoutMs;
  const isOverdue = (): boolean => options.clock.monotonic() >= end;
  if (signal.aborted) throw toGrpcError(signal.reason);
  let stream: ClientHttp2Stream;
  try {
    stream = connection.request({
      ':path': method.path,
      'content-type': 'application/grpc',
      te: 'trailers',
      'user-agent': 'windlass',
      'grpc-timeout': formatTimeout(options.timeoutMs),
    });
  } catch (error) {
    throw error instanceof GrpcError
      ? error
      : new GrpcError('UNAVAILABLE', `no connection: ${String(error)}`, error);
  }
  const message = await exchange(stream, body, options.maxMessageBytes, signal, isOverdue);
  try {
    return method.response.decode(message);
  } catch (error) {
    throw new GrpcError('INTERNAL', `the answer of ${method.path} cannot be read: ${String(error)}`, error);
  }
}

/** Sends the request and waits for the whole answer. */
function exchange(
  stream: ClientHttp2Stream,
  body: Buffer,
  maxBytes: number,
  signal: AbortSignal,
  isOverdue: () => boolean,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const assembler = new MessageAssembler(maxBytes);
    const { session } = stream;
    let headers: IncomingHttpHeaders | undefined;
    let trailers: IncomingHttpHeaders | undefined;
    let failure: GrpcError | undefined;
    let streamError: Error | undefined;
    const abandon = (error: GrpcError): void => {
      failure ??= error;
      stream.close(constants.NGHTTP2_CANCEL);
    };
    const onAbort = (): void => {
      const reason = toGrpcError(signal.reason);
      abandon(
        reason.code === 'INTERNAL' ? new GrpcError('CANCELLED', 'the call was cancelled', reason) : reason,
      );
      reject(failure);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    stream.on('response', (received) => {
      headers = received;
    });
    stream.on('trailers', (received) => {
      trailers = received;
    });
    stream.on('data', (chunk: Buffer) => {
      if (failure !== undefined) return;
      try {
        assembler.add(chunk);
      } catch (error) {
        abandon(toGrpcError(error));
      }
    });
    stream.on('error', (error: Error) => {
      streamError = error;
    });
    stream.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      // A status that came counts, also where the stream was reset behind it.
      const received = failure ?? receivedStatus(headers, trailers);
      // The server knows the deadline too, and may end the call before our own timer has its turn.
      const status =
        received === undefined && isOverdue()
          ? new GrpcError('DEADLINE_EXCEEDED', 'the deadline has passed')
          : received;
      if (status !== 'OK') return reject(status ?? endedEarly(stream.rstCode, session, streamError));
      try {
        const message = assembler.finish();
        if (message === undefined)
          reject(new GrpcError('INTERNAL', 'the answer has a status and no message'));
        else resolve(message);
      } catch (cut) {
        reject(cut);
      }
    });
    stream.end(body);
  });
}
