import type { ApiRequest } from '@windlass/apimachinery';

/** What a request asks of RBAC. */
export interface Access {
  /** Empty for the core group. */
  readonly group: string;
  /** With its subresource: `deployments/status`. */
  readonly resource: string;
  /** Undefined for all namespaces, and for what has none. */
  readonly namespace: string | undefined;
  /** Set where one object is asked for by a name that is known when the program is written. */
  readonly name?: string | undefined;
  readonly verbs: readonly string[];
}

const PATH = /^\/(?:api|apis\/([^/]+))\/[^/]+\/(.+)$/;
/** Subresources of namespaces; any other third part is a resource in one. */
const OF_NAMESPACES = new Set(['status', 'finalize']);

/** Kinds whose objects an operator knows by name, so that it need not have all of them. */
const KNOWN_BY_NAME = new Set([
  'admissionregistration.k8s.io/mutatingwebhookconfigurations',
  'admissionregistration.k8s.io/validatingwebhookconfigurations',
  'apiextensions.k8s.io/customresourcedefinitions',
]);
/** By which method of a transport it is sent. A stream is a request. */
export type RequestWay = 'request' | 'watch' | 'upgrade';

/** Undefined for what is no resource: discovery and its like, which everybody may read. */
export function accessOf(request: ApiRequest, way: RequestWay): Access | undefined {
  const match = PATH.exec(request.path);
  if (match === null) return undefined;
  const [, group = '', rest = ''] = match;
  const parts = rest.split('/').map(decodeURIComponent);
  const isInNamespace = parts[0] === 'namespaces' && parts.length > 2 && !OF_NAMESPACES.has(parts[2] ?? '');
  const namespace = isInNamespace ? parts[1] : undefined;
  const [resource = '', name, subresource] = isInNamespace ? parts.slice(2) : parts;
  const known = KNOWN_BY_NAME.has(`${group}/${resource}`) ? (name ?? selectedName(request)) : undefined;
  return {
    group,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    namespace,
    ...(known !== undefined && { name: known }),
    verbs: verbsOf(request, name !== undefined, way),
  };
}

/** A list or a watch of one object is allowed to whoever may have that object. */
function selectedName({ method, query = {} }: ApiRequest): string | undefined {
  const selector = method === 'GET' ? query['fieldSelector'] : undefined;
  return typeof selector === 'string' ? /^metadata\.name=([^,]+)$/.exec(selector)?.[1] : undefined;
}

function verbsOf({ method, headers = {} }: ApiRequest, isNamed: boolean, way: RequestWay): readonly string[] {
  // A WebSocket begins with a GET and SPDY with a POST, and newer servers ask for both rights.
  if (way === 'upgrade') return ['create', 'get'];
  switch (method) {
    case 'GET':
      if (way === 'watch') return ['watch'];
      return isNamed ? ['get'] : ['list'];
    case 'POST':
      return ['create'];
    case 'PUT':
      return ['update'];
    case 'PATCH':
      // What is applied and is not there is created, by whoever may create.
      return headers['content-type']?.startsWith('application/apply-patch') === true
        ? ['create', 'patch']
        : ['patch'];
    case 'DELETE':
      return isNamed ? ['delete'] : ['deletecollection'];
  }
}
