import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Console, type ConsoleOptions } from './console.ts';

/** What a console shows, and where it listens. */
export interface StartConsoleOptions extends Omit<ConsoleOptions, 'token'> {
  /** 0 picks a free one. @default 0 */
  readonly port?: number;
}

/** A console that is served until it is disposed of. */
export interface RunningConsole extends AsyncDisposable {
  /** With its token: who has it may look. */
  readonly url: string;
}

/** A request has so long to arrive whole; answers and streams take as long as they take. */
const REQUEST_TIMEOUT_MS = 10_000;
const TOKEN_BYTES = 24;
const HOST = '127.0.0.1';

/** Serves a console on loopback, on a port of its own, behind a token. */
export async function startConsole({ port = 0, ...options }: StartConsoleOptions): Promise<RunningConsole> {
  const token = Buffer.from(options.random.bytes(TOKEN_BYTES)).toString('base64url');
  const page = new Console({ ...options, token });
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    void page.handle(request, response, portOf);
  });
  // A server that listens on a host and a port has an address.
  const portOf = (): number => (server.address() as AddressInfo).port;
  server.listen(port, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    await page[Symbol.asyncDispose]();
    throw error;
  }
  server.on('error', (error) => options.logger.error('the console failed', { error }));
  return {
    url: `http://${HOST}:${portOf()}/?token=${token}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      await page[Symbol.asyncDispose]();
      server.closeAllConnections();
      await closed;
    },
  };
}
