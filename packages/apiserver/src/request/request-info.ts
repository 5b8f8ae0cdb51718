import { type ApiRequest, FieldSelector } from '@windlass/apimachinery';
import { booleanOf, first } from './query-values.ts';

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
  /**
   * The one object that is meant; empty for a collection. A list or watch whose field selector names one object is
   * authorised for that name, and so must serve that name only.
   */
  readonly name: string;
  /** True when the path itself names the object, false when a field selector does. */
  readonly isNameInPath: boolean;
  /** True for the old form `/watch/...`, which is served for GET alone. */
  readonly isWatchPath: boolean;
  /**
   * What a list, a watch or the deletion of a collection selects by fields, and is served; undefined when it selects everything. The old form of a watch
   * has none: it does not select by fields in all its forms.
   */
  readonly fieldSelector: FieldSelector | undefined;
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
    isNameInPath: false,
    isWatchPath: false,
    fieldSelector: undefined,
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
  const isWatchPath = parts[0] === 'watch';
  if (isWatchPath) {
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
  const isCollection = name === '' && (verb === 'get' || verb === 'delete');
  const fieldSelector = isCollection ? fieldSelectorOf(request) : undefined;
  return {
    isResourceRequest: true,
    verb: collectionVerb(verb, name, request),
    path: request.path,
    group,
    version,
    namespace: resource === 'namespaces' ? '' : namespace,
    resource,
    subresource,
    // The deletion of a collection is authorised for all names, whatever it selects.
    name: name === '' && verb === 'get' ? nameIn(fieldSelector) : name,
    isNameInPath: name !== '',
    isWatchPath,
    fieldSelector,
    rest,
  };
}

function collectionVerb(verb: string, name: string, request: Pick<ApiRequest, 'query'>): string {
  if (name !== '') return verb;
  if (verb === 'get') return booleanOf(request.query ?? {}, 'watch') === true ? 'watch' : 'list';
  return verb === 'delete' ? 'deletecollection' : verb;
}

function fieldSelectorOf(request: Pick<ApiRequest, 'query'>): FieldSelector | undefined {
  const text = first(request.query?.['fieldSelector']) ?? '';
  if (text === '') return undefined;
  try {
    return FieldSelector.parse(text);
  } catch {
    // The list itself refuses the selector, with a message.
    return undefined;
  }
}

/** A list or watch that selects one name is authorised as that name. */
function nameIn(selector: FieldSelector | undefined): string {
  const name = selector?.requiredValue('metadata.name') ?? '';
  return isPathSegment(name) ? name : '';
}

/** What no path could name is not a name to be authorised for. */
function isPathSegment(name: string): boolean {
  return name !== '.' && name !== '..' && !/[/%]/.test(name);
}

/** The path is decoded before it is split, so that an escaped slash separates as a plain one does. */
function splitPath(path: string): string[] {
  return decode(path)
    .split('/')
    .filter((segment) => segment !== '');
}

function decode(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
