import { Duplex } from 'node:stream';
import { abortError, describe } from '@windlass/base';
import {
  type ByteStream,
  collectBytes,
  SpdySession,
  settle,
  WebSocketConnection,
  webSocketDuplex,
} from '@windlass/streams';
import { InvalidRequestError, TransportError } from '../errors.ts';
import { openStream, type StreamTarget } from './open-stream.ts';
import { PORT_OFFERS } from './stream-offers.ts';

const MAX_ERROR_BYTES = 64 * 1024;

export function checkPort(port: unknown): void {
  if (Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536) return;
  throw new InvalidRequestError(
    `the port of a pod must be a whole number from 1 to 65535, but it is ${describe(port)}`,
  );
}

/**
 * One connection to a port of a pod, with a connection to the server of its own: one that is read slowly holds up no
 * other.
 */
export async function openPort(target: StreamTarget, port: number): Promise<Duplex> {
  const { random, signal, path } = target;
  const { type, socket } = await openStream(target, PORT_OFFERS);
  const carrier = type === 'spdy' ? socket : webSocketDuplex(new WebSocketConnection(socket, { random }));
  const session = new SpdySession(carrier, { role: 'client' });
  session.run().catch(() => {});
  const close = (): void => {
    void session.close().finally(() => socket.destroy());
  };
  const headers = (streamtype: string): Map<string, string> =>
    new Map([
      ['streamtype', streamtype],
      ['port', String(port)],
      ['requestid', '0'],
    ]);
  try {
    const error = await session.open(headers('error'));
    await error.end();
    const data = await session.open(headers('data'));
    // What the node says went wrong; empty when all went well.
    const problem = collectBytes(error.input, MAX_ERROR_BYTES).then(String, () => '');
    return portDuplex(data, close, async () => {
      const text = await problem;
      if (signal?.aborted === true) return abortError(signal);
      if (text === '') return undefined;
      return new TransportError(`port ${port} of ${path}: ${text}`, { code: 'CONNECTION_LOST', sent: true });
    });
  } catch (thrown) {
    close();
    throw signal?.aborted === true ? abortError(signal) : thrown;
  }
}

/** The stream as Node has it: each side ends by itself, and the connection closes when both have. */
function portDuplex(data: ByteStream, close: () => void, failure: () => Promise<Error | undefined>): Duplex {
  const input = data.input[Symbol.asyncIterator]();
  const read = async (): Promise<Uint8Array | null> => {
    const { value, done } = await input.next();
    if (done !== true) return value;
    const error = await failure();
    if (error !== undefined) throw error;
    return null;
  };
  return new Duplex({
    read() {
      void settle(read(), (error, bytes) => {
        if (error === undefined) this.push(bytes ?? null);
        else this.destroy(error);
      });
    },
    write(chunk: Uint8Array, _encoding, done) {
      void settle(data.write(chunk), (error) => done(error));
    },
    final(done) {
      void settle(data.end(), (error) => done(error));
    },
    destroy(error, done) {
      close();
      done(error);
    },
  });
}
