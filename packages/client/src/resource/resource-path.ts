import type { ResourceType } from '@windlass/apimachinery';

type PathParts = Pick<ResourceType, 'group' | 'version' | 'plural'>;

/** `/apis/apps/v1/namespaces/web/deployments`; without a namespace, of all or of none. */
export function collectionPath(type: PathParts, namespace: string | undefined): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  return namespace === undefined
    ? `${root}/${type.plural}`
    : `${root}/namespaces/${encodeURIComponent(namespace)}/${type.plural}`;
}

export function objectPath(
  type: PathParts,
  namespace: string | undefined,
  name: string,
  subresource?: string,
): string {
  const path = `${collectionPath(type, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}
