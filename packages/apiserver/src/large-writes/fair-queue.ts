/**
 * A queue in which each owner has a turn: whoever has a hundred things waiting does not keep another, who has one, from
 * theirs.
 */
export class FairQueue<T> {
  /** In the order of their turns. None is empty. */
  readonly #byOwner = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(owner: string, item: T): void {
    const items = this.#byOwner.get(owner);
    if (items === undefined) this.#byOwner.set(owner, [item]);
    else items.push(item);
    this.#size++;
  }

  /** The next in turn; undefined when nothing waits. */
  take(): T | undefined {
    for (const [owner, items] of this.#byOwner) {
      const item = items.shift();
      this.#byOwner.delete(owner);
      if (items.length > 0) this.#byOwner.set(owner, items);
      this.#size--;
      return item;
    }
    return undefined;
  }

  /** False when it is not there any more. */
  remove(owner: string, item: T): boolean {
    const items = this.#byOwner.get(owner);
    const at = items?.indexOf(item) ?? -1;
    if (items === undefined || at === -1) return false;
    items.splice(at, 1);
    if (items.length === 0) this.#byOwner.delete(owner);
    this.#size--;
    return true;
  }
}
