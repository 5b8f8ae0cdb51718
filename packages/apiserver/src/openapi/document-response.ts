import type { ServerRequest, ServerResponse } from '../exchange/exchange.ts';

export interface ServedDocument {
  readonly contentType: string;
  readonly body: string | Uint8Array;
  /** Another one when the contents are others. */
  readonly hash: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A document with its ETag, or only the word that the client has it already. */
export function documentResponse(request: ServerRequest, document: ServedDocument): ServerResponse {
  const { contentType, body, hash } = document;
  const etag = `"${hash}"`;
  const headers = { etag, vary: 'Accept', ...document.headers };
  const asked = request.headers?.['if-none-match'] ?? '';
  const isKnown = asked
    .split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
  if (isKnown) return { type: 'bytes', status: 304, contentType, body: '', headers };
  return { type: 'bytes', status: 200, contentType, body, headers };
}
