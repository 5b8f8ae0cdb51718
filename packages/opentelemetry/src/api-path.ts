/** What the path of a request to the API server names. */
export interface ApiPath {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** `status`, `scale`. */
  readonly subresource: string | undefined;
}

/**
 * Reads `/api/VERSION/…` and `/apis/GROUP/VERSION/…`.
 * @param resource the plural that the request is about: only with it can a namespace be told from a subresource
 */
export function parseApiPath(path: string, resource: string): ApiPath {
  const steps = path.split('/').map(decodeURIComponent);
  let rest = steps.slice(steps[1] === 'api' ? 3 : 4);
  let namespace: string | undefined;
  if (rest[0] === 'namespaces' && resource !== 'namespaces') {
    namespace = rest[1];
    rest = rest.slice(2);
  }
  return { namespace, name: rest[1], subresource: rest[2] };
}
