import type { ServedGroup, ServedResource, ServedSubresource, ServedVersion } from '@windlass/apimachinery';
import type {
  AggregatedDiscovery,
  AggregatedResource,
  ApiGroupList,
  ApiResourceList,
  LegacyResource,
} from './discovery-documents.ts';

/** A version that is listed but could not be asked what it serves. */
export interface FailedGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly reason: string;
}

export interface DiscoveredGroups {
  readonly groups: readonly ServedGroup[];
  readonly failed: readonly FailedGroupVersion[];
}

export function parseAggregated(document: AggregatedDiscovery): DiscoveredGroups {
  const failed: FailedGroupVersion[] = [];
  const groups = (document.items ?? []).map((item): ServedGroup => {
    const group = item.metadata?.name ?? '';
    const versions: ServedVersion[] = [];
    for (const { version = '', freshness, resources } of item.versions ?? []) {
      // Stale: the server behind it did not answer, and what is listed is what it once said.
      if (freshness === 'Stale') failed.push({ group, version, reason: 'stale' });
      else versions.push({ version, resources: aggregatedResources(group, version, resources ?? []) });
    }
    return { group, versions };
  });
  return { groups, failed };
}

function aggregatedResources(
  group: string,
  version: string,
  resources: readonly AggregatedResource[],
): ServedResource[] {
  return resources.flatMap((resource) => {
    const kind = resource.responseKind?.kind ?? '';
    const plural = resource.resource ?? '';
    // Without a kind there is only a list of subresources of something that is served elsewhere.
    if (kind === '' || plural === '') return [];
    return {
      group,
      version,
      kind,
      plural,
      namespaced: resource.scope === 'Namespaced',
      singular: resource.singularResource ?? '',
      listKind: `${kind}List`,
      shortNames: resource.shortNames ?? [],
      categories: resource.categories ?? [],
      verbs: [...(resource.verbs ?? [])].sort(),
      subresources: (resource.subresources ?? []).map(
        (sub): ServedSubresource => ({
          name: sub.subresource ?? '',
          group: sub.responseKind?.group || group,
          version: sub.responseKind?.version || version,
          kind: sub.responseKind?.kind ?? '',
          verbs: [...(sub.verbs ?? [])].sort(),
        }),
      ),
    };
  });
}

/** Groups with their versions, the preferred one first, from the old form of `/apis`. */
export function parseGroupList(document: ApiGroupList): { group: string; versions: string[] }[] {
  return (document.groups ?? []).map(({ name = '', versions, preferredVersion }) => {
    const all = (versions ?? []).flatMap(({ version }) => version ?? []);
    const preferred = preferredVersion?.version;
    const rest = all.filter((version) => version !== preferred);
    return { group: name, versions: preferred === undefined ? rest : [preferred, ...rest] };
  });
}

export function parseResourceList(group: string, version: string, document: ApiResourceList): ServedVersion {
  const all = document.resources ?? [];
  const resources = all.flatMap((resource): ServedResource[] => {
    const { name = '', kind = '' } = resource;
    if (name === '' || name.includes('/')) return [];
    return [
      {
        group,
        version,
        kind,
        plural: name,
        namespaced: resource.namespaced === true,
        singular: resource.singularName || kind.toLowerCase(),
        listKind: `${kind}List`,
        shortNames: resource.shortNames ?? [],
        categories: resource.categories ?? [],
        verbs: [...(resource.verbs ?? [])].sort(),
        subresources: subresourcesOf(group, version, name, all),
        ...(resource.storageVersionHash === undefined
          ? {}
          : { storageVersionHash: resource.storageVersionHash }),
      },
    ];
  });
  return { version, resources };
}

function subresourcesOf(
  group: string,
  version: string,
  plural: string,
  all: readonly LegacyResource[],
): ServedSubresource[] {
  const prefix = `${plural}/`;
  return all.flatMap((resource): ServedSubresource[] => {
    const { name = '', kind = '' } = resource;
    if (!name.startsWith(prefix)) return [];
    return [
      {
        name: name.slice(prefix.length),
        group: resource.group || group,
        version: resource.version || version,
        kind,
        verbs: [...(resource.verbs ?? [])].sort(),
      },
    ];
  });
}
