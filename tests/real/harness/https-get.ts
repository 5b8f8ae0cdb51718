import { request } from 'node:https';

export interface HttpsGetOptions {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly signal: AbortSignal;
  /** False for a server that signs its own certificate. @default true */
  readonly rejectUnauthorized?: boolean;
}

/** One GET on a connection of its own: the harness must not depend on the client that it is there to test. */
export function httpsGet(url: string, options: HttpsGetOptions): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}
