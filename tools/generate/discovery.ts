// What the server serves: groups in their order, versions with the preferred one first, and resources
// with their names, verbs and subresources.
import { byCodeUnit, readJson } from './files.ts';

interface LegacyResource {
  readonly name: string;
  readonly kind: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly group?: string;
  readonly version?: string;
  readonly storageVersionHash?: string;
}

interface AggregatedGroup {
  readonly metadata: { readonly name: string };
  readonly versions: readonly {
    readonly version: string;
    readonly resources: readonly { readonly resource: string }[];
  }[];
}

/** Exactly what the registry reads back. Empty lists are left out. */
interface ResourceFacts {
  readonly name: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
  /** What the server warns of whenever it is asked for. */
  readonly deprecation?: string;
  readonly subresources?: readonly SubresourceFacts[];
}

interface SubresourceFacts {
  readonly name: string;
  readonly kind: string;
  /** Present when the kind is of another group version. */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

export interface GroupFacts {
  readonly group: string;
  readonly versions: readonly { readonly version: string; readonly resources: readonly ResourceFacts[] }[];
}

export function readGroups(kubernetes: string): GroupFacts[] {
  const directory = `${kubernetes}/api/discovery`;
  const legacy = (name: string): LegacyResource[] =>
    (readJson(`${directory}/${name}.json`) as { resources: LegacyResource[] }).resources;
  const { items } = readJson(`${directory}/aggregated_v2.json`) as { items: AggregatedGroup[] };
  const core = { group: '', versions: [{ version: 'v1', resources: resourceFacts(legacy('api__v1')) }] };
  const named = items.map((item) => ({
    group: item.metadata.name,
    versions: item.versions.map(({ version, resources }) => {
      const facts = resourceFacts(legacy(`apis__${item.metadata.name}__${version}`));
      const names = (list: readonly string[]): string => [...list].sort(byCodeUnit).join();
      if (names(facts.map((fact) => fact.name)) !== names(resources.map((resource) => resource.resource)))
        throw new Error(`the two discovery documents of ${item.metadata.name}/${version} disagree`);
      return { version, resources: facts };
    }),
  }));
  return [core, ...named];
}

export function resourceFacts(resources: readonly LegacyResource[]): ResourceFacts[] {
  return resources
    .filter((resource) => !resource.name.includes('/'))
    .map((resource) => {
      const prefix = `${resource.name}/`;
      const subresources = resources
        .filter((other) => other.name.startsWith(prefix))
        .map((other) => ({
          name: other.name.slice(prefix.length),
          kind: other.kind,
          ...(other.group === undefined ? {} : { group: other.group }),
          ...(other.version === undefined ? {} : { version: other.version }),
          verbs: other.verbs,
        }));
      const { name, kind, singularName, namespaced, verbs, shortNames, categories } = resource;
      return {
        name,
        kind,
        singular: singularName,
        namespaced,
        verbs,
        ...(shortNames === undefined ? {} : { shortNames }),
        ...(categories === undefined ? {} : { categories }),
        ...(resource.storageVersionHash === undefined
          ? {}
          : { storageVersionHash: resource.storageVersionHash }),
        ...(subresources.length === 0 ? {} : { subresources }),
      };
    });
}

/** @param warningsOf by kind, of a group version: `apps/v1` */
export function withDeprecations(
  groups: readonly GroupFacts[],
  warningsOf: (groupVersion: string) => ReadonlyMap<string, string>,
): GroupFacts[] {
  return groups.map(({ group, versions }) => ({
    group,
    versions: versions.map(({ version, resources }) => {
      const warnings = warningsOf(group === '' ? version : `${group}/${version}`);
      return {
        version,
        resources: resources.map((resource) => {
          const deprecation = warnings.get(resource.kind);
          return deprecation === undefined ? resource : { ...resource, deprecation };
        }),
      };
    }),
  }));
}
