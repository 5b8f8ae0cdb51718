import type { RequestInfo } from '../request/request-info.ts';

/**
 * What follows a subresource in a path, as it was sent: with its slashes and escapes. Empty when nothing follows.
 */
export function pathAfter(
  path: string,
  { group, namespace }: Pick<RequestInfo, 'group' | 'namespace'>,
): string {
  // `api`, version; or `apis`, group, version. Then perhaps `namespaces`, name. Then resource, name, subresource.
  let segments = (group === '' ? 2 : 3) + (namespace === '' ? 0 : 2) + 3;
  let at = 0;
  for (; segments > 0; segments--) {
    while (path[at] === '/') at++;
    const slash = path.indexOf('/', at);
    if (slash === -1) return '';
    at = slash;
  }
  return path.slice(at);
}
