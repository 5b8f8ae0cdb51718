import {
  apiVersionOf,
  failureStatus,
  newBadRequest,
  newResourceExpired,
  newTooLargeResourceVersion,
  StatusError,
} from '@windlass/apimachinery';
import { turnShare } from '@windlass/base';
import type { ServerList } from '../exchange/exchange.ts';
import type { RequestContext } from '../request/context.ts';
import type { ListParameters } from '../request/list-options.ts';
import { type ResourceDefinition, storageKey, storagePrefix } from '../resource/definition.ts';
import { fromStorage } from '../resource/target.ts';
import { CompactedError } from '../storage/errors.ts';
import type { StoredList, StoredObject } from '../storage/store.ts';
import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';
import { parseVersion, waitForVersion } from './get.ts';
import type { VerbRuntime } from './runtime.ts';
import { objectsAtOnce, type Selection, selectionOf } from './selection.ts';

export interface Collection {
  readonly definition: ResourceDefinition;
  /** Empty for all namespaces, and at the cluster scope. */
  readonly namespace: string;
  readonly context: RequestContext;
}

/** When few objects match, pages are read in growing chunks until the limit is met. */
const MAX_CHUNK = 10_000;
/** Follows the last key of a page, and comes before every other key. */
const AFTER = '\u0000';

export async function listObjects(
  runtime: VerbRuntime,
  collection: Collection,
  parameters: ListParameters,
): Promise<ServerList> {
  const { definition } = collection;
  const selection = selectionOf(definition, parameters);
  const page = await readPage(runtime, collection, parameters, selection);
  const items = await served(page.items, collection);
  return {
    apiVersion: apiVersionOf(definition),
    kind: definition.listKind,
    metadata: {
      resourceVersion: String(page.revision),
      // Lists of custom resources say so when there is no more.
      ...(definition.isCustom && { continue: '' }),
      ...(page.continueToken !== undefined && { continue: page.continueToken }),
      ...(page.remaining !== undefined && page.remaining > 0 && { remainingItemCount: page.remaining }),
      ...(selection.shard !== undefined && { shardInfo: { selector: selection.shard } }),
    },
    items,
  };
}

/** In the form of the version that was asked for: the very same list where that is the stored one. */
async function served(
  stored: readonly StoredObject[],
  { definition, context }: Collection,
): Promise<ServerList['items']> {
  const { convertFromStorage, version } = definition.storage;
  if (convertFromStorage === undefined && version === definition.version) return stored;
  const items: ServerList['items'][number][] = [];
  const atOnce = objectsAtOnce({ terms: 0 });
  for (const item of stored) {
    if (items.length % atOnce === atOnce - 1) await turn(context.signal);
    const converted = fromStorage(definition, item);
    const object = converted instanceof Promise ? await converted : converted;
    items.push(object === item.object ? item : { object });
  }
  return items;
}

/** Others get their turn when this one has lasted. Nothing more is done for a client that has gone. */
async function turn(signal: AbortSignal | undefined): Promise<void> {
  await turnShare.take();
  signal?.throwIfAborted();
}

interface Page {
  readonly items: readonly StoredObject[];
  readonly revision: number;
  readonly continueToken: string | undefined;
  readonly remaining: number | undefined;
}

async function readPage(
  runtime: VerbRuntime,
  { definition, namespace, context }: Collection,
  parameters: ListParameters,
  selection: Selection,
): Promise<Page> {
  const base = storagePrefix(definition);
  const prefix = definition.namespaced && namespace !== '' ? `${base}${namespace}/` : base;
  const start = await startOf(runtime, prefix, parameters, context);
  if (selection.onlyName !== undefined && (namespace !== '' || !definition.namespaced)) {
    return readOne(runtime, storageKey(definition, namespace, selection.onlyName), start, selection);
  }
  // Whatever the server has at hand is cheap to give whole, so a limit is ignored there.
  const limit = parameters.resourceVersion === '0' && parameters.continueToken === '' ? 0 : parameters.limit;
  const matches: StoredObject[] = [];
  const atOnce = objectsAtOnce(selection);
  let { startKey } = start;
  let chunk = limit;
  for (;;) {
    await turn(context.signal);
    const list = await read(runtime, prefix, { ...start, startKey, limit: chunk }, parameters);
    if (limit === 0 && selection.isEverything)
      return { items: list.items, revision: list.revision, continueToken: undefined, remaining: undefined };
    for (const [index, item] of list.items.entries()) {
      if (index % atOnce === atOnce - 1) await turn(context.signal);
      if (!selection.matches(item.object)) continue;
      matches.push(item);
      if (limit > 0 && matches.length === limit) {
        const remaining = list.remaining + list.items.length - index - 1;
        const begunAt = start.begunAt ?? context.clock.now();
        return cut(prefix, { revision: list.revision, begunAt }, matches, remaining, selection);
      }
    }
    const last = list.items.at(-1);
    if (list.remaining === 0 || last === undefined) {
      return { items: matches, revision: list.revision, continueToken: undefined, remaining: undefined };
    }
    startKey = last.key + AFTER;
    chunk = Math.min(chunk * 2, MAX_CHUNK);
  }
}

