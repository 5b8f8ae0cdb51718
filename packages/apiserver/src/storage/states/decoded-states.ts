/** What can be kept as bytes only, and read as an object. */
export interface Decodable {
  /** Somebody has read it since it was last asked. */
  isWanted: boolean;
  /** Keeps the bytes only. */
  putAway(): void;
}

/**
 * The states that are kept as objects beside their bytes because they were read: so many, and the one that nobody has
 * read for longest goes first, about (a clock with a second chance). What has gone is decoded again when it is read.
 */
export class DecodedStates {
  readonly #slots: (Decodable | undefined)[];
  #hand = 0;

  constructor(limit: number) {
    this.#slots = new Array<Decodable | undefined>(limit).fill(undefined);
  }

  /** @param state has just been decoded, and is in here no more */
  add(state: Decodable): void {
    for (;;) {
      const there = this.#slots[this.#hand];
      if (there?.isWanted !== true) {
        there?.putAway();
        this.#slots[this.#hand] = state;
        this.#hand = (this.#hand + 1) % this.#slots.length;
        return;
      }
      there.isWanted = false;
      this.#hand = (this.#hand + 1) % this.#slots.length;
    }
  }
}
