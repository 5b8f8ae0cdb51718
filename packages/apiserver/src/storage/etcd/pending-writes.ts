import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import type { StoredState } from '../states/stored-state.ts';

/** One write that etcd has been asked for, and whose end is not known yet. */
export interface PendingWrite {
  /** In etcd. */
  readonly key: string;
  /** Undefined for a deletion. */
  readonly put: { readonly object: DeepReadonly<KubeObject>; readonly value: Buffer } | undefined;
  /** Of the state that it is made on. */
  readonly expected: number;
  /** What the watch has shown that is just like it. Of two servers that write the same at once one is refused. */
  stored: StoredState | undefined;
  /** The watch was interrupted for so long that it may not have shown it. */
  isOutOfSight: boolean;
}

/** Whether nobody else can have written the same: a new object has a uid that is random. */
export function isUnmistakable({ put, expected }: PendingWrite): boolean {
  return expected === 0 && put?.object.metadata?.uid !== undefined;
}

/** The writes under way, one for each key: so that the watch need not decode what came from here, and knows it again. */
export class PendingWrites {
  readonly #byKey = new Map<string, PendingWrite>();

  get size(): number {
    return this.#byKey.size;
  }

  add(write: PendingWrite): void {
    this.#byKey.set(write.key, write);
  }

  remove(write: PendingWrite): void {
    if (this.#byKey.get(write.key) === write) this.#byKey.delete(write.key);
  }

  /** The watch shows a value. The state of it, when the same was sent from here. */
  written(
    key: string,
    value: Uint8Array,
    make: (object: DeepReadonly<KubeObject>) => StoredState,
  ): StoredState | undefined {
    const write = this.#byKey.get(key);
    if (write?.put === undefined || write.stored !== undefined || !write.put.value.equals(value))
      return undefined;
    write.stored = make(write.put.object);
    return write.stored;
  }

  /** What happened meanwhile was not shown. */
  interrupted(): void {
    for (const write of this.#byKey.values()) write.isOutOfSight = true;
  }

  /** The watch shows that a state was deleted. */
  deleted(key: string, previous: number, stored: StoredState): void {
    const write = this.#byKey.get(key);
    if (write !== undefined && write.put === undefined && write.expected === previous) write.stored = stored;
  }
}
