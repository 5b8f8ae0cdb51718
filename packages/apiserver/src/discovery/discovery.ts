import { builtinResources } from '@windlass/apimachinery';
import type { ServerResponse } from '../exchange/exchange.ts';
import type { PathHandler } from '../exchange/path-handler.ts';
import type { Catalog } from '../resource/catalog.ts';
import { compareVersions } from '../resource/compare-versions.ts';
import type { ResourceDefinition } from '../resource/definition.ts';

interface GroupVersions {
  readonly group: string;
  /** The preferred one first. */
  readonly versions: Map<string, ResourceDefinition[]>;
}

/** What is served, as clients ask for it: all in one document, or a group version at a time. */
export function discoveryPaths(catalog: Catalog): PathHandler {
  let generation = -1;
  let groups: readonly GroupVersions[] = [];
  const current = (): readonly GroupVersions[] => {
    if (generation !== catalog.generation) {
      groups = groupsOf(catalog);
      generation = catalog.generation;
    }
    return groups;
  };
  return (request) => {
    if (request.method !== 'GET') return undefined;
    const [root, group, version, ...rest] = request.path.split('/').filter((segment) => segment !== '');
    if (rest.length > 0) return undefined;
    const isAggregated = (request.headers?.['accept'] ?? '').includes('APIGroupDiscoveryList');
    if (root === 'api') {
      if (group === undefined)
        return isAggregated ? aggregated(current().filter((one) => one.group === '')) : coreVersions();
      return version === undefined ? resources(current(), '', group) : undefined;
    }
    if (root !== 'apis') return undefined;
    const named = current().filter((one) => one.group !== '');
    if (group === undefined) return isAggregated ? aggregated(named) : groupList(named);
    const found = named.find((one) => one.group === group);
    if (found === undefined) return undefined;
    return version === undefined ? object(groupOf(found, true)) : resources(named, group, version);
  };
}

function object(value: object): ServerResponse {
  return { type: 'object', status: 200, object: value, headers: { vary: 'Accept' } };
}

function coreVersions(): ServerResponse {
  return object({ kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] });
}

function groupList(groups: readonly GroupVersions[]): ServerResponse {
  return object({
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.map((group) => groupOf(group, false)),
  });
}

function groupOf({ group, versions }: GroupVersions, isAlone: boolean): object {
  const listed = [...versions.keys()].map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return {
    ...(isAlone && { kind: 'APIGroup', apiVersion: 'v1' }),
    name: group,
    versions: listed,
    preferredVersion: listed[0],
  };
}

function resources(
  groups: readonly GroupVersions[],
  group: string,
  version: string,
): ServerResponse | undefined {
  const definitions = groups.find((one) => one.group === group)?.versions.get(version);
  if (definitions === undefined) return undefined;
  const listed = definitions.flatMap((definition) => [resourceOf(definition), ...subresourcesOf(definition)]);
  return object({
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources: listed,
  });
}

function resourceOf({
  plural,
  singular,
  namespaced,
  kind,
  verbs,
  shortNames,
  categories,
  storageVersionHash,
}: ResourceDefinition): object {
  return {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(storageVersionHash !== undefined && { storageVersionHash }),
  };
}

function subresourcesOf({ plural, namespaced, subresources, group, version }: ResourceDefinition): object[] {
  return [...subresources.values()].map(({ name, verbs, kind }) => ({
    name: `${plural}/${name}`,
    singularName: '',
    namespaced,
    ...((kind.group !== group || kind.version !== version) && { group: kind.group, version: kind.version }),
    kind: kind.kind,
    verbs,
  }));
}

function aggregated(groups: readonly GroupVersions[]): ServerResponse {
  const items = groups.map(({ group, versions }) => ({
    metadata: { ...(group !== '' && { name: group }), creationTimestamp: null },
    versions: [...versions].map(([version, definitions]) => ({
      version,
      freshness: 'Current',
      resources: definitions.map(aggregatedResource),
    })),
  }));
  return object({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items });
}

function aggregatedResource(definition: ResourceDefinition): object {
  const { plural, singular, namespaced, group, version, kind, verbs, shortNames, categories, subresources } =
    definition;
  return {
    resource: plural,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.size > 0 && {
      subresources: [...subresources.values()].map((subresource) => ({
        subresource: subresource.name,
        responseKind: subresource.kind,
        verbs: subresource.verbs,
      })),
    }),
  };
}

/** Built-in groups in Kubernetes' order, then those of custom resources by name. */
function groupsOf(catalog: Catalog): GroupVersions[] {
  const byGroup = new Map<string, Map<string, ResourceDefinition[]>>();
  for (const definition of catalog.all()) {
    const versions = byGroup.get(definition.group) ?? new Map<string, ResourceDefinition[]>();
    byGroup.set(definition.group, versions);
    const definitions = versions.get(definition.version) ?? [];
    versions.set(definition.version, definitions);
    definitions.push(definition);
  }
  const order = new Map(builtinResources().groups.map(({ group }, index) => [group, index]));
  const place = (group: string): number => order.get(group) ?? order.size;
  return [...byGroup]
    .map(([group, versions]) => ({
      group,
      versions: new Map([...versions].toSorted(([a], [b]) => compareVersions(a, b))),
    }))
    .toSorted((a, b) => place(a.group) - place(b.group) || (a.group < b.group ? -1 : 1));
}
