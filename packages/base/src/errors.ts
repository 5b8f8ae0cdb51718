// What every package throws. Three kinds, because callers treat them differently: `cancelled` is the
// caller's own wish and never logged as a failure, `expected` is the world's fault and may be retried,
// `bug` is ours or the caller's code and must be seen.

/** Whether somebody cancelled, the world did what it sometimes does, or the program is wrong. */
export type ErrorKind = 'cancelled' | 'expected' | 'bug';

/** What every error of ours carries beside its message. */
export interface WindlassErrorOptions {
  readonly code: string;
  readonly kind?: ErrorKind;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('windlass.error');

/**
 * Base of all Windlass errors. `instanceof WindlassError` holds across copies of the package; tell the
 * subclasses of another copy apart by `code`.
 */
export class WindlassError extends Error {
  readonly code: string;
  readonly kind: ErrorKind;

  constructor(message: string, options: WindlassErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    this.kind = options.kind ?? 'expected';
  }

  // On the prototype and not on the error, so that neither shows as a field when the error is printed.
  override get name(): string {
    return this.constructor.name;
  }

  get [BRAND](): true {
    return true;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== WindlassError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}

/** The caller asked to stop. `cause` is the signal's reason. */
export class CancelledError extends WindlassError {
  constructor(message = 'the operation was cancelled', cause?: unknown) {
    super(message, { code: 'CANCELLED', kind: 'cancelled', cause });
  }
}

/** The `code` of a DeadlineError, of whatever copy. */
export const DEADLINE_EXCEEDED = 'DEADLINE_EXCEEDED';

/** A deadline passed before the operation ended. */
export class DeadlineError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: DEADLINE_EXCEEDED, cause });
  }
}

/** An argument or option is not what it must be. The message names it, its value and its type. */
export class InvalidArgumentError extends WindlassError {
  constructor(name: string, value: unknown, expected: string) {
    super(`${name} must be ${expected}, but it is ${describe(value)}`, {
      code: 'INVALID_ARGUMENT',
      kind: 'bug',
    });
  }
}

/** A value and its type in a few characters, for messages. Never prints an object's contents. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string')
    return `${JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)} (string)`;
  if (typeof value === 'object') return Array.isArray(value) ? `an array of ${value.length}` : 'an object';
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return `${value} (${typeof value})`;
  return `a ${typeof value}`;
}

/** True for what a caller's abort produces: our own error and the platform's. */
export function isCancelled(error: unknown): boolean {
  if (error instanceof WindlassError) return error.kind === 'cancelled';
  return error instanceof Error && error.name === 'AbortError';
}

/** Whatever was thrown, as an Error: nothing in the loop may be lost because a string was thrown. */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new WindlassError(`a value that is no Error was thrown: ${describe(thrown)}`, {
    code: 'NON_ERROR_THROWN',
    kind: 'bug',
    cause: thrown,
  });
}
