/** Who holds what. A thing that is held by one owner may be taken again by the same. */
export class Ledger<T> {
  readonly #owners = new Map<T, string>();

  get size(): number {
    return this.#owners.size;
  }

  has(thing: T): boolean {
    return this.#owners.has(thing);
  }

  /** False when somebody else holds it. */
  take(thing: T, owner: string): boolean {
    const holder = this.#owners.get(thing);
    if (holder !== undefined && holder !== owner) return false;
    this.#owners.set(thing, owner);
    return true;
  }

  /** Does nothing when somebody else holds it. */
  free(thing: T, owner: string): void {
    if (this.#owners.get(thing) === owner) this.#owners.delete(thing);
  }
}
