import { Duplex } from 'node:stream';
import { toError } from '@windlass/base';
import type { WebSocketConnection } from './connection.ts';

/** The bytes that the binary messages of a WebSocket carry, as a connection of its own: a tunnel. */
export function webSocketDuplex(socket: WebSocketConnection): Duplex {
  const messages = socket.messages();
  /** The next bytes; null at the end. A message may have none. */
  const next = async (): Promise<Uint8Array | null> => {
    for (;;) {
      const { value, done } = await messages.next();
      if (done === true) return null;
      if (value.bytes.byteLength > 0) return value.bytes;
    }
  };
  return new Duplex({
    read() {
      void settle(next(), (error, bytes) => {
        if (error === undefined) this.push(bytes ?? null);
        else this.destroy(error);
      });
    },
    write(chunk: Uint8Array, _encoding, done) {
      void settle(socket.send('binary', chunk), (error) => done(error));
    },
    final(done) {
      void settle(socket.close(), (error) => done(error));
    },
    destroy(error, done) {
      void settle(socket.close(), () => done(error));
    },
  });
}

/** Streams of Node are told by callbacks. */
export async function settle<T>(
  work: Promise<T>,
  done: (error: Error | undefined, value: T | undefined) => void,
): Promise<void> {
  let value: T;
  try {
    value = await work;
  } catch (error) {
    done(toError(error), undefined);
    return;
  }
  done(undefined, value);
}
