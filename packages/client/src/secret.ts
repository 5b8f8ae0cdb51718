/** Written wherever a secret would have been. */
const REDACTED = '[redacted]';

/**
 * A value that no log, error, inspection or JSON shows: only `reveal` gives it out. Configuration holds
 * every token, password and key as one, so that printing a configuration is always safe.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  // The symbol by its registered name spares the import of node:util.
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return REDACTED;
  }
}

/** What configuration written by hand may hold in the place of a Secret. */
export type SecretValue = string | Secret;

export function reveal(value: SecretValue): string {
  return typeof value === 'string' ? value : value.reveal();
}

/** A URL fit for messages: without the user name and password it may carry. */
export function redactUrl(url: string): string {
  return url.replace(/\/\/[^/@]*@/, `//${REDACTED}@`);
}
