import { createHash } from 'node:crypto';
import { kubernetesRelease, wideJson } from '@windlass/apimachinery';
import { type Clock, turnShare } from '@windlass/base';
import type { ServerRequest, ServerResponse } from '../exchange/exchange.ts';
import type { PathHandler } from '../exchange/path-handler.ts';
import { first } from '../request/list-options.ts';
import type { Catalog } from '../resource/catalog.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import { acceptedForm } from './accepted-form.ts';
import { rootOf } from './builtin-routes.ts';
import { openApiDocument, openApiJson } from './document.ts';
import { documentResponse } from './document-response.ts';
import { type Gathered, gathered } from './gathered.ts';

const ROOT = '/openapi/v3';
const JSON_TYPE = 'application/json';
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** What is known of the documents while nothing changes in the catalog. */
interface Known {
  readonly generation: number;
  readonly definitions: ReadonlyMap<string, readonly ResourceDefinition[]>;
  readonly hashes: Map<string, string>;
  /** Those that somebody asked for. Promises, so that those who ask meanwhile wait for the same. */
  readonly documents: Map<string, Promise<Gathered>>;
}

/**
 * OpenAPI v3, a document for each group version, made when first asked for and kept until something changes. A client
 * may keep a document for ever under its hash; one that comes with an old hash is sent to the current one.
 */
export function openApiPaths(catalog: Catalog, clock: Clock): PathHandler {
  let known: Known | undefined;
  const current = (): Known => {
    if (known?.generation === catalog.generation) return known;
    const definitions = Map.groupBy(catalog.all(), (definition) => rootOf(definition).slice(1));
    known = { generation: catalog.generation, definitions, hashes: new Map(), documents: new Map() };
    return known;
  };
  return (request) => {
    if (request.method !== 'GET' || !request.path.startsWith(ROOT)) return undefined;
    const path = request.path.slice(ROOT.length + 1).replace(/\/$/, '');
    return path === '' ? rootAnswer(current(), request) : documentAnswer(current(), path, request, clock);
  };
}

function rootAnswer(known: Known, request: ServerRequest): ServerResponse {
  const paths = [...known.definitions.keys()]
    .toSorted()
    .map((path) => [path, { serverRelativeURL: urlOf(path, hashOf(known, path)) }]);
  const text = JSON.stringify({ paths: Object.fromEntries(paths) });
  return documentResponse(request, { contentType: JSON_TYPE, body: text, hash: digest(text) });
}

async function documentAnswer(
  known: Known,
  path: string,
  request: ServerRequest,
  clock: Clock,
): Promise<ServerResponse | undefined> {
  const definitions = known.definitions.get(path);
  const [sample] = definitions ?? [];
  if (definitions === undefined || sample === undefined) return undefined;
  acceptedForm(request.headers?.['accept'], { json: JSON_TYPE, protobuf: [] });
  const hash = hashOf(known, path);
  const asked = first(request.query?.['hash']) ?? '';
  if (asked !== '' && asked !== hash) return movedTo(urlOf(path, hash));
  let made = known.documents.get(path);
  if (made === undefined) {
    made = openApiDocument(sample, definitions, () => turnShare.take()).then((document) =>
      gathered(openApiJson(document)),
    );
    known.documents.set(path, made);
  }
  const { body } = await made;
  const headers = asked === '' ? {} : foreverHeaders(clock);
  return documentResponse(request, { contentType: JSON_TYPE, body, hash, headers });
}

function urlOf(path: string, hash: string): string {
  return `${ROOT}/${path}?hash=${hash}`;
}

function movedTo(location: string): ServerResponse {
  return {
    type: 'bytes',
    status: 301,
    contentType: 'text/html; charset=utf-8',
    body: `<a href="${location}">Moved Permanently</a>.\n\n`,
    headers: { location, vary: 'Accept' },
  };
}

function foreverHeaders(clock: Clock): Record<string, string> {
  return {
    'cache-control': 'public, immutable',
    expires: new Date(clock.now() + YEAR_MS).toUTCString(),
  };
}

/** The same until what is served changes. The document itself need not be made for it. */
function hashOf(known: Known, path: string): string {
  let hash = known.hashes.get(path);
  if (hash === undefined) {
    hash = digest(wideJson([FORM, kubernetesRelease(), known.definitions.get(path)?.map(contentsOf)]));
    known.hashes.set(path, hash);
  }
  return hash;
}

function contentsOf(definition: ResourceDefinition): unknown[] {
  const { plural, kind, listKind, namespaced, verbs, subresources, isCustom, schema, selectableFields } =
    definition;
  const parts = [...subresources.values()].map((part) => [part.name, part.verbs, part.kind]);
  return [
    plural,
    kind,
    listKind,
    namespaced,
    verbs,
    parts,
    ...(isCustom ? [schema, [...selectableFields.keys()]] : []),
  ];
}

/**
 * Part of every hash: a client keeps a document under its hash for ever. Count it up when documents are made in another
 * way.
 */
const FORM = 3;

function digest(text: string): string {
  return createHash('sha512').update(text).digest('hex').toUpperCase();
}
