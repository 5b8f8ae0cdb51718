import { failureStatus, StatusError } from '@windlass/apimachinery';
import type { ServerRequest } from '../exchange/exchange.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { ResourceDefinition } from '../resource/definition.ts';

/** @throws StatusError 404 when there is no such path, 405 when there is but not for this method */
export function checkServed(
  { method }: Pick<ServerRequest, 'method'>,
  info: RequestInfo,
  definition: ResourceDefinition,
): void {
  if (!isPathServed(info, definition)) throw notServed();
  const { verbs } = definition.subresources.get(info.subresource) ?? definition;
  const isCollectionWrite = !info.isNameInPath && (info.verb === 'update' || info.verb === 'patch');
  const isOddWatch = info.isWatchPath && method !== 'GET';
  if (isCollectionWrite || isOddWatch || !verbs.some((verb) => verb === info.verb)) throw notAllowed();
}

/** Whether there is such a path at all. A namespaced object is reached by its namespace only. */
function isPathServed(info: RequestInfo, definition: ResourceDefinition): boolean {
  const subresource = definition.subresources.get(info.subresource);
  if (info.subresource !== '' && subresource === undefined) return false;
  const takesPath = subresource?.form.type === 'connect' && subresource.form.takesPath;
  if (info.rest.length > 0 && !takesPath) return false;
  if (!definition.namespaced) return info.namespace === '';
  return info.namespace !== '' || (!info.isNameInPath && info.verb !== 'create');
}

/** The path is there, but not for this method. */
export function notAllowed(): StatusError {
  return new StatusError(
    failureStatus(
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
      {},
    ),
  );
}

export function notServed(): StatusError {
  return new StatusError(
    failureStatus(404, 'NotFound', 'the server could not find the requested resource', {}),
  );
}
