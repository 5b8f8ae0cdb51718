import { type IncomingHttpHeaders, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { NodeRequestError } from '../server/container-state.ts';
import type { Upgrade } from '../server/node-answers.ts';

/** What both sides need to agree on a protocol. */
const HEADERS = [
  'connection',
  'upgrade',
  'x-stream-protocol-version',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
] as const;
const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * Opens a connection to where the runtime streams, with the protocol that the client asks for: the runtime and the client
 * agree on it, and what they say to each other is passed on as it is.
 * @throws NodeRequestError with what the runtime answers instead
 */
export function proxyStream(url: string, headers: IncomingHttpHeaders): Promise<Upgrade> {
  const passed = Object.fromEntries(
    HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
  return new Promise((resolve, reject) => {
    const opening = request(url, { method: 'POST', headers: passed, agent: false });
    opening.on('upgrade', (response, stream, head) => {
      if (head.byteLength > 0) stream.unshift(head);
      const answered = Object.entries(response.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
      );
      resolve({ headers: Object.fromEntries(answered), run: (socket) => passOn(socket, stream) });
    });
    opening.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.byteLength;
        if (size <= MAX_REFUSAL_BYTES) chunks.push(chunk);
      });
      response.on('end', () =>
        reject(new NodeRequestError(response.statusCode ?? 500, Buffer.concat(chunks).toString())),
      );
    });
    opening.on('error', (error) =>
      reject(new NodeRequestError(500, `the container runtime does not stream: ${error.message}`)),
    );
    opening.end();
  });
}

/** Resolves when the runtime has hung up, and all that it said is on its way. */
function passOn(client: Duplex, runtime: Duplex): Promise<void> {
  return new Promise((resolve) => {
    runtime.once('close', resolve);
    runtime.on('error', () => runtime.destroy());
    // Whoever goes first takes the other along.
    client.once('close', () => runtime.destroy());
    client.pipe(runtime);
    runtime.pipe(client);
  });
}
