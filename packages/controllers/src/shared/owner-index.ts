import { controllerOf, type DeepReadonly, type KubeObject } from '@windlass/apimachinery';
import type { KindClient } from '@windlass/runtime';
import { namespaceOf, uidOf } from './meta.ts';

const INDEX = 'windlass.dev/controller';

const orphansOf = (namespace: string): string => `orphans/${namespace}`;

/** One function for all: an index of a shared cache has one owner's word for what it holds. */
const ownerKeys = (object: DeepReadonly<KubeObject>): string[] => [
  controllerOf(object)?.uid ?? orphansOf(namespaceOf(object)),
];

/** Objects by who controls them, so that a set of three pods does not look at all others of its namespace. */
export class OwnerIndex<T extends KubeObject> {
  readonly #kind: KindClient<T>;

  constructor(kind: KindClient<T>) {
    this.#kind = kind;
    kind.addIndex(INDEX, ownerKeys);
  }

  /** As the cache and our own writes have it: see KindClient. */
  controlledBy(uid: string, signal?: AbortSignal): Promise<DeepReadonly<T>[]> {
    return this.#kind.list({ index: { name: INDEX, value: uid }, ...(signal !== undefined && { signal }) });
  }

  orphans(namespace: string, signal?: AbortSignal): Promise<DeepReadonly<T>[]> {
    return this.#kind.list({
      index: { name: INDEX, value: orphansOf(namespace) },
      ...(signal !== undefined && { signal }),
    });
  }

  /** All that `claim` wants to see. */
  async candidates(owner: DeepReadonly<KubeObject>, signal?: AbortSignal): Promise<DeepReadonly<T>[]> {
    const [controlled, orphans] = await Promise.all([
      this.controlledBy(uidOf(owner), signal),
      this.orphans(namespaceOf(owner), signal),
    ]);
    return [...controlled, ...orphans];
  }
}
