import type { WireWatch } from './wire-watch.ts';

/** What a start of a process sends through. */
export interface Connection {
  readonly watches: Iterable<WireWatch>;
  delay(addMs: number): void;
  cut(): void;
  mend(): void;
}

/** The network of the machine that a process runs on. What is wrong with it meets each start of the process. */
export class Link {
  #connection: Connection | undefined = undefined;
  #addMs = 0;
  #isCut = false;

  /** A start of the process connects; what was there before is no more. */
  use(connection: Connection): void {
    this.#connection = connection;
    connection.delay(this.#addMs);
    if (this.#isCut) connection.cut();
  }

  get watches(): Iterable<WireWatch> {
    return this.#connection?.watches ?? [];
  }

  /** Everything takes longer by this, beside what it takes longer already; what is negative takes that back. */
  delay(byMs: number): void {
    this.#addMs += byMs;
    this.#connection?.delay(this.#addMs);
  }

  /** The server cannot be reached. */
  cut(): void {
    this.#isCut = true;
    this.#connection?.cut();
  }

  mend(): void {
    this.#isCut = false;
    this.#connection?.mend();
  }
}
