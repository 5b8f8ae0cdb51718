import { type Cached, controllerOf, type KubeObject } from '@windlass/apimachinery';
import type { KindClient } from '@windlass/runtime';

const INDEX = 'windlass.dev/controller';

const orphansOf = (namespace: string): string => `orphans/${namespace}`;

/** One function for all: an index of a shared cache has one owner's word for what it holds. */
const ownerKeys = (object: Cached<KubeObject>): string[] => [
  controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace ?? ''),
];

/** Objects by who controls them, so that a set of three pods does not look at all others of its namespace. */
export class OwnerIndex<T extends KubeObject> {
  readonly #kind: KindClient<T>;

  constructor(kind: KindClient<T>) {
    this.#kind = kind;
    kind.addIndex(INDEX, ownerKeys);
  }

  /** As the cache and our own writes have it: see KindClient. */
  controlledBy(uid: string, signal?: AbortSignal): Promise<Cached<T>[]> {
    return this.#kind.list({ index: { name: INDEX, value: uid }, ...(signal !== undefined && { signal }) });
  }

  orphans(namespace: string, signal?: AbortSignal): Promise<Cached<T>[]> {
    return this.#kind.list({
      index: { name: INDEX, value: orphansOf(namespace) },
      ...(signal !== undefined && { signal }),
    });
  }

  /** All that `claim` wants to see. */
  async candidates(owner: Cached<KubeObject>, signal?: AbortSignal): Promise<Cached<T>[]> {
    const [controlled, orphans] = await Promise.all([
      this.controlledBy(owner.metadata.uid, signal),
      this.orphans(owner.metadata.namespace ?? '', signal),
    ]);
    return [...controlled, ...orphans];
  }
}
