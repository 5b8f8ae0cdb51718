import { type KubeObject, keyOf, type ResourceType } from '@windlass/apimachinery';
import type { Mapping } from '../mapping.ts';
import { type Declared, idOf } from './declaration.ts';

/**
 * Which parents want an object of which kind and name. Somebody else's object in such a place does not lead
 * to the parent by itself, so that without this nobody would hear when the place is free.
 */
export class Places {
  readonly #parents = new Map<string, Set<string>>();
  readonly #wanted = new Map<string, readonly string[]>();

  /** Before the places are looked at: what happens to them from then on is not missed. */
  want(parentKey: string, declared: readonly Declared[]): void {
    this.forget(parentKey);
    const ids = declared.map(({ id }) => id);
    this.#wanted.set(parentKey, ids);
    for (const id of ids) this.#parents.set(id, (this.#parents.get(id) ?? new Set()).add(parentKey));
  }

  forget(parentKey: string): void {
    for (const id of this.#wanted.get(parentKey) ?? []) {
      const parents = this.#parents.get(id);
      parents?.delete(parentKey);
      if (parents?.size === 0) this.#parents.delete(id);
    }
    this.#wanted.delete(parentKey);
  }

  /** From an object to those that want its place. */
  mapping(type: ResourceType): Mapping<KubeObject> {
    return (object) => this.#parents.get(idOf(type, keyOf(object))) ?? [];
  }
}
