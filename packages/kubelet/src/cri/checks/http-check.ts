import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ProbeOutcome } from '../../runtime/runtime.ts';
import type { HttpTarget } from './target.ts';

/** As much of an answer is shown. */
const MAX_BODY_BYTES = 10 * 1024;
const MAX_REDIRECTS = 10;

/** Asks a server; an answer from 200 to 399 is a success. Certificates are not looked at: the pod is its own authority. */
export async function httpCheck(target: HttpTarget, signal: AbortSignal): Promise<ProbeOutcome> {
  let current = target;
  for (let redirects = 0; ; redirects++) {
    const { status, body, location } = await get(current, signal);
    const next = location === undefined ? undefined : redirected(current, location);
    const isRedirect = status >= 301 && status <= 308 && status !== 304 && next !== undefined;
    // A redirect to another host is none of the pod's: that it answers is enough.
    if (isRedirect && next.host === current.host && redirects < MAX_REDIRECTS) current = next;
    else if (status >= 200 && status < 400) return { isSuccess: true, output: body };
    else return { isSuccess: false, output: `HTTP probe failed with statuscode: ${status}` };
  }
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly location: string | undefined;
}

function get({ scheme, host, port, path, headers }: HttpTarget, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const send = scheme === 'https' ? requestHttps : requestHttp;
    const request = send(
      { host, port, path, headers, signal, agent: false, rejectUnauthorized: false },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const finish = (): void =>
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).toString('utf8', 0, MAX_BODY_BYTES),
            location: response.headers.location,
          });
        response.on('data', (chunk: Buffer) => {
          size += chunk.byteLength;
          chunks.push(chunk);
          // The rest is not read.
          if (size <= MAX_BODY_BYTES) return;
          finish();
          response.destroy();
        });
        response.on('end', finish);
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end();
  });
}

function redirected(from: HttpTarget, location: string): HttpTarget | undefined {
  try {
    const url = new URL(location, `${from.scheme}://${from.host}:${from.port}${from.path}`);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
    const scheme = url.protocol === 'https:' ? 'https' : 'http';
    const port = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port);
    return { ...from, scheme, host: url.hostname, port, path: `${url.pathname}${url.search}` };
  } catch {
    return undefined;
  }
}
