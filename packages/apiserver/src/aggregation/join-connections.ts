import type { Duplex } from 'node:stream';

/** Passes on what each side sends to the other, until both have ended or one has broken off. Never rejects. */
export function joinConnections(a: Duplex, b: Duplex): Promise<void> {
  return new Promise((resolve) => {
    let open = 2;
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      one.on('error', () => other.destroy());
      one.once('close', () => {
        // What was received before is still on its way to the other side.
        if (!other.writableEnded) other.end();
        if (one.errored !== null) other.destroy();
        if (--open === 0) resolve();
      });
      if (one.destroyed) {
        other.destroy();
        open--;
      }
    }
    if (open === 0) resolve();
    a.pipe(b);
    b.pipe(a);
  });
}
