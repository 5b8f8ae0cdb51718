import type { ErrorAnswer } from '../src/protocol.ts';

/** The server answered, and what it said is no 200. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** @throws RefusedError with the server's own sentence */
export async function ask<T>(path: string, body?: unknown): Promise<T> {
  const response = await fetch(
    path,
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
  const text = await response.text();
  if (!response.ok) throw new RefusedError(errorOf(text) ?? `The server answered ${response.status}.`);
  // The protocol says which path has which answer.
  return JSON.parse(text) as T;
}

function errorOf(text: string): string | undefined {
  try {
    // Every answer that is not 200 is one of these; a proxy in between may say something else.
    return (JSON.parse(text) as Partial<ErrorAnswer>).error;
  } catch {
    return undefined;
  }
}
