import { createHash } from 'node:crypto';
import { first } from '../request/list-options.ts';
import type { Catalog } from '../resource/catalog.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { PathHandler } from '../server/dispatcher.ts';
import type { ServerResponse } from '../server/exchange.ts';
import { openApiDocument } from './document.ts';

interface Served {
  readonly text: string;
  readonly hash: string;
}

const ROOT = '/openapi/v3';

/** OpenAPI v3, a document for each group version, made when first asked for and kept until something changes. */
export function openApiPaths(catalog: Catalog): PathHandler {
  let generation = -1;
  const documents = new Map<string, Served>();
  const fresh = (): void => {
    if (generation === catalog.generation) return;
    generation = catalog.generation;
    documents.clear();
  };
  const documentOf = (path: string): Served | undefined => {
    fresh();
    const known = documents.get(path);
    if (known !== undefined) return known;
    const definitions = definitionsAt(catalog, path);
    const [sample] = definitions;
    if (sample === undefined) return undefined;
    const text = JSON.stringify(openApiDocument(sample, definitions));
    const served = { text, hash: createHash('sha512').update(text).digest('hex').toUpperCase() };
    documents.set(path, served);
    return served;
  };
  return (request) => {
    if (request.method !== 'GET' || !request.path.startsWith(ROOT)) return undefined;
    const path = request.path.slice(ROOT.length + 1).replace(/\/$/, '');
    if (path === '') return json(JSON.stringify({ paths: rootPaths(catalog) }));
    const served = documentOf(path);
    if (served === undefined) return undefined;
    const asked = first(request.query?.['hash']);
    const isCurrent = asked === hashOf(catalog, path);
    return json(served.text, {
      etag: `"${served.hash}"`,
      vary: 'Accept',
      ...(isCurrent && { 'cache-control': 'public, immutable, max-age=31536000' }),
    });
  };
}

/** The same until what is served changes, so that clients may keep a document for ever under its hash. */
function hashOf(catalog: Catalog, path: string): string {
  const parts = definitionsAt(catalog, path).map(({ plural, isCustom, schema }) => [
    plural,
    isCustom ? schema : '',
  ]);
  return createHash('sha512').update(JSON.stringify(parts)).digest('hex').toUpperCase();
}

function rootPaths(catalog: Catalog): Record<string, { serverRelativeURL: string }> {
  const paths = new Set<string>();
  for (const definition of catalog.all()) paths.add(pathOf(definition));
  return Object.fromEntries(
    [...paths]
      .toSorted()
      .map((path) => [path, { serverRelativeURL: `${ROOT}/${path}?hash=${hashOf(catalog, path)}` }]),
  );
}

function definitionsAt(catalog: Catalog, path: string): ResourceDefinition[] {
  return [...catalog.all()].filter((definition) => pathOf(definition) === path);
}

function pathOf({ group, version }: ResourceDefinition): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

function json(body: string, headers: Record<string, string> = {}): ServerResponse {
  return { type: 'bytes', status: 200, contentType: 'application/json', body, headers };
}
