import type { IncomingMessage } from 'node:http';
import { TryError } from './parse-try.ts';

const MAX_BYTES = 16 * 1024;

/** The body of a request. @throws TryError when it is none, or too long */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json(?:;|$)/.test(request.headers['content-type'] ?? ''))
    throw new TryError('send application/json');
  const chunks: Buffer[] = [];
  let size = 0;
  // Without an encoding it gives buffers.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new TryError(`the request is longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return value;
  } catch {
    throw new TryError('the request is no JSON');
  }
}
