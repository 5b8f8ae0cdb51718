// Sends what a Malformer makes: over HTTP/2, as raw bytes over TLS, and straight into the handlers.
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import type { Transport } from '@windlass/apimachinery';
import type { Malformer } from './malformed.ts';

export interface Identity {
  readonly cert: string;
  readonly key: string;
}

export interface Findings {
  /** Requests that came past authentication. */
  known: number;
  readonly problems: unknown[];
}

const AT_ONCE = 50;
/** A connection that takes back more than some requests is hung up on, so that each has its turn. */
const REQUESTS_OF_CONNECTION = 250;
/** A 500 that is as it should be: the words of a refusal that upstream calls internal too. */
export const EXPECTED_500 = /without impersonating|resourceVersion should not be set/;

/** Every answer is a Status, or a closed stream. */
export async function overHttp2(
  port: number,
  identity: Identity,
  malformer: Malformer,
  rounds: number,
  findings: Findings,
): Promise<void> {
  const connect = (): ClientHttp2Session =>
    connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, ...identity }).on(
      'error',
      () => {},
    );
  const ask = (session: ClientHttp2Session): Promise<void> =>
    new Promise((resolve) => {
      const { method, path, headers, body, isCut } = malformer.request();
      // Node would end a DELETE with its headers.
      const stream = session.request(
        { ':method': method, ':path': path, ...headers },
        { endStream: body === undefined },
      );
      const chunks: Buffer[] = [];
      let status = 0;
      stream.on('response', (answer) => {
        status = answer[':status'] ?? 0;
        // A watch has no end.
        if (status === 200 && path.includes('sendInitialEvents')) stream.close();
      });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', () => resolve());
      stream.on('close', () => {
        if (status > 0 && status !== 401) findings.known++;
        const text = Buffer.concat(chunks).toString();
        if (!isCut && status >= 400 && method !== 'HEAD' && !/Status|404 page not found|k8s/.test(text))
          findings.problems.push(new Error(`${method} ${path} answered ${status}: ${text.slice(0, 200)}`));
        if (status === 500 && /Internal error occurred/.test(text) && !EXPECTED_500.test(text))
          findings.problems.push(new Error(`${method} ${path}: ${text.slice(0, 400)}`));
        resolve();
      });
      // Those without a body end with their headers.
      if (body === undefined) return;
      if (!isCut) {
        stream.end(body);
        return;
      }
      stream.write(body);
      stream.close(8);
    });
  for (let done = 0; done < rounds; ) {
    const session = connect();
    for (const end = Math.min(rounds, done + REQUESTS_OF_CONNECTION); done < end; done += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => ask(session)));
    session.destroy();
  }
}

export async function overRawSockets(port: number, malformer: Malformer, rounds: number): Promise<void> {
  const send = (bytes: Buffer): Promise<void> =>
    new Promise((resolve) => {
      const socket = connectTls({
        port,
        host: '127.0.0.1',
        rejectUnauthorized: false,
        ALPNProtocols: [malformer.pick(['http/1.1', 'h2'])],
      });
      socket.on('secureConnect', () => socket.end(bytes));
      socket.on('data', () => {});
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
    });
  for (let done = 0; done < rounds; done += 10)
    await Promise.all(Array.from({ length: 10 }, () => send(malformer.wire())));
}

/** The handlers may answer with anything but a throw. */
export async function inProcess(
  transport: Transport,
  malformer: Malformer,
  rounds: number,
  findings: Findings,
): Promise<void> {
  for (let done = 0; done < rounds; done++) {
    const { method, path, headers, body } = malformer.request();
    const [bare = '', text = ''] = path.split('?');
    const query = Object.fromEntries(new URLSearchParams(text));
    const given = done % 2 === 0 || body === undefined ? body : malformer.value();
    try {
      const { status, body: answer } = await transport.request({
        // Others than these cannot be asked for in a process.
        method: method as 'GET',
        path: bare,
        query,
        headers,
        ...(given !== undefined && { body: given }),
      });
      const { message = '' } = (answer ?? {}) as { message?: string };
      if (status === 500 && message.startsWith('Internal error') && !EXPECTED_500.test(message))
        findings.problems.push(new Error(`${method} ${path}: ${message}`));
      if (status !== 401) findings.known++;
    } catch (error) {
      findings.problems.push(error);
    }
  }
}
