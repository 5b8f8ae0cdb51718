import { readTable } from '../registry-tables.ts';
import { ResourceRegistry, type ServedResource } from './registry.ts';

/** A resource as the table has it: empty lists and what follows from the rest are left out. */
interface ResourceFacts {
  readonly name: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
  readonly deprecation?: string;
  readonly subresources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly group?: string;
    readonly version?: string;
    readonly verbs: readonly string[];
  }[];
}

let builtin: { readonly registry: ResourceRegistry; readonly release: string } | undefined;

function load(): { readonly registry: ResourceRegistry; readonly release: string } {
  // The generator wrote the table and the tests hold it to this shape.
  const { release, ...groups } = readTable('resources') as { release: string } & {
    [group: string]: readonly { version: string; resources: readonly ResourceFacts[] }[];
  };
  const served = Object.entries(groups).map(([group, versions]) => ({
    group,
    versions: versions.map(({ version, resources }) => ({
      version,
      resources: resources.map((facts) => toResource(group, version, facts)),
    })),
  }));
  return { registry: new ResourceRegistry(served), release };
}

function toResource(group: string, version: string, facts: ResourceFacts): ServedResource {
  return {
    group,
    version,
    kind: facts.kind,
    plural: facts.name,
    namespaced: facts.namespaced,
    singular: facts.singular,
    listKind: `${facts.kind}List`,
    shortNames: facts.shortNames ?? [],
    categories: facts.categories ?? [],
    verbs: facts.verbs,
    subresources: (facts.subresources ?? []).map((sub) => ({
      name: sub.name,
      group: sub.group ?? group,
      version: sub.version ?? version,
      kind: sub.kind,
      verbs: sub.verbs,
    })),
    ...(facts.storageVersionHash === undefined ? {} : { storageVersionHash: facts.storageVersionHash }),
    ...(facts.deprecation === undefined ? {} : { deprecation: facts.deprecation }),
  };
}

/**
 * Every resource of the Kubernetes release that the tables were generated from, alpha and beta versions
 * included. Read from disk at the first call.
 */
export function builtinResources(): ResourceRegistry {
  builtin ??= load();
  return builtin.registry;
}

/** The release that the tables were generated from: `v1.36.3`. */
export function kubernetesRelease(): string {
  builtin ??= load();
  return builtin.release;
}
