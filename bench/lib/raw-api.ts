// Requests to an API server with as little work on our side as can be: what is measured is the server.
import { readFile } from 'node:fs/promises';
import { decodeYaml } from '@windlass/apimachinery';
import { Pool } from 'undici';

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: Readonly<Record<string, string>> }];
  readonly users: readonly [{ readonly user: Readonly<Record<string, string>> }];
}

const NEWLINE = 10;

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
  const streams = new Pool(server, { connect, allowH2: false, bodyTimeout: 0 });
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
    async lines(path, signal, onLines) {
      const answer = await streams.request({ path, method: 'GET', signal });
      if (answer.statusCode >= 300) await fail(path, answer.statusCode, answer.body);
      for await (const chunk of answer.body as AsyncIterable<Uint8Array>) onLines(newlines(chunk));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([requests.destroy(), streams.destroy()]);
    },
  };
}

function newlines(chunk: Uint8Array): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

async function material(entry: Readonly<Record<string, string>>, name: string): Promise<Buffer> {
  const inline = entry[`${name}-data`];
  return inline === undefined ? readFile(entry[name] ?? '') : Buffer.from(inline, 'base64');
}
