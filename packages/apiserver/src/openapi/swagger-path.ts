import { createHash } from 'node:crypto';
import { newNotAcceptable } from '@windlass/apimachinery';
import type { Catalog } from '../resource/catalog.ts';
import type { PathHandler } from '../server/dispatcher.ts';
import { swaggerDocument } from './swagger-document.ts';

const PATH = '/openapi/v2';
const JSON_TYPE = 'application/json';

/**
 * `/openapi/v2`, made when first asked for and kept until something changes. Only as JSON: who can read the
 * older binary form reads OpenAPI v3 as well, and asks for that first.
 */
export function swaggerPath(catalog: Catalog): PathHandler {
  let made: { readonly generation: number; readonly text: string; readonly etag: string } | undefined;
  return (request) => {
    if (request.method !== 'GET' || request.path !== PATH) return undefined;
    const accept = request.headers?.['accept'] ?? '*/*';
    if (!/application\/json|(?:\*|application)\/\*/.test(accept)) throw newNotAcceptable([JSON_TYPE]);
    if (made?.generation !== catalog.generation) {
      const text = JSON.stringify(swaggerDocument([...catalog.all()]));
      const hash = createHash('sha512').update(text).digest('hex').toUpperCase();
      made = { generation: catalog.generation, text, etag: `"${hash}"` };
    }
    const { text, etag } = made;
    const headers = { etag, vary: 'Accept' };
    const isKnown = request.headers?.['if-none-match'] === etag;
    return {
      type: 'bytes',
      status: isKnown ? 304 : 200,
      contentType: JSON_TYPE,
      body: isKnown ? '' : text,
      headers,
    };
  };
}
