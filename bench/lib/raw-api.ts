// Requests to an API server with as little work on our side as can be: what is measured is the server.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { decodeYaml } from '@windlass/apimachinery';

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
  const tls = {
    keepAlive: true,
    ca: await material(cluster, 'certificate-authority'),
    cert: await material(user, 'client-certificate'),
    key: await material(user, 'client-key'),
  };
  const requests = new Agent({ ...tls, maxSockets: connections });
  const streams = new Agent(tls);

  const open = async (path: string, options: RequestOptions, body?: string): Promise<IncomingMessage> => {
    const sent = request(new URL(path, cluster['server']), options);
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    if ((answer.statusCode ?? 0) >= 300)
      throw new Error(`${path}: ${answer.statusCode} ${await text(answer)}`);
    return answer;
  };
  return {
    async post(path, body) {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const answer = await open(path, { agent: requests, method: 'POST', headers }, body);
      answer.resume();
      await once(answer, 'end');
    },
    async size(path) {
      const answer = await open(path, { agent: requests });
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      await once(answer, 'end');
      return bytes;
    },
    async lines(path, signal, onLines) {
      const answer = await open(path, { agent: streams, signal });
      answer.on('data', (chunk: Buffer) => onLines(newlines(chunk)));
      await once(answer, 'end');
    },
    async [Symbol.asyncDispose]() {
      requests.destroy();
      streams.destroy();
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
