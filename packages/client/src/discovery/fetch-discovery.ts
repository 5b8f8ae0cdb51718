import type { ApiResponse, ServedGroup, ServedVersion } from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import type { ApiCaller } from '../policy/api-caller.ts';
import type { ApiResourceList, ApiVersions } from './discovery-documents.ts';
import { DISCOVERY_ACCEPT, isAggregated } from './discovery-documents.ts';
import {
  type DiscoveredGroups,
  type FailedGroupVersion,
  parseAggregated,
  parseGroupList,
  parseResourceList,
} from './parse-discovery.ts';

/** How many of the old form's many documents are asked for at once. */
const PARALLEL = 8;

/** The two documents that a server's discovery starts from. */
export type DiscoveryRoot = '/api' | '/apis';

/** An answer that can be asked for again by its tag: unchanged, it costs the server and us nothing. */
export interface TaggedGroups extends DiscoveredGroups {
  readonly etag: string | undefined;
}

/** What stands under one root: in one document where the server can, in many where it cannot. */
export async function fetchRoot(
  caller: ApiCaller,
  root: DiscoveryRoot,
  known: TaggedGroups | undefined,
  signal: AbortSignal | undefined,
): Promise<TaggedGroups> {
  const response = await get(caller, root, signal, {
    accept: DISCOVERY_ACCEPT,
    ...(known?.etag === undefined ? {} : { 'if-none-match': known.etag }),
  });
  if (response.status === 304 && known !== undefined) return known;
  if (isAggregated(response)) {
    return {
      ...parseAggregated(documentIn(response)),
      etag: response.headers['etag'],
    };
  }
  const groups =
    root === '/api'
      ? // Of what kind the document is, its path says; all of its fields may be missing.
        [{ group: '', versions: [...((documentIn(response) as ApiVersions).versions ?? [])] }]
      : parseGroupList(documentIn(response));
  return { ...(await fetchLegacy(caller, groups, signal)), etag: undefined };
}

/** A group version that does not answer is named and left out; it must not hide all others. */
async function fetchLegacy(
  caller: ApiCaller,
  groups: readonly { readonly group: string; readonly versions: readonly string[] }[],
  signal: AbortSignal | undefined,
): Promise<DiscoveredGroups> {
  const wanted = groups.flatMap(({ group, versions }) => versions.map((version) => ({ group, version })));
  const fetched = new Map<string, ServedVersion>();
  const failed: FailedGroupVersion[] = [];
  const queue = wanted.values();
  const work = async (): Promise<void> => {
    for (const { group, version } of queue) {
      const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      try {
        // Of what kind the document is, its path says; all of its fields may be missing.
        const document = documentIn(await get(caller, path, signal, {})) as ApiResourceList;
        fetched.set(`${group}/${version}`, parseResourceList(group, version, document));
      } catch (error) {
        if (signal?.aborted === true) throw error;
        failed.push({ group, version, reason: toError(error).message });
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  const served = groups.map(
    ({ group, versions }): ServedGroup => ({
      group,
      versions: versions.flatMap((version) => fetched.get(`${group}/${version}`) ?? []),
    }),
  );
  return { groups: served, failed };
}

function get(
  caller: ApiCaller,
  path: string,
  signal: AbortSignal | undefined,
  headers: Record<string, string>,
): Promise<ApiResponse> {
  const request = { method: 'GET' as const, path, headers: { 'accept-encoding': 'gzip', ...headers } };
  return caller.call(request, { method: 'GET' }, signal === undefined ? {} : { signal }, [304]);
}

/**
 * The documents' types have only optional fields, so any object may be taken for one of them; what is no
 * object is as good as an empty one.
 */
function documentIn(response: ApiResponse): object {
  const value = response.body;
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array) ? value : {};
}