function cut(
  prefix: string,
  { revision, begunAt }: { readonly revision: number; readonly begunAt: number },
  items: StoredObject[],
  remaining: number,
  selection: Selection,
): Page {
  const last = items.at(-1);
  if (remaining === 0 || last === undefined)
    return { items, revision, continueToken: undefined, remaining: undefined };
  const startKey = last.key.slice(prefix.length) + AFTER;
  return {
    items,
    revision,
    continueToken: encodeContinueToken({ revision, startKey, begunAt }),
    // With a selector nobody knows how many of the rest will match.
    remaining: selection.isEverything ? remaining : undefined,
  };
}

interface Start {
  readonly startKey: string;
  /** Undefined for the present. */
  readonly revision: number | undefined;
  /** The client has said how fresh it must be, and the cache is. */
  readonly cached: boolean;
  /** When the first page was read; undefined for a first one. */
  readonly begunAt?: number | undefined;
}

/**
 * So long a list may be read page by page, as with other servers, which forget their revisions after five to ten
 * minutes. Ours are there for longer, and who relies on that fails elsewhere.
 */
const PAGING_MS = 5 * 60_000;

async function startOf(
  runtime: VerbRuntime,
  prefix: string,
  { continueToken, resourceVersion, resourceVersionMatch, limit }: ListParameters,
  { clock, signal }: Pick<RequestContext, 'clock' | 'signal'>,
): Promise<Start> {
  if (continueToken !== '') {
    const token = decodeContinueToken(continueToken);
    if (resourceVersion !== '' && resourceVersion !== '0') {
      throw newBadRequest('specifying resource version is not allowed when using continue');
    }
    if (token.revision > runtime.store.revision)
      throw newTooLargeResourceVersion(token.revision, runtime.store.revision, 1);
    const { startKey, revision, begunAt } = token;
    if (revision < 0) return { startKey: prefix + startKey, revision: undefined, cached: false };
    if (begunAt !== undefined && clock.now() - begunAt > PAGING_MS)
      throw expiredContinue(encodeContinueToken({ revision: -1, startKey }));
    return { startKey: prefix + startKey, revision, cached: false, begunAt };
  }
  await waitForVersion(runtime, resourceVersion, signal);
  const revision = parseVersion(resourceVersion);
  const isExact =
    resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0 && revision > 0);
  return { startKey: prefix, revision: isExact ? revision : undefined, cached: resourceVersion !== '' };
}

async function readOne(
  runtime: VerbRuntime,
  key: string,
  { revision, cached }: Start,
  selection: Selection,
): Promise<Page> {
  const stored = await runtime.store.get(key, revision === undefined ? { cached } : { revision });
  const items = stored !== undefined && selection.matches(stored.object) ? [stored] : [];
  return {
    items,
    revision: revision ?? runtime.store.revision,
    continueToken: undefined,
    remaining: undefined,
  };
}

async function read(
  { store }: VerbRuntime,
  prefix: string,
  { startKey, revision, cached, limit }: Start & { readonly limit: number },
  parameters: ListParameters,
): Promise<StoredList> {
  try {
    return await store.list(prefix, { startKey, limit, cached, ...(revision !== undefined && { revision }) });
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    if (parameters.continueToken === '')
      throw newResourceExpired('The resourceVersion for the provided list is too old.');
    throw expiredContinue(encodeContinueToken({ revision: -1, startKey: startKey.slice(prefix.length) }));
  }
}

/** Tells the client how to go on without consistency, if it can do without. */
function expiredContinue(inconsistent: string): StatusError {
  const status = failureStatus(
    410,
    'Expired',
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  );
  return new StatusError({ ...status, metadata: { continue: inconsistent } });
}
