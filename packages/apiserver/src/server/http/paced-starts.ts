import { nextTurn } from '@windlass/base';

/** So many requests begin in one turn of the event loop. */
const AT_ONCE = 16;

/**
 * Begins what arrives a few at a time and never at once: one of each connection in turn, those of one connection in
 * the order in which they came. A client may send thousands of requests in one packet: others get their turn between,
 * and do not wait behind them. And a client that resets its requests does so in the same packet, so that it is known
 * before they begin.
 */
export class PacedStarts {
  /** By connection. The first is the one that has waited for its turn the longest. */
  readonly #waiting = new Map<object, (() => void)[]>();
  #isRunning = false;

  /** @param begin must not throw */
  add(connection: object, begin: () => void): void {
    const waiting = this.#waiting.get(connection);
    if (waiting === undefined) this.#waiting.set(connection, [begin]);
    else waiting.push(begin);
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      await nextTurn();
      // What they add comes after them.
      for (const begin of this.#next()) begin();
    }
    this.#isRunning = false;
  }

  #next(): (() => void)[] {
    const next: (() => void)[] = [];
    // A connection that has more comes to the end, and the loop with it to those that wait longer.
    for (const [connection, waiting] of this.#waiting) {
      if (next.length === AT_ONCE) break;
      this.#waiting.delete(connection);
      const begin = waiting.shift();
      if (begin !== undefined) next.push(begin);
      if (waiting.length > 0) this.#waiting.set(connection, waiting);
    }
    return next;
  }
}
