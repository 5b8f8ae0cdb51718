import type { ApiRequest } from '@windlass/apimachinery';

/** The path with its query, encoded, as it goes into the request line. */
export function requestTarget(prefix: string, request: ApiRequest): string {
  const { query } = request;
  let target = `${prefix}${request.path}`;
  if (query === undefined) return target;
  let separator = '?';
  const add = (name: string, value: string): void => {
    target += `${separator}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    separator = '&';
  };
  for (const name of Object.keys(query)) {
    const value = query[name];
    if (value === undefined) continue;
    if (typeof value === 'string') add(name, value);
    else for (const item of value) add(name, item);
  }
  return target;
}
