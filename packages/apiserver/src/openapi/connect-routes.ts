import { builtinDescriptions } from '@windlass/apimachinery';
import type { ResourceDefinition, SubresourceDefinition } from '../resource/definition.ts';
import type { Method } from './openapi-types.ts';
import { capital, type Route } from './route.ts';

const STREAM_METHODS: readonly Method[] = ['get', 'post'];
/** What is behind a proxy may speak them all. */
const PROXY_METHODS: readonly Method[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/** The connections to a pod, a service or a node. What goes through them is nobody's kind. */
export function connectRoutes(
  definition: ResourceDefinition,
  { name, kind, form }: SubresourceDefinition,
  path: string,
): Route[] {
  const operation = `${definition.namespaced ? 'Namespaced' : ''}${definition.kind}${capital(name)}`;
  const takesPath = form.type === 'connect' && form.takesPath;
  const route = (method: Method): Route => ({
    path,
    method,
    action: 'connect',
    operation: `connect${capital(method)}${operation}`,
    description: `connect ${method.toUpperCase()} requests to ${name} of ${definition.kind}`,
    kind: { group: kind.group, version: kind.version, kind: kind.kind },
    nameOf: kind.kind,
    query: [],
    ownQuery: builtinDescriptions().connection(`${definition.plural}/${name}`),
    answer: { schema: '', statuses: [200] },
    types: ['*/*'],
  });
  if (!takesPath) return STREAM_METHODS.map(route);
  return PROXY_METHODS.map(route).flatMap((one) => [
    one,
    { ...one, path: `${path}/{path}`, operation: `${one.operation}WithPath` },
  ]);
}
