// A TCP proxy on a loopback port that can fall silent, as a network that drops packets or a proxy that has stopped.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Which way nothing goes any more. */
export type Silence = 'both' | 'to-server';

export class SilentProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #pairs = new Set<{ readonly client: Socket; readonly upstream: Socket }>();
  #accepted = 0;

  private constructor(upstreamPort: number) {
    this.#server = createServer((client) => {
      this.#accepted++;
      const upstream = connect(upstreamPort, '127.0.0.1');
      const pair = { client, upstream };
      this.#pairs.add(pair);
      client.pipe(upstream);
      upstream.pipe(client);
      for (const socket of [client, upstream]) {
        socket.setNoDelay(true);
        socket.on('error', () => {});
        socket.on('close', () => {
          this.#pairs.delete(pair);
          client.destroy();
          upstream.destroy();
        });
      }
    });
  }

  static async start(upstreamPort: number): Promise<SilentProxy> {
    const proxy = new SilentProxy(upstreamPort);
    await new Promise<void>((resolve) => {
      proxy.#server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get port(): number {
    // A server that listens on a port has an address with one.
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections ever accepted. */
  get accepted(): number {
    return this.#accepted;
  }

  /** The connections that are open now stay so, and nothing comes through. New ones work. */
  silence(how: Silence = 'both'): void {
    for (const { client, upstream } of this.#pairs) {
      client.unpipe(upstream);
      client.resume();
      if (how === 'to-server') continue;
      upstream.unpipe(client);
      upstream.resume();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { client, upstream } of this.#pairs) {
      client.destroy();
      upstream.destroy();
    }
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}
