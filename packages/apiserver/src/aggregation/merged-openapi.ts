import { createHash } from 'node:crypto';
import { isRecord } from '@windlass/base';
import type { ServerResponse } from '../exchange/exchange.ts';
import type { PathHandler } from '../exchange/path-handler.ts';
import type { ApiServices } from './api-services.ts';
import { mergeSwagger, type SwaggerDocument } from './merge-swagger.ts';
import { type ProxyOptions, proxied } from './proxy.ts';
import type { RemoteDocuments } from './remote-documents.ts';

const V2 = '/openapi/v2';
const V3 = '/openapi/v3';

type Bytes = Extract<ServerResponse, { type: 'bytes' }>;

/**
 * OpenAPI of this server and of all that it aggregates. In v3 each server gives its own documents, and the index names
 * them; v2 is one document, into which those of the others are merged.
 */
export function mergedOpenApi(
  local: PathHandler,
  documents: RemoteDocuments,
  options: ProxyOptions,
): PathHandler {
  const { services } = options;
  const merged = swaggerMerger(services, documents);
  return async (request, info) => {
    const path = request.path.replace(/\/$/, '');
    if (request.method !== 'GET' || services.remotes().length === 0) return local(request, info);
    const [, , , root, group = '', version = ''] = path.split('/');
    const remote = path.startsWith(`${V3}/`) && root === 'apis' ? services.remote(group, version) : undefined;
    if (remote !== undefined) return proxied(remote, request, info, options);
    if (path !== V2 && path !== V3) return local(request, info);
    // Whether somebody has the document already is decided for the merged one.
    const { 'if-none-match': known, ...headers } = request.headers ?? {};
    const answer = await local({ ...request, headers }, info);
    if (answer?.type !== 'bytes' || answer.status !== 200 || !answer.contentType.includes('json'))
      return answer;
    if (path === V3) return withIndexEntries(answer, services, documents);
    const { body, etag } = merged(textOf(answer));
    const isKnown = known === etag;
    return {
      ...answer,
      status: isKnown ? 304 : 200,
      body: isKnown ? '' : body,
      headers: { ...answer.headers, etag },
    };
  };
}

function withIndexEntries(answer: Bytes, services: ApiServices, documents: RemoteDocuments): Bytes {
  const index: unknown = JSON.parse(textOf(answer));
  const paths: Record<string, unknown> =
    isRecord(index) && isRecord(index['paths']) ? { ...index['paths'] } : {};
  for (const { name, group, version } of services.remotes()) {
    const serverRelativeURL = documents.get(name).openApiUrl;
    const key = `apis/${group}/${version}`;
    if (serverRelativeURL !== undefined) paths[key] = { serverRelativeURL };
    else delete paths[key];
  }
  const sorted = Object.fromEntries(Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return { ...answer, body: JSON.stringify({ ...recordOf(index), paths: sorted }) };
}

/** Merging parses a document of megabytes, so its result is kept until one of its parts changes. */
function swaggerMerger(
  services: ApiServices,
  documents: RemoteDocuments,
): (local: string) => { readonly body: string; readonly etag: string } {
  let made: { local: string; generation: number; body: string; etag: string } | undefined;
  return (local) => {
    const { generation } = documents;
    if (made?.local === local && made.generation === generation) return made;
    // What this server makes has the form of the document.
    let document = JSON.parse(local) as SwaggerDocument;
    for (const { name, group, version } of services.remotes()) {
      const { swagger } = documents.get(name);
      if (swagger !== undefined) document = mergeSwagger(document, swagger, `/apis/${group}/${version}`);
    }
    const body = JSON.stringify(document);
    const hash = createHash('sha512').update(body).digest('hex').toUpperCase();
    made = { local, generation, body, etag: `"${hash}"` };
    return made;
  };
}

function textOf({ body }: Bytes): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
