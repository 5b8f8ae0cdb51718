import type { ApiRequest } from '@windlass/apimachinery';

/** What a request over HTTP is about. */
export interface RequestTarget extends Pick<ApiRequest, 'path'> {
  /** `GET` for everything that writes nothing, also a review, which is posted. */
  readonly method: ApiRequest['method'];
  readonly isWatch: boolean;
}

/** Reviews are posted, and nothing is stored. */
const REVIEWS = /\/(tokenreviews|(self|local)?subject(access|rules)reviews|selfsubjectreviews)$/;
const WRITES: ReadonlySet<string> = new Set<ApiRequest['method']>(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Reads the first line of a request. */
export function requestTarget(method: string, url: string): RequestTarget {
  const { pathname, searchParams } = new URL(url, 'https://server');
  const isWrite = WRITES.has(method) && !REVIEWS.test(pathname) && !searchParams.has('dryRun');
  const watch = searchParams.get('watch');
  return {
    // It is one of the four.
    method: isWrite ? (method as ApiRequest['method']) : 'GET',
    path: pathname,
    isWatch: (watch !== null && watch !== 'false' && watch !== '0') || /^\/apis?\/.*\/watch\//.test(pathname),
  };
}

const PATH =
  /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/(?:namespaces\/(?<namespace>[^/]+)\/)?(?<plural>[^/]+)(?:\/(?<name>[^/]+))?/;
const NAMESPACE = /^\/api\/v1\/namespaces(?:\/(?<name>[^/]+))?(?:\/(?:status|finalize))?$/;

/** A write, as far as one can tell from its first line. */
export type Write = Pick<ApiRequest, 'method' | 'path'>;

/**
 * Whether a write may be what changed a key of the store (`/apps/deployments/default/web`).
 * @param isNew whether the key was not there before
 */
export function mayChange({ method, path }: Write, key: string, isNew: boolean): boolean {
  const namespace = NAMESPACE.exec(path);
  const { plural, name, ...rest } = (namespace ?? PATH.exec(path))?.groups ?? {};
  const [, , keyPlural, ...names] = key.split('/');
  if (keyPlural !== (namespace === null ? plural : 'namespaces')) return false;
  const { namespace: within } = rest;
  if (within !== undefined && names[0] !== within) return false;
  if (name !== undefined) return decodeURIComponent(name) === names.at(-1);
  // What is sent to a whole collection creates one, or deletes them all.
  return isNew === (method === 'POST');
}
