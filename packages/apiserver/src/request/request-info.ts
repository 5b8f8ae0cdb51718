import type { ApiRequest } from '@windlass/apimachinery';

/** What a request asks for, read off its method and URL alone. */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  /** For resources one of the API's verbs; for other paths the lower-case method. */
  readonly verb: string;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty for a collection. */
  readonly name: string;
  /** What is left of the path after the subresource. */
  readonly rest: readonly string[];
}

const VERBS = { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;
/** Under `/namespaces/NAME/` these are parts of the namespace, not resources in it. */
const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['status', 'finalize']);

export function requestInfoOf(request: Pick<ApiRequest, 'method' | 'path' | 'query'>): RequestInfo {
  const segments = splitPath(request.path);
  const nonResource = (): RequestInfo => ({
    isResourceRequest: false,
    verb: request.method.toLowerCase(),
    path: request.path,
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    rest: [],
  });
  const prefix = segments[0];
  const head = prefix === 'api' ? 2 : prefix === 'apis' ? 3 : 0;
  if (head === 0 || segments.length <= head) return nonResource();
  const group = prefix === 'api' ? '' : (segments[1] ?? '');
  const version = segments[head - 1] ?? '';
  let parts = segments.slice(head);
  let verb: string = VERBS[request.method];
  // The old form of a watch: the verb is part of the path.
  if (parts[0] === 'watch') {
    parts = parts.slice(1);
    verb = 'watch';
    if (parts.length === 0) return nonResource();
  }
  let namespace = '';
  if (parts[0] === 'namespaces' && parts.length > 1) {
    namespace = parts[1] ?? '';
    if (parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2] ?? '')) parts = parts.slice(2);
  }
  const [resource = '', name = '', subresource = '', ...rest] = parts;
  return {
    isResourceRequest: true,
    verb: collectionVerb(verb, name, request),
    path: request.path,
    group,
    version,
    namespace: resource === 'namespaces' ? '' : namespace,
    resource,
    subresource,
    name: name === '' ? nameInSelector(verb, request) : name,
    rest,
  };
}

function collectionVerb(verb: string, name: string, request: Pick<ApiRequest, 'query'>): string {
  if (name !== '') return verb;
  if (verb === 'get') return isTrue(request.query?.['watch']) ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

/** A list of one name is authorised as that name. */
function nameInSelector(verb: string, request: Pick<ApiRequest, 'query'>): string {
  const selector = request.query?.['fieldSelector'];
  if ((verb !== 'get' && verb !== 'watch') || typeof selector !== 'string') return '';
  return /^metadata\.name==?([^,=\\]+)$/.exec(selector)?.[1] ?? '';
}

function isTrue(value: string | readonly string[] | undefined): boolean {
  return value === 'true' || value === '1';
}

function splitPath(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decode);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
