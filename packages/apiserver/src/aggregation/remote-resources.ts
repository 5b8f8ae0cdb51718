// What another server says it serves, in either form of discovery, checked.
import { fieldOf, isRecord } from '@windlass/base';

/** An entry of aggregated discovery. Only what this server reads is named; the rest is passed on as it came. */
export interface RemoteResource {
  readonly resource: string;
  readonly [field: string]: unknown;
}

/** Of aggregated discovery; undefined when the document is none, or does not have the group version. */
export function resourcesFromGroups(
  document: unknown,
  group: string,
  version: string,
): RemoteResource[] | undefined {
  if (fieldOf(document, 'kind') !== 'APIGroupDiscoveryList') return undefined;
  const found = recordsOf(fieldOf(document, 'items')).find(
    (item) => fieldOf(item['metadata'], 'name') === group,
  );
  const served = recordsOf(found?.['versions']).find((one) => one['version'] === version);
  if (served === undefined) return undefined;
  return recordsOf(served['resources']).flatMap((one) => {
    const { resource, responseKind, subresources } = one;
    if (typeof resource !== 'string') return [];
    // Older clients fail over a resource without a kind.
    const parts = recordsOf(subresources).map((part) => ({
      ...part,
      responseKind: part['responseKind'] ?? NO_KIND,
    }));
    return [
      {
        ...one,
        resource,
        responseKind: responseKind ?? NO_KIND,
        ...(parts.length > 0 && { subresources: parts }),
      },
    ];
  });
}

const NO_KIND = Object.freeze({ group: '', version: '', kind: '' });

/** Of an APIResourceList, in which parts of resources stand beside them. */
export function resourcesFromList(document: unknown, group: string, version: string): RemoteResource[] {
  const listed = recordsOf(fieldOf(document, 'resources'));
  const nameOf = (one: Json): string => (typeof one['name'] === 'string' ? one['name'] : '');
  const kindOf = (one: Json): object => ({
    group: one['group'] || group,
    version: one['version'] || version,
    kind: one['kind'] ?? '',
  });
  return listed
    .filter((one) => nameOf(one) !== '' && !nameOf(one).includes('/'))
    .map((one) => {
      const name = nameOf(one);
      const parts = listed
        .filter((part) => nameOf(part).startsWith(`${name}/`))
        .map((part) => ({
          subresource: nameOf(part).slice(name.length + 1),
          responseKind: kindOf(part),
          verbs: part['verbs'] ?? [],
        }));
      return {
        resource: name,
        responseKind: kindOf(one),
        scope: one['namespaced'] === true ? 'Namespaced' : 'Cluster',
        singularResource: one['singularName'] ?? '',
        verbs: one['verbs'] ?? [],
        ...(Array.isArray(one['shortNames']) && { shortNames: one['shortNames'] }),
        ...(Array.isArray(one['categories']) && { categories: one['categories'] }),
        ...(parts.length > 0 && { subresources: parts }),
      };
    });
}

type Json = Readonly<Record<string, unknown>>;

function recordsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
