import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Distinct loopback ports that nothing listened on a moment ago. Between the answer and its use another
 * program may take one; whoever starts a server on them must be ready to ask again.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    for (const server of servers) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    return servers.map((server) => (server.address() as AddressInfo).port); // listening on TCP: never a string
  } finally {
    for (const server of servers) server.close();
  }
}
