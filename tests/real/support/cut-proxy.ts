import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut: bytes that are sent meanwhile arrive nowhere. */
export interface CutProxy extends AsyncDisposable {
  readonly port: number;
  /** Connections stay open and nothing passes, as with a cable that is pulled. */
  cut(): void;
  mend(): void;
}

export async function startCutProxy(target: URL): Promise<CutProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isCut = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    near.pipe(far);
    far.pipe(near);
    if (isCut) for (const socket of pair) socket.unpipe().pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const pair of pairs) for (const socket of pair) socket.unpipe().pause();
    },
    mend() {
      isCut = false;
      // What was cut is lost, as it is when a cable comes back after the peers gave up.
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
