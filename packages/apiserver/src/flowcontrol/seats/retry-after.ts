const MAX_SECONDS = 32;

interface Second {
  readonly at: number;
  readonly refused: number;
}

/**
 * When clients that were refused are told to come back, in seconds. It doubles while many are refused, at most once in
 * the time that it names itself, and goes down one by one when few are.
 */
export class RetryAfter {
  #seconds = 1;
  #raisedAt = 0;
  #current = 0;
  #refused = 0;
  #history: Second[] = [];

  /** What to tell a client now. */
  get seconds(): number {
    return this.#seconds;
  }

  /** @param second the time, in whole seconds */
  noteRefused(second: number): void {
    if (second === this.#current) {
      this.#refused++;
      return;
    }
    this.#remember();
    this.#current = second;
    this.#refused = 1;
    this.#adjust(second);
  }

  #remember(): void {
    this.#history.push({ at: this.#current, refused: this.#refused });
    const oldest = this.#current - Math.min(2 * this.#seconds, MAX_SECONDS);
    const from = this.#history.findIndex(({ at }) => at >= oldest);
    if (from > 0) this.#history = this.#history.slice(from);
  }

  #adjust(second: number): void {
    const seconds = this.#seconds;
    let refused = 0;
    for (const known of this.#history) if (second - known.at <= seconds) refused += known.refused;
    if (second - this.#raisedAt >= seconds && refused >= 3 * seconds) {
      this.#seconds = Math.min(2 * seconds, MAX_SECONDS);
      this.#raisedAt = second;
    } else if (refused < seconds && seconds > 1) this.#seconds--;
  }
}
