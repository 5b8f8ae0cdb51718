import type { ResourceDefinition } from './definition.ts';

/**
 * Everything that is served now. It changes while the server runs, when custom resource definitions come
 * and go; discovery and OpenAPI follow it.
 */
export class Catalog {
  readonly #byPath = new Map<string, ResourceDefinition>();
  readonly #listeners = new Set<() => void>();
  #generation = 0;

  /** Grows with every change: a cheap way to know whether something derived from it is still true. */
  get generation(): number {
    return this.#generation;
  }

  find(group: string, version: string, plural: string): ResourceDefinition | undefined {
    return this.#byPath.get(pathOf(group, version, plural));
  }

  /** The version of a resource in which it is stored, or any that is served. */
  findResource(group: string, plural: string): ResourceDefinition | undefined {
    let found: ResourceDefinition | undefined;
    for (const definition of this.#byPath.values()) {
      if (definition.group !== group || definition.plural !== plural) continue;
      if (definition.version === definition.storage.version) return definition;
      found ??= definition;
    }
    return found;
  }

  findKind(group: string, version: string, kind: string): ResourceDefinition | undefined {
    for (const definition of this.#byPath.values()) {
      if (definition.kind === kind && definition.group === group && definition.version === version)
        return definition;
    }
    return undefined;
  }

  hasGroupVersion(group: string, version: string): boolean {
    for (const definition of this.#byPath.values()) {
      if (definition.group === group && definition.version === version) return true;
    }
    return false;
  }

  /** In the order in which they were added. */
  all(): IterableIterator<ResourceDefinition> {
    return this.#byPath.values();
  }

  /** Adds, or replaces those of the same group, version and name; all at once. */
  add(definitions: readonly ResourceDefinition[]): void {
    for (const definition of definitions)
      this.#byPath.set(pathOf(definition.group, definition.version, definition.plural), definition);
    this.#changed();
  }

  /** Takes out every version of the resource. */
  remove(group: string, plural: string): void {
    for (const [path, definition] of this.#byPath) {
      if (definition.group === group && definition.plural === plural) this.#byPath.delete(path);
    }
    this.#changed();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    this.#generation++;
    for (const listener of this.#listeners) listener();
  }
}

function pathOf(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}
