/**
 * Splits a fixed number of places among users, so that nobody can take them all. With n users at work each may hold
 * capacity / (n + 1): a share for each of them, and one for the next who comes.
 *
 * Cost: O(1) for each call, and one map entry for each user who holds something.
 */
export class FairShare {
  readonly #capacity: number;
  readonly #smallest: number;
  readonly #held = new Map<string, number>();
  #total = 0;

  /** @param smallest what a user may hold however many others there are, while there is room; default 1 */
  constructor(capacity: number, smallest = 1) {
    this.#capacity = capacity;
    this.#smallest = smallest;
  }

  /** What all users hold together. */
  get total(): number {
    return this.#total;
  }

  /** Takes places for a user. False, and nothing is taken, when that is more than its share or than there are left. */
  take(user: string, amount = 1): boolean {
    const held = this.#held.get(user) ?? 0;
    const users = this.#held.size + (held === 0 ? 1 : 0);
    const share = Math.max(this.#smallest, Math.floor(this.#capacity / (users + 1)));
    if (held + amount > share || this.#total + amount > this.#capacity) return false;
    this.#held.set(user, held + amount);
    this.#total += amount;
    return true;
  }

  /** Gives places back that were taken before. */
  give(user: string, amount = 1): void {
    const left = (this.#held.get(user) ?? 0) - amount;
    this.#total -= amount;
    if (left > 0) this.#held.set(user, left);
    else this.#held.delete(user);
  }
}
