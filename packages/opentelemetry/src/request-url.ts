import type { ApiRequest } from '@windlass/apimachinery';

/** The absolute URL of a request, with its query. */
export function requestUrl(server: string, { path, query = {} }: ApiRequest): string {
  const search = new URLSearchParams();
  for (const [name, values] of Object.entries(query))
    for (const value of [values ?? []].flat()) search.append(name, value);
  return search.size === 0 ? `${server}${path}` : `${server}${path}?${search.toString()}`;
}
