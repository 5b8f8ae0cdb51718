import type { ResourceType } from '../resource.ts';
import type { GroupVersionKind } from './schema.ts';

/** A resource with everything that discovery says about it. */
export interface ServedResource extends ResourceType {
  /** The lower-case singular: `deployment`. */
  readonly singular: string;
  /** `DeploymentList`. */
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Sorted: `create`, `delete`, `deletecollection`, `get`, … */
  readonly verbs: readonly string[];
  readonly subresources: readonly ServedSubresource[];
  /** Names the encoding in which the server stores the resource. Absent where nothing is stored. */
  readonly storageVersionHash?: string;
  /** What a server warns of whenever the resource is asked for. Absent where it is not deprecated. */
  readonly deprecation?: string;
}

/** The kind is what the subresource takes and answers: `deployments/scale` is autoscaling/v1 Scale. */
export interface ServedSubresource extends GroupVersionKind {
  readonly name: string;
  readonly verbs: readonly string[];
}

/** A group of the built-in API. */
export interface ServedGroup {
  /** Empty for the core group. */
  readonly group: string;
  /** The preferred version comes first. */
  readonly versions: readonly ServedVersion[];
}

/** A version of a group, with what it serves. */
export interface ServedVersion {
  readonly version: string;
  readonly resources: readonly ServedResource[];
}

/**
 * Finds resources by any of the names that people and programs give them. Immutable. Built-in and
 * discovered resources have the same form, so one registry serves both.
 */
export class ResourceRegistry {
  /** In the order in which the server lists them, core first. */
  readonly groups: readonly ServedGroup[];
  readonly resources: readonly ServedResource[];
  readonly #byKind = new Map<string, ServedResource>();
  readonly #byPlural = new Map<string, ServedResource>();
  readonly #byName = new Map<string, ServedResource[]>();

  constructor(groups: readonly ServedGroup[]) {
    this.groups = groups;
    this.resources = groups.flatMap((group) => group.versions.flatMap((version) => version.resources));
    for (const resource of this.resources) {
      this.#byKind.set(keyOf(resource, resource.kind), resource);
      this.#byPlural.set(keyOf(resource, resource.plural), resource);
      const names = [resource.plural, resource.singular, resource.kind.toLowerCase(), ...resource.shortNames];
      for (const name of new Set(names)) {
        const before = this.#byName.get(name);
        if (before === undefined) this.#byName.set(name, [resource]);
        else before.push(resource);
      }
    }
  }

  byKind(kind: GroupVersionKind): ServedResource | undefined {
    return this.#byKind.get(keyOf(kind, kind.kind));
  }

  byPlural(resource: {
    readonly group: string;
    readonly version: string;
    readonly plural: string;
  }): ServedResource | undefined {
    return this.#byPlural.get(keyOf(resource, resource.plural));
  }

  /**
   * Every resource that a person may mean by a name: plural, singular, kind or short name, in any case,
   * alone or followed by `.group` or `.version.group` (`deploy`, `events.events.k8s.io`,
   * `deployments.v1.apps`). The one that kubectl would take comes first: groups in their order, and of
   * each group the preferred version. Empty when nothing has the name.
   */
  named(name: string): readonly ServedResource[] {
    const lower = name.toLowerCase();
    const dot = lower.indexOf('.');
    if (dot === -1) return this.#byName.get(lower) ?? [];
    const found = this.#byName.get(lower.slice(0, dot)) ?? [];
    const rest = lower.slice(dot + 1);
    return found.filter(({ group, version }) => group === rest || `${version}.${group}` === rest);
  }

  /** The resources that `kubectl get CATEGORY` shows, of each group in its preferred version. */
  inCategory(category: string): readonly ServedResource[] {
    return this.groups.flatMap(
      ({ versions: [preferred] }) =>
        preferred?.resources.filter(({ categories }) => categories.includes(category)) ?? [],
    );
  }
}

function keyOf(of: { readonly group: string; readonly version: string }, name: string): string {
  return `${of.group}/${of.version}/${name}`;
}
