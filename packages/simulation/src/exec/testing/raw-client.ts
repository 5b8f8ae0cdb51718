import { connect } from 'node:http2';
import { Agent, request } from 'node:https';

/** Which protocol a client speaks. */
export type HttpVersion = 'HTTP/1.1' | 'HTTP/2';

/** What came of a request. */
export interface RawAnswer {
  readonly status: number;
  /** Grows while the answer arrives. */
  readonly text: () => string;
  /** Resolves at its end; rejects when the connection breaks before. */
  readonly ended: Promise<void>;
}

export interface RawRequest {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly method?: string;
  readonly body?: unknown;
}

/** A client that keeps nothing and tries nothing again. @returns when the headers have arrived */
export function ask(version: HttpVersion, options: RawRequest): Promise<RawAnswer> {
  return version === 'HTTP/2' ? ask2(options) : ask1(options);
}

function ask1({ url, ca, token, method = 'GET', body }: RawRequest): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = request(url, { method, headers, agent: new Agent({ ca }) }, (reply) => {
    resolve({ status: reply.statusCode ?? 0, ...collected(reply) });
  });
  sent.on('error', reject);
  sent.end(body === undefined ? '' : JSON.stringify(body));
  return promise;
}

function ask2({ url, ca, token, method = 'GET', body }: RawRequest): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const { origin, pathname, search } = new URL(url);
  const session = connect(origin, { ca });
  const stream = session.request({
    ':method': method,
    ':path': `${pathname}${search}`,
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  });
  stream.on('response', (headers) => resolve({ status: headers[':status'] ?? 0, ...collected(stream) }));
  for (const part of [session, stream]) part.on('error', reject);
  stream.on('close', () => session.destroy());
  if (body === undefined) stream.end();
  else stream.end(JSON.stringify(body));
  return promise;
}

function collected(reply: NodeJS.ReadableStream): Pick<RawAnswer, 'text' | 'ended'> {
  let text = '';
  reply.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  const ended = new Promise<void>((resolve, reject) => {
    reply.on('end', resolve);
    reply.on('error', reject);
    reply.on('aborted', () => reject(new Error('the connection broke')));
  });
  // Not everybody waits for the end.
  ended.catch(() => {});
  return { text: () => text, ended };
}
