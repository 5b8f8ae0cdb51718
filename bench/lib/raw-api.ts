// Requests to an API server with as little work on our side as can be: what is measured is the server.
import { readFile } from 'node:fs/promises';
import { type ConnectionOptions, connect as tlsConnect } from 'node:tls';
import { decodeYaml } from '@windlass/apimachinery';
import { Pool } from 'undici';

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: Readonly<Record<string, string>> }];
  readonly users: readonly [{ readonly user: Readonly<Record<string, string>> }];
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

export interface RawApi extends AsyncDisposable {
  /** Sends a body that is JSON already; throws unless the answer is a success. The answer is not read. */
  post(path: string, body: string): Promise<void>;
  /** How many bytes the answer has. */
  size(path: string): Promise<number>;
  /** Calls back with the number of lines that came, until the signal aborts. */
  lines(path: string, signal: AbortSignal, onLines: (count: number) => void): Promise<void>;
}

/** @param connections for requests; each stream has one of its own. */
export async function rawApi(kubeconfigPath: string, connections: number): Promise<RawApi> {
  // The benchmark has written it, or had it written.
  const { value } = decodeYaml(await readFile(kubeconfigPath, 'utf8'));
  const { clusters, users } = value as unknown as Kubeconfig;
  const { cluster } = clusters[0];
  const { user } = users[0];
  const server = cluster['server'] ?? '';
  const connect = {
    ca: await material(cluster, 'certificate-authority'),
    cert: await material(user, 'client-certificate'),
    key: await material(user, 'client-key'),
  };
  const requests = new Pool(server, { connections, connect, allowH2: false });
  const fail = async (path: string, status: number, body: { text(): Promise<string> }): Promise<never> => {
    throw new Error(`${path}: ${status} ${await body.text()}`);
  };
  return {
    async post(path, body) {
      const headers = { 'content-type': 'application/json' };
      const answer = await requests.request({ path, method: 'POST', headers, body });
      if (answer.statusCode >= 300) await fail(path, answer.statusCode, answer.body);
      await answer.body.dump();
    },
    async size(path) {
      const answer = await requests.request({ path, method: 'GET' });
      if (answer.statusCode >= 300) await fail(path, answer.statusCode, answer.body);
      let bytes = 0;
      for await (const chunk of answer.body as AsyncIterable<Uint8Array>) bytes += chunk.length;
      return bytes;
    },
    lines: (path, signal, onLines) => streamLines(new URL(path, server), connect, signal, onLines),
    [Symbol.asyncDispose]: () => requests.destroy(),
  };
}

/**
 * Over a bare TLS socket: with a hundred streams an HTTP parser in JavaScript would cost more than the server.
 * An event ends with a newline; what HTTP puts between them, with a carriage return before it.
 */
function streamLines(
  url: URL,
  connect: ConnectionOptions,
  signal: AbortSignal,
  onLines: (count: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ ...connect, host: url.hostname, port: Number(url.port) });
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
    socket.on('secureConnect', () =>
      socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`),
    );
    socket.once('data', (head: Buffer) => {
      if (!head.toString('latin1').startsWith('HTTP/1.1 200')) reject(new Error(head.toString('utf8')));
      onLines(newlines(head));
      socket.on('data', (chunk: Buffer) => onLines(newlines(chunk)));
    });
    socket.on('error', reject);
    socket.on('close', resolve);
  });
}

function newlines(chunk: Uint8Array): number {
  let count = 0;
  // Not those of HTTP itself, which follow a carriage return.
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1))
    if (chunk[at - 1] !== CARRIAGE_RETURN) count++;
  return count;
}

async function material(entry: Readonly<Record<string, string>>, name: string): Promise<Buffer> {
  const inline = entry[`${name}-data`];
  return inline === undefined ? readFile(entry[name] ?? '') : Buffer.from(inline, 'base64');
}
