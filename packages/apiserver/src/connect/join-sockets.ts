import type { Duplex } from 'node:stream';

/**
 * Copies bytes both ways until one side ends or the signal aborts, and closes both then. Each side is read only as fast
 * as the other one takes it.
 */
export function joinSockets(one: Duplex, other: Duplex, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    let hasEnded = false;
    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      signal?.removeEventListener('abort', end);
      for (const socket of [one, other]) {
        socket.unpipe();
        // What was written before is still delivered.
        if (!socket.destroyed) socket.end(() => socket.destroy());
      }
      resolve();
    };
    for (const socket of [one, other]) socket.once('end', end).once('close', end).on('error', end);
    signal?.addEventListener('abort', end, { once: true });
    one.pipe(other, { end: false });
    other.pipe(one, { end: false });
    if (one.destroyed || other.destroyed || signal?.aborted === true) end();
  });
}
