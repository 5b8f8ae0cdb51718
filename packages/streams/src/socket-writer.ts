import type { Duplex } from 'node:stream';
import { StreamClosedError } from './errors.ts';

/**
 * Writes to a socket. Resolves when the socket has room for more.
 * @throws StreamClosedError when the socket is closed, or closes meanwhile
 */
export async function writeTo(socket: Duplex, pieces: readonly Uint8Array[]): Promise<void> {
  if (socket.destroyed || socket.writableEnded) throw new StreamClosedError();
  let hasRoom = true;
  if (pieces.length > 1) socket.cork();
  for (const piece of pieces) hasRoom = socket.write(piece);
  if (pieces.length > 1) socket.uncork();
  if (!hasRoom) await drained(socket);
}

function drained(socket: Duplex): Promise<void> {
  return new Promise((resolve, reject) => {
    const release = (): void => {
      socket.off('drain', onDrain).off('close', onClose);
    };
    const onDrain = (): void => {
      release();
      resolve();
    };
    const onClose = (): void => {
      release();
      reject(new StreamClosedError());
    };
    socket.on('drain', onDrain).on('close', onClose);
  });
}

/** What comes out of a socket until it ends. A socket that is lost ends too: who sent what is known by then. */
export async function* readFrom(socket: Duplex): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) yield chunk;
  } catch {
    // The connection was cut. Whoever waits for more learns that there is none.
  }
}
