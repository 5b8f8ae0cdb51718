// Where the page is, as the part of its address behind the #, so that a link can be shared.

export type Route =
  | { readonly page: 'loop' | 'cluster' | 'storage' | 'try' }
  /** `resource` begins with a capital where it is a kind: `pods`, `deployments.apps`, `DirectPVDrive`. */
  | { readonly page: 'object'; readonly resource: string; readonly key: string }
  | { readonly page: 'key'; readonly controller: string; readonly key: string };

export function parseRoute(hash: string): Route {
  const [page = '', name = '', ...rest] = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decode);
  const key = rest.join('/');
  switch (page) {
    case 'cluster':
    case 'storage':
    case 'try':
      return { page };
    case 'object':
      return name === '' || key === '' ? { page: 'cluster' } : { page, resource: name, key };
    case 'key':
      return name === '' || key === '' ? { page: 'loop' } : { page, controller: name, key };
    default:
      return { page: 'loop' };
  }
}

export function objectLink(resource: string, key: string): string {
  return `#/object/${encodeURIComponent(resource)}/${encodeKey(key)}`;
}

export function keyLink(controller: string, key: string): string {
  return `#/key/${encodeURIComponent(controller)}/${encodeKey(key)}`;
}

/** Slashes stay as they are: a link to a pod reads like its key. */
function encodeKey(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/');
}

/** A link that somebody cut or typed is no reason to fail. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Whether a key of the address names a kind (`Deployment`) and not a resource (`deployments.apps`). */
export function isKind(resource: string): boolean {
  return /^[A-Z]/.test(resource);
}
