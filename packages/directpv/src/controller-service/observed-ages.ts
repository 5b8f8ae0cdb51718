import type { Clock } from '@windlass/base';

/**
 * How long something has been so, as seen from here. Times that others wrote are not asked: their clocks may be wrong,
 * and what looks old may only be ours to see late.
 */
export class ObservedAges {
  readonly #clock: Clock;
  /** By group and thing, the time from which on it was seen. */
  readonly #since = new Map<string, Map<string, number>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What is so in a group now. The rest of the group is not so any more. Gives the ages, in milliseconds. */
  see(group: string, things: Iterable<string>): Map<string, number> {
    const now = this.#clock.monotonic();
    const before = this.#since.get(group);
    const since = new Map<string, number>();
    for (const thing of things) since.set(thing, before?.get(thing) ?? now);
    if (since.size === 0) this.#since.delete(group);
    else this.#since.set(group, since);
    return new Map(since.entries().map(([thing, from]) => [thing, now - from]));
  }

  /** The groups of which something is so. */
  groups(): Iterable<string> {
    return this.#since.keys();
  }
}
